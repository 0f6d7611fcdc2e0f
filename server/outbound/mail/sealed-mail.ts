import * as z from 'zod/mini'
import type { SecretBox } from '#server/database/secret-box.ts'
import type { OutgoingMail } from './mail-out.ts'

const CONTEXT = 'outbox'

const storedMail = z.object({
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.optional(z.string()),
  replyTo: z.optional(z.string()),
  link: z.optional(z.string()),
  enclosed: z.optional(z.string()),
})

/** Outgoing mail as stored in the database, sealed because confirmation mails contain live tokens. Base64. */
export function sealMail(secretBox: SecretBox, mail: OutgoingMail): string {
  const enclosed = mail.enclosed && Buffer.from(mail.enclosed).toString('base64')
  return secretBox.seal(CONTEXT, Buffer.from(JSON.stringify({ ...mail, enclosed }))).toString('base64')
}

/** `undefined` if it was sealed under another secret. */
export function openMail(secretBox: SecretBox, sealed: string): OutgoingMail | undefined {
  const bytes = secretBox.open(CONTEXT, Buffer.from(sealed, 'base64'))
  if (!bytes) return undefined
  const { enclosed, ...mail } = z.parse(storedMail, JSON.parse(bytes.toString()))
  return { ...mail, enclosed: enclosed === undefined ? undefined : Buffer.from(enclosed, 'base64') }
}
