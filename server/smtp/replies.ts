import { AppError, failures, mailFailures, protocolReplies, type SmtpReply } from '#server/errors.ts'
import type { MailFailure } from '#server/mail/mail.ts'

/** A reply, and what the connection does next: read a message, switch to TLS, or end. */
export type Reply = { readonly text: string; readonly next?: 'data' | 'tls' | 'close' }

export type ReplyName = keyof typeof protocolReplies

function wire([code, text]: SmtpReply): string {
  return `${code} ${text}\r\n`
}

const replies = new Map<string, Reply>(
  Object.entries({ ...protocolReplies, ...mailFailures }).map(([name, reply]) => [name, { text: wire(reply) }]),
)
for (const [name, row] of Object.entries(failures)) if ('smtp' in row) replies.set(name, { text: wire(row.smtp) })
const internal: Reply = { text: wire(failures.internal.smtp) }

/** The row of the failure table for this name, as it goes on the wire; a failure without an SMTP side is a temporary one. */
export function reply(name: ReplyName | MailFailure | 'internal' | 'rate_limited'): Reply {
  return replies.get(name) ?? internal
}

export function replyThen(name: ReplyName, next: NonNullable<Reply['next']>): Reply {
  return { text: reply(name).text, next }
}

/** A thrown error as a reply: only its code reaches the peer, and it is always temporary. */
export function replyToError(error: unknown): Reply {
  const reply = error instanceof AppError ? replies.get(error.code) : undefined
  return reply?.text.startsWith('4') ? reply : internal
}
