/** What the routes of mailboxes and messages stand on. */
import type { BotCheck } from '#server/bot-check/bot-check.ts'
import type { Clock } from '#server/clock.ts'
import type { Config } from '#server/config.ts'
import type { Limiter } from '#server/limiter/limiter.ts'
import type { Limits } from '#server/limiter/limits.ts'
import type { Mail } from '#server/mail/mail.ts'
import type { StreamLimit } from './connections/stream-limit.ts'

/** An account acts by its session cookie or by an API key; `create` records the address on it. */
export type Accounts = {
  accountOf(headers: Headers): Promise<{ readonly id: string; readonly by: 'api_key' | 'session' } | undefined>
  createMailbox(
    accountId: string,
    request: { domain?: string | undefined; localPart?: string | undefined },
  ): Promise<{ email: string; token: string; expiresAt: string; secondsLeft: number; lifetimeSeconds: number }>
}

export type MailPorts = {
  readonly config: Config
  readonly mail: Mail
  readonly clock: Clock
  readonly limiter: Limiter
  readonly limits: Limits
  readonly botCheck: BotCheck
  readonly streams: StreamLimit
  /** Aborts when the server stops: streams and long polls end. */
  readonly signal: AbortSignal
  readonly accounts?: Accounts | undefined
}
