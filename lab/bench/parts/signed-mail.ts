/** What the senders of a bench publish, and a mail that one of them signed. */
import { generateKeyPairSync } from 'node:crypto'
import { dkimSign } from 'mailauth/lib/dkim/sign.js'
import { textMail } from '../mime-mails.ts'

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')

/** By name and type, for the name server of the bench. */
export const SENDERS_ZONE = {
  'elsewhere.test TXT': ['v=spf1 ip4:127.0.0.1 -all'],
  '_dmarc.elsewhere.test TXT': ['v=DMARC1; p=reject'],
  'example.com TXT': ['v=spf1 ip4:127.0.0.1 -all'],
  '_dmarc.example.com TXT': ['v=DMARC1; p=none'],
  'mail._domainkey.example.com TXT': [`v=DKIM1; k=rsa; p=${key}`],
}

/** `textMail`, signed by its author. Fields above it do not break the signature. */
export async function signedMail(bytes: number): Promise<Buffer> {
  const mail = textMail(bytes)
  const identity = {
    signingDomain: 'example.com',
    selector: 'mail',
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
  const { signatures, errors } = await dkimSign(mail, { ...identity, canonicalization: 'relaxed/relaxed', signatureData: [identity] })
  if (errors.length > 0) throw new Error(JSON.stringify(errors))
  return Buffer.concat([Buffer.from(signatures), mail])
}
