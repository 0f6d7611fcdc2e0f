/** The SMTP edge on its own, with the real core and store behind it, for protocol tests and benches. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Config, readConfig } from '#server/config.ts'
import type { Log } from '#server/log.ts'
import type { SmtpLimits } from '#server/smtp/limits.ts'
import { type SmtpServer, startSmtp } from '#server/smtp/smtp.ts'

const DOMAIN = 'mayfly.test'

type StartOptions = {
  readonly env?: Readonly<Record<string, string>>
  readonly limits?: Partial<SmtpLimits>
  /** Lines at `error` and above are expected: else they fail the test. */
  readonly mayLogErrors?: boolean
}

export type TestAddress = {
  readonly email: string
  destroy(): Promise<void>
  /** Every message of the mailbox as it came in, oldest first. */
  raws(): Promise<Buffer[]>
}

export type TestSmtp = AsyncDisposable & {
  readonly port: number
  readonly config: Config
  readonly smtp: SmtpServer
  readonly errors: readonly unknown[]
  newAddress(): Promise<TestAddress>
}

function memoryMail() {
  const boxes = new Map<string, Buffer[]>()
  let next = 0
  return {
    async createAddress() {
      const email = `box${next++}@${DOMAIN}`
      boxes.set(email, [])
      return { email, token: email, expiresAt: 0 }
    },
    async destroy(email: string) {
      boxes.delete(email)
    },
    async checkRecipient(address: string) {
      const key = address.toLowerCase()
      if (/^(postmaster|abuse)@mayfly\.test$/.test(key)) return 'accepted' as const
      if (!key.endsWith(`@${DOMAIN}`)) return 'domain_not_served' as const
      return boxes.has(key) ? ('accepted' as const) : ('mailbox_not_found' as const)
    },
    async receive(envelope: { recipients: readonly string[] }, raw: Uint8Array) {
      let any = false
      for (const r of envelope.recipients) {
        const box = boxes.get(r.toLowerCase())
        if (box) {
          any = true
          box.push(Buffer.from(raw))
        }
      }
      return any ? ('delivered' as const) : ('mailbox_not_found' as const)
    },
    raws: async (email: string) => boxes.get(email) ?? [],
  }
}

export async function startTestSmtp(options: StartOptions = {}): Promise<TestSmtp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'smtp-'))
  const config = readConfig({ SMTP_PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataDir, MAIL_DOMAINS: DOMAIN, ...options.env })
  const errors: unknown[] = []
  const mail = memoryMail()
  const smtp = await startSmtp({ mail, config, log: collectingLog(errors), limits: options.limits })
  return {
    port: smtp.port,
    config,
    smtp,
    errors,
    async newAddress() {
      const { email } = await mail.createAddress()
      return { email, destroy: () => mail.destroy(email), raws: () => mail.raws(email) }
    },
    async [Symbol.asyncDispose]() {
      await smtp[Symbol.asyncDispose]()
      await rm(dataDir, { recursive: true })
      if (errors.length > 0 && !options.mayLogErrors) throw new Error('the server logged errors', { cause: errors })
    },
  }
}

function collectingLog(errors: unknown[]): Log {
  const ignore = () => undefined
  const keep = (...line: unknown[]) => void errors.push(line)
  return { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: keep, fatal: keep }
}
