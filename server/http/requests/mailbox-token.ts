/** The mailbox a request's token opens. */
import type { Context } from 'hono'
import { AppError } from '#server/errors.ts'
import { enforce } from '#server/limiter/limiter.ts'
import type { OpenMailbox } from '#server/mail/mail.ts'
import type { HttpEnv } from '../env.ts'
import type { MailPorts } from '../mail-ports.ts'

/** base64url of 16 bytes of mailbox id and 32 random bytes: nothing else is looked up. */
const TOKEN = /^Bearer ([A-Za-z0-9_-]{64})$/i

/**
 * Missing, malformed, wrong, expired and never-issued tokens get one and the same answer (G7); after too many of them the network waits (W01).
 * @throws AppError `mailbox_not_found`, `rate_limited`.
 */
export async function requireMailbox(c: Context<HttpEnv>, { mail, limiter, limits }: MailPorts): Promise<OpenMailbox> {
  c.header('cache-control', 'no-store')
  c.header('vary', 'Authorization')
  const token = TOKEN.exec(c.req.header('authorization') ?? '')?.[1]
  const mailbox = token === undefined ? undefined : await mail.openMailbox(token)
  if (mailbox) return mailbox
  await enforce(limiter, limits.tokenMisses, c.var.network)
  throw new AppError('mailbox_not_found')
}
