import { randomBytes } from 'node:crypto'
import { readConfig } from '#server/config.ts'
import { createLog } from '#server/log.ts'
import type { MailOptions } from '#server/mail/context.ts'
import { createMail } from '#server/mail/create-mail.ts'
import type { Mail } from '#server/mail/mail.ts'
import { openSqliteStore } from '#server/store/sqlite/sqlite-store.ts'
import type { MailStore } from '#server/store/store.ts'

export type TestMail = AsyncDisposable & {
  readonly mail: Mail
  readonly store: MailStore
  readonly clock: () => number
  /** Sets the time: milliseconds since the epoch. */
  readonly setTime: (ms: number) => void
}

/** The core on a real store in `folder`, with a clock that stands until it is set. */
export async function startMail(folder: string, options: Partial<MailOptions> = {}): Promise<TestMail> {
  let now = Date.UTC(2026, 0, 1)
  const clock = () => now
  const store = options.store ?? (await openSqliteStore({ folder, diskReserveBytes: 0, clock }))
  const mail = createMail({
    secret: 'a secret of the tests, long enough',
    config: readConfig({ MAIL_DOMAINS: 'mayfly.test,box.test' }),
    clock,
    random: randomBytes,
    log: createLog('silent'),
    ...options,
    store,
  })
  return {
    mail,
    store,
    clock,
    setTime(ms) {
      now = ms
    },
    async [Symbol.asyncDispose]() {
      await mail[Symbol.asyncDispose]()
      await store[Symbol.asyncDispose]()
    },
  }
}
