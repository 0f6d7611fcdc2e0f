import type { Context } from 'hono'
import type { Reader } from '#server/mail/mail.ts'
import { responseEndSignal } from '../connections/response-end.ts'
import type { HttpEnv } from '../env.ts'

/** Who reads mail by this request, as the core counts it. */
export function toReader(c: Context<HttpEnv>): Required<Reader> {
  return { network: c.var.network, signal: responseEndSignal(c.env) }
}
