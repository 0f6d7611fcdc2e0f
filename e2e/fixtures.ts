/** What every browser test stands on: a real server, real mail, and a console that must stay silent. */
import { randomInt } from 'node:crypto'
import { type BrowserContext, test as base, expect } from '@playwright/test'
import { createTransport, type SendMailOptions } from 'nodemailer'
import { type RunningServer, startServer } from '#test/start-server.ts'

export { expect }

export type Noise = {
  /** A message of the console that this test brings about on purpose. */
  allow: (...patterns: RegExp[]) => void
}
type TestFixtures = {
  noise: Noise
  /** Delivers through the server's SMTP door; rejects unless every recipient got its 250. */
  sendMail: (mail: SendMailOptions) => Promise<void>
}
type WorkerFixtures = {
  /** Environment of the server under test: `test.use({ serverEnv: { LIFETIME_SECONDS: '35' } })`. */
  serverEnv: Record<string, string>
  server: RunningServer
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  serverEnv: [{}, { scope: 'worker', option: true }],

  server: [
    async ({ serverEnv }, use) => {
      // Each test comes from an address of its own (below), so that the limits per network never mix two tests.
      await using server = await startServer({ env: { TRUST_PROXY: '127.0.0.1', ...serverEnv } })
      await use(server)
    },
    { scope: 'worker' },
  ],

  baseURL: async ({ server }, use) => use(`http://127.0.0.1:${server.httpPort}`),

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from a pattern
  extraHTTPHeaders: async ({}, use) => use({ 'x-forwarded-for': visitorAddress() }),

  noise: [
    async ({ context }, use) => {
      const allowed: RegExp[] = []
      const heard = listen(context)
      await use({ allow: (...patterns) => void allowed.push(...patterns) })
      const unexpected = heard.filter(message => !allowed.some(pattern => pattern.test(message)))
      expect(unexpected, 'the browser console must stay silent; noise.allow() what a test brings about on purpose').toEqual([])
    },
    { auto: true },
  ],

  sendMail: async ({ server }, use) => {
    const transport = createTransport({ host: '127.0.0.1', port: server.smtpPort, secure: false, tls: { rejectUnauthorized: false } })
    await use(async mail => {
      const { rejected } = await transport.sendMail({ from: 'Ada <ada@sender.test>', ...mail })
      expect(rejected).toEqual([])
    })
    transport.close()
  },
})

/** Everything a browser complains about, in all pages of a context. */
function listen(context: BrowserContext): string[] {
  const heard: string[] = []
  context.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warning')
      heard.push(`${message.type()}: ${message.text()} (${message.location().url})`)
  })
  context.on('weberror', error => heard.push(`uncaught: ${error.error().stack ?? error.error().message}`))
  return heard
}

const visitorAddress = () => `10.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(1, 255)}`
