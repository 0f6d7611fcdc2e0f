/** Replies as they go over the wire. Their texts are in server/errors.ts. */
import type { MailFailure } from '#server/errors.ts'
import { AppError, failures, mailFailures, type PathFault, pathFaults, protocolReplies, type SmtpReply } from '#server/errors.ts'
import { describeShare } from '#server/platform/limits/clients.ts'

/** A reply, and what the connection does next: read a message, switch to TLS, or close. */
export type Reply = { readonly text: string; readonly next?: 'data' | 'tls' | 'close' }

export type ReplyName = keyof typeof protocolReplies

const wire = ([code, text]: SmtpReply): string => `${code} ${text}\r\n`

const replies = new Map<string, Reply>(
  Object.entries({ ...protocolReplies, ...mailFailures }).map(([name, reply]) => [name, { text: wire(reply) }]),
)
for (const [name, row] of Object.entries(failures)) if ('smtp' in row) replies.set(name, { text: wire(row.smtp) })
for (const name of ['bad_address', 'bad_sender'] as const) {
  const [code, text] = protocolReplies[name]
  for (const fault of pathFaults) replies.set(`${name}: ${fault}`, { text: wire([code, `${text}: ${fault}`]) })
}
const internal: Reply = { text: wire(failures.internal.smtp) }

/** The reply with this name in server/errors.ts, else a temporary failure. `fullShare`: the network whose share is used up. */
export function reply(name: ReplyName | MailFailure | 'internal', fullShare?: string): Reply {
  const found = replies.get(name) ?? internal
  return found.text.includes('{whom}') ? { text: found.text.replace('{whom}', describeShare(fullShare)) } : found
}

/** With the fault at its end. */
export const replyNaming = (name: 'bad_address' | 'bad_sender', fault: PathFault): Reply => replies.get(`${name}: ${fault}`) ?? reply(name)
export const replyThen = (name: ReplyName, next: NonNullable<Reply['next']>): Reply => ({ text: reply(name).text, next })

/** The reply to a thrown error: always temporary, and only its code reaches the client. */
export function replyToError(error: unknown): Reply {
  const reply = error instanceof AppError ? replies.get(error.code) : undefined
  return reply?.text.startsWith('4') ? reply : internal
}
