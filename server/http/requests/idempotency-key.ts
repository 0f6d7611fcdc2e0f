import type { Context } from 'hono'
import type { HttpEnv } from '../env.ts'
import { InvalidRequest } from './invalid-request.ts'

/** Visible ASCII. The minimum length stops guessing: a guessed key returns a mailbox. */
export const IDEMPOTENCY_KEY = /^[!-~]{16,255}$/

/** @throws InvalidRequest for a header that is too short, too long or not visible ASCII. */
export function readIdempotencyKey(c: Context<HttpEnv>): string | undefined {
  const key = c.req.header('idempotency-key')
  if (key === undefined || IDEMPOTENCY_KEY.test(key)) return key
  throw new InvalidRequest([{ path: 'Idempotency-Key', message: 'must have 16 to 255 visible characters' }])
}
