import { AppError, failures, mailFailures, protocolReplies, type SmtpReply } from '#server/errors.ts'
import type { MailFailure } from '#server/mail/mail.ts'

/** What the peer is told and what the connection does next: read a message, switch to TLS, or end. */
export type Answer = { readonly text: string; readonly next?: 'data' | 'tls' | 'close' }

export type ReplyName = keyof typeof protocolReplies

function wire([code, text]: SmtpReply): string {
  return `${code} ${text}\r\n`
}

const answers = new Map<string, Answer>(
  Object.entries({ ...protocolReplies, ...mailFailures }).map(([name, reply]) => [name, { text: wire(reply) }]),
)
for (const [name, row] of Object.entries(failures)) if ('smtp' in row) answers.set(name, { text: wire(row.smtp) })
const internal: Answer = { text: wire(failures.internal.smtp) }

/** The row of the failure table for this name, as it goes on the wire; a failure without an SMTP side is a temporary one. */
export function answer(name: ReplyName | MailFailure | 'internal' | 'rate_limited'): Answer {
  return answers.get(name) ?? internal
}

export function answerThen(name: ReplyName, next: NonNullable<Answer['next']>): Answer {
  return { text: answer(name).text, next }
}

/** A thrown error as a reply: nothing of it but its code reaches the peer, and none is permanent (S38). */
export function answerTo(error: unknown): Answer {
  const reply = error instanceof AppError ? answers.get(error.code) : undefined
  return reply?.text.startsWith('4') ? reply : internal
}
