import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import type { Vault } from '#server/database/secret-box.ts'
import type { OutgoingMail } from '#server/mail-out/mail-out.ts'
import { oneLine } from '#server/mail-out/one-line.ts'

const CONTEXT = 'operator-message'

export type OperatorMail = { readonly recipient: string; readonly envelopeFrom: string; readonly raw: Uint8Array }

const headSchema = z.object({ recipient: z.string(), envelopeFrom: z.string() })

/** Sealed like everything at rest: a line of JSON, then the mail byte for byte. */
export function sealOperatorMail(vault: Vault, { recipient, envelopeFrom, raw }: OperatorMail): Buffer {
  return vault.seal(CONTEXT, Buffer.concat([Buffer.from(`${JSON.stringify({ recipient, envelopeFrom })}\n`), raw]))
}

/** `undefined` when it was sealed under another secret. */
export function openOperatorMail(vault: Vault, sealed: Uint8Array): OperatorMail | undefined {
  const bytes = vault.open(CONTEXT, sealed)
  if (!bytes) return undefined
  const end = bytes.indexOf('\n')
  return { ...z.parse(headSchema, JSON.parse(bytes.toString('utf8', 0, end))), raw: bytes.subarray(end + 1) }
}

/** By which a retry is known (decision 12). Keyed, so that it tells nothing of the mail. */
export function contentHashOf(vault: Vault, { recipient, raw }: OperatorMail): string {
  return vault.hash(CONTEXT, createHash('sha256').update(`${recipient.toLowerCase()}\n`).update(raw).digest('hex'))
}

export function forwardLetter({ recipient, envelopeFrom, raw }: OperatorMail, to: string, siteName: string): OutgoingMail {
  const text = `Mail for ${oneLine(recipient)} from <${oneLine(envelopeFrom)}>, enclosed as it arrived.\n`
  return { to, subject: `[${siteName}] Mail for ${oneLine(recipient)}`, text, enclosed: raw }
}
