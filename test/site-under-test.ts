/** The site that the promises are made of: on a real database, behind a real relay, on a clock that the test sets. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { createPasswords } from '#server/accounts/password-hash.ts'
import { openDatabase, type SiteDatabase } from '#server/database/database.ts'
import { createLog } from '#server/log.ts'
import { createSmtpRelay } from '#server/mail-out/smtp-relay.ts'
import { openSite, type Site } from '#server/site.ts'
import { type MailRecorder, startMailRecorder } from './mail-recorder.ts'
import { CHEAP_HASH } from './start-test-server.ts'

export const DAY_MS = 86_400_000
export const PASSWORD = 'correct horse'
export const SECRET = Buffer.alloc(32, 7)
/** Those of the product in small: twenty mails of full size fill the inbox. */
export const INBOX = { messageBytesMax: 5000, messagesMax: 1000, allBytesMax: 100_000 }

export class SiteUnderTest {
  now = Date.now()
  #recorder: MailRecorder | undefined
  #site: Site | undefined
  #place: { databaseUrl: string | undefined; dataDir: string } | undefined

  get site(): Site {
    return opened(this.#site)
  }

  get recorder(): MailRecorder {
    return opened(this.#recorder)
  }

  get place() {
    return opened(this.#place)
  }

  async start(databaseUrl: string | undefined): Promise<void> {
    this.#recorder = await startMailRecorder()
    this.#place = { databaseUrl, dataDir: mkdtempSync(join(tmpdir(), 'mayfly-site-')) }
    await this.open()
  }

  /** Opens the site, as a process that starts does; an earlier one is to be disposed of first. */
  async open(): Promise<void> {
    const { url } = this.recorder
    const names = { domains: ['mayfly.test', 'box.test'], siteName: 'Mayfly', contactTo: 'operator@example.com' }
    this.#site = await openSite({
      config: { ...this.place, ...names, smtpRelayUrl: url },
      secret: SECRET,
      publicUrl: 'https://mayfly.example',
      clock: () => this.now,
      log: createLog('silent'),
      mailOut: createSmtpRelay({ url, from: 'no-reply@mayfly.test', siteName: 'Mayfly' }),
      mail: () => {
        throw new Error('no address is made in these tests')
      },
      slugs: ['why-use-temporary-email', 'identify-ai-phishing'],
      passwords: createPasswords(CHEAP_HASH),
      operatorInboxLimits: INBOX,
    })
  }

  /** What stands in the database beside the open site. */
  async rows<T>(work: (database: SiteDatabase) => Promise<T>): Promise<T> {
    await using database = await openDatabase(this.place)
    return await work(database)
  }

  /** The token of the next link that is mailed to this address. */
  async tokenFor(email: string): Promise<string> {
    const { link } = await this.recorder.next(email)
    return new URL(link ?? '').hash.slice(1)
  }

  async confirmed(email: string, password = PASSWORD): Promise<void> {
    await this.site.accounts.signUp({ email, password, language: 'en' })
    await this.site.accounts.confirm(await this.tokenFor(email))
  }

  /** The headers of a browser that is signed in. */
  async signIn(email: string): Promise<Headers> {
    const { setCookies } = await this.site.accounts.signIn({ email, password: PASSWORD })
    return new Headers({ cookie: setCookies[0]?.split(';')[0] ?? '' })
  }

  async isSignedIn(headers: Headers): Promise<boolean> {
    return (await this.site.accounts.session(headers)).signedIn !== undefined
  }

  async stop(): Promise<void> {
    await this.site[Symbol.asyncDispose]()
    await this.recorder[Symbol.asyncDispose]()
    rmSync(this.place.dataDir, { recursive: true, force: true })
  }
}

function opened<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the site is started before the first test')
  return value
}

/** One site for the tests of a `describe`, each on the real time to begin with and with a relay that takes mail. */
export function siteUnderTest(createDatabase: () => Promise<string | undefined>): SiteUnderTest {
  const it = new SiteUnderTest()
  beforeAll(async () => it.start(await createDatabase()))
  afterEach(() => {
    it.now = Date.now()
    it.recorder.isDown = false
  })
  afterAll(() => it.stop())
  return it
}

export function cookie(value: string): Headers {
  return new Headers({ cookie: `__Host-mayfly_session=${encodeURIComponent(value)}` })
}
