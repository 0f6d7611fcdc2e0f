import type { Context } from 'hono'
import type { Reader } from '#server/mail/mail-core.ts'
import { responseEndSignal } from '../connections/response-end.ts'
import type { HttpEnv } from '../env.ts'

/** The reader of a request, for the core's limits. */
export function toReader(c: Context<HttpEnv>): Required<Reader> {
  return { network: c.var.network, signal: responseEndSignal(c.env) }
}
