import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import type { SecretBox } from '#server/database/secret-box.ts'
import type { OperatorMail } from '#server/mail/context.ts'
import type { OutgoingMail } from '#server/outbound/mail/mail-out.ts'
import { oneLine } from '#server/outbound/mail/one-line.ts'

const CONTEXT = 'operator-message'

const headSchema = z.object({ recipient: z.string(), envelopeFrom: z.string() })

/** A line of JSON, then the raw mail, sealed together. */
export function sealOperatorMail(secretBox: SecretBox, { recipient, envelopeFrom, raw }: OperatorMail): Buffer {
  return secretBox.seal(CONTEXT, Buffer.concat([Buffer.from(`${JSON.stringify({ recipient, envelopeFrom })}\n`), raw]))
}

/** `undefined` if it was sealed under another secret. */
export function openOperatorMail(secretBox: SecretBox, sealed: Uint8Array): OperatorMail | undefined {
  const bytes = secretBox.open(CONTEXT, sealed)
  if (!bytes) return undefined
  const end = bytes.indexOf('\n')
  return { ...z.parse(headSchema, JSON.parse(bytes.toString('utf8', 0, end))), raw: bytes.subarray(end + 1) }
}

/** Recognises a retry. Keyed, so that it reveals nothing about the mail. */
export function operatorMailHash(secretBox: SecretBox, { recipient, raw }: OperatorMail): string {
  return secretBox.hash(CONTEXT, createHash('sha256').update(`${recipient}\n`).update(raw).digest('hex'))
}

export function forwardedMail({ recipient, envelopeFrom, raw }: OperatorMail, to: string, siteName: string): OutgoingMail {
  const text = `Mail for ${oneLine(recipient)} from <${oneLine(envelopeFrom)}>, enclosed as it arrived.\n`
  return { to, subject: `[${siteName}] Mail for ${oneLine(recipient)}`, text, enclosed: raw }
}
