/** What every browser test stands on: a real server, real mail, and a console that must stay silent. */
import { randomInt } from 'node:crypto'
import { type BrowserContext, expect } from '@playwright/test'
import { createTransport, type SendMailOptions } from 'nodemailer'
import { type RunningServer, startServerProcess } from '#test/harness/mayfly/start-server-process.ts'
import { startDnsServer } from '#test/harness/servers/dns-server.ts'
import { type MailRecorder, startMailRecorder } from '#test/harness/servers/mail-recorder.ts'
import { engineTest as base } from '../engines/webkit.ts'

export { expect }

type ServerEnv = Readonly<Record<string, string>>
type ServerFixtures = {
  /** Environment of the server under test, over the one of all tests: `test.use({ serverEnv: { LIFETIME_SECONDS: '35' } })`. */
  serverEnv: ServerEnv
  server: RunningServer
}
type WorkerFixtures = {
  /** The relay behind every server, which keeps what accounts and the contact form send. */
  recorder: MailRecorder
  /**
   * Starts a server for an environment when it is first asked for. Tests of a worker that follow each other share it, and all without an
   * environment of their own share one.
   */
  serverWith: (env: ServerEnv) => Promise<RunningServer>
}

const NO_ENV = JSON.stringify({})

/** Texts and layouts are tried in English; the other languages are for the long run. */
export const quickInEnglish = (language: string) => ({ tag: language === 'en' ? [] : '@long' })

/** For what needs no browser: pages and files as they are served. */
export const servedTest = base.extend<ServerFixtures, WorkerFixtures>({
  recorder: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from a pattern
    async ({}, use) => {
      await using recorder = await startMailRecorder()
      await use(recorder)
    },
    { scope: 'worker' },
  ],

  serverWith: [
    async ({ recorder }, use) => {
      await using dns = await startDnsServer({})
      const started = new Map<string, Promise<RunningServer>>()
      // Each test comes from an address of its own (below), so that the limits per network never mix two tests. The work of the bot check
      // would only take time: the tests that are about it ask for it (WITH_BOT_CHECK).
      const all = {
        ...{ TRUST_PROXY: '127.0.0.1', SMTP_RELAY_URL: recorder.url, CONTACT_TO: 'operator@example.com', BOT_CHECK: 'off' },
        // It knows no name, whatever the machine's resolver says or whether it has one.
        DNS_SERVERS: dns.address,
      }
      await use(async env => {
        const key = JSON.stringify(env)
        // An idle server takes a hundredth of a processor, and there would be one of each kind in each worker.
        for (const [other, server] of started) {
          if (other === key || other === NO_ENV) continue
          started.delete(other)
          await (await server).stop()
        }
        const server = started.get(key) ?? startServerProcess({ env: { ...all, ...env } })
        started.set(key, server)
        return server
      })
      for (const server of started.values()) await (await server).stop()
    },
    { scope: 'worker' },
  ],

  serverEnv: [{}, { option: true }],
  server: async ({ serverWith, serverEnv }, use) => {
    const server = await serverWith(serverEnv)
    await use(server)
    // Node tells of a crash, not our log. The page only sees that nobody answers.
    if (/^Node\.js v/m.test(server.output())) throw new Error(`the server crashed:\n${server.output().slice(-2000)}`)
    server.heardLog.check()
  },
  baseURL: async ({ server }, use) => use(`http://127.0.0.1:${server.httpPort}`),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from a pattern
  extraHTTPHeaders: async ({}, use) => use({ 'x-forwarded-for': visitorAddress() }),
})

/** The server as it comes, with work to be done for an address. */
export const WITH_BOT_CHECK: ServerEnv = { BOT_CHECK: 'pow' }

/**
 * A visitor who has not asked for less motion: for `test.use` in files about what moves, or about what a movement could be in the way of.
 */
export const WITH_MOTION = { contextOptions: { reducedMotion: 'no-preference' } } as const

/** A visitor with the site's service worker, for `test.use`. */
export const WITH_SERVICE_WORKER = { serviceWorkers: 'allow' } as const

export type Noise = {
  /** A message of the console that this test brings about on purpose. */
  allow: (...patterns: RegExp[]) => void
}
type BrowserFixtures = {
  noise: Noise
  /** Delivers through the server's SMTP door; rejects unless every recipient got its 250. */
  sendMail: (mail: SendMailOptions) => Promise<void>
}

export const test = servedTest.extend<BrowserFixtures>({
  noise: [
    async ({ context, browserName }, use) => {
      const allowed = [...PLAYWRIGHT_NOISE, ...WEBKIT_NOISE]
      if (browserName === 'firefox') {
        await context.addInitScript(writeErrorsOut)
        await context.addInitScript(hideNamedElements)
        allowed.push(...FIREFOX_NOISE)
      }
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

/**
 * Playwright's clock, traces and init scripts go into every frame. The sandbox of the mail's frame refuses them like any other script; that
 * it refuses those of a mail is what `hostile-html.spec.ts` tests.
 */
const PLAYWRIGHT_NOISE = [
  // Tests of clusters beside these make and remove networks, and Chromium cuts what it was loading. The page asks again for its parts.
  /net::ERR_NETWORK_CHANGED/,
  /Service Worker registration blocked by Playwright/,
  /Blocked script execution in '[^']*\/mail-frame(?:\?images=1)?'/,
]

/** WebKit speaks of a directive that it does not know, and of a stream that ends with its page. */
const WEBKIT_NOISE = [
  /Unrecognized Content-Security-Policy directive 'manifest-src'/,
  /Fetch API cannot load \S+ due to access control checks/,
  // A box that was measured changed once more in the same frame; it is measured again in the next.
  /ResizeObserver loop completed with undelivered notifications/,
  // A worker whose page goes while it is being fetched.
  /\/sw\.js due to access control checks/,
]

/**
 * When a page is left or read again while it still loads, Firefox lets its scripts hear that their imports are given up. Chromium ends them
 * first, and there the same words fail a test.
 */
const FIREFOX_NOISE = [
  // The page may have told of it as an error or a warning, or had no time to hear of it: then there may be no stack, which begins so.
  /^(?:error|warning|uncaught): (?:TypeError: )?error loading dynamically imported module: \S+\/assets\/\S+/,
  // NS_BINDING_ABORTED: the page was left while the font was on its way.
  /downloadable font: download failed .* status=2152398850 /,
]

/** Runs in the page. Of an error in the console, Firefox tells Playwright only that it is one. */
function writeErrorsOut(): void {
  for (const level of ['warn', 'error'] as const) {
    const log = console[level].bind(console)
    console[level] = (...said) => log(...said.map(value => (value instanceof Error ? String(value) : value)))
  }
}

/**
 * Runs in the page. Playwright reads from a world of its own which elements name another one, and Firefox ESR 153.8 crashes when the page,
 * where axe is, reads it after that. Without these properties axe follows the ids.
 */
function hideNamedElements(): void {
  for (const name of Object.getOwnPropertyNames(Element.prototype)) {
    if (/^aria.*Elements?$/.test(name)) Reflect.deleteProperty(Element.prototype, name)
  }
}

/** Everything a browser complains about, in all pages of a context. */
function listen(context: BrowserContext): string[] {
  const heard: string[] = []
  context.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warning')
      heard.push(`${message.type()}: ${message.text()} (${message.location().url})`)
  })
  context.on('weberror', error => heard.push(`uncaught: ${error.error().stack || error.error().message}`))
  return heard
}

const visitorAddress = () => `10.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(1, 255)}`
