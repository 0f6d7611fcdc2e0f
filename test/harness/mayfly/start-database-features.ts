import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { type Accounts, openAccounts } from '#server/accounts/accounts.ts'
import { createPasswordHasher, type PasswordHasher } from '#server/accounts/password-hasher.ts'
import type { Account } from '#server/accounts/sessions.ts'
import { type Database, openDatabase } from '#server/database/database.ts'
import { ALLOW_ALL } from '#server/mail/policy.ts'
import { BlogViewCounts } from '#server/operator/blog-views.ts'
import { OperatorNotices } from '#server/operator/notices.ts'
import { type OperatorRecords, openOperatorRecords } from '#server/operator/operator.ts'
import { createMailOut } from '#server/outbound/mail-out.ts'
import { createForwarding, Outbox } from '#server/outbound/outbox.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { createMemoryLimits } from '#server/platform/limits/limiter.ts'
import { PASSWORD } from '../clients/visitor.ts'
import { HeardLog } from '../heard-log.ts'
import { type MailRecorder, startMailRecorder } from '../servers/mail-recorder.ts'
import { TestClock } from '../test-clock.ts'
import { startMail, type TestMail, testDomains } from './start-mail.ts'
import { CHEAP_HASH } from './start-test-server.ts'
import { newSession, SECRET, sweepAll, testDatabaseAccess } from './test-database-access.ts'
import { testTelemetry } from './test-telemetry.ts'

export { PASSWORD, SECRET }

const CONFIG = { MAIL_DOMAINS: 'mayfly.test,box.test', PUBLIC_URL: 'https://mayfly.example', CONTACT_TO: 'operator@example.com' }
/** Smaller than the server's limits: twenty mails of full size fill the inbox. */
export const INBOX_LIMITS = { messageBytesMax: 5000, messagesMax: 1000, allBytesMax: 130_000 }

/** Accounts, messages to the operator and blog views on a real database, with a real relay, and a clock that the test sets. */
export class TestDatabaseFeatures {
  readonly #clock = new TestClock(Date.now())
  #recorder: MailRecorder | undefined
  #opened: (AsyncDisposable & { accounts: Accounts; operator: OperatorRecords; views: BlogViewCounts; outbox: Outbox }) | undefined
  #location: { databaseUrl: string | undefined; dataDir: string } | undefined
  #testMail: TestMail | undefined
  /** Checked after each test. Tests stop the relay by `recorder.isDown`: what the outbox then logs is announced here. */
  readonly heardLog = new HeardLog([/The relay did not take a mail/])

  get now(): number {
    return this.#clock.now()
  }

  set now(ms: number) {
    this.#clock.set(ms)
  }

  get accounts(): Accounts {
    return opened(this.#opened).accounts
  }

  get operator(): OperatorRecords {
    return opened(this.#opened).operator
  }

  get views(): BlogViewCounts {
    return opened(this.#opened).views
  }

  get outbox(): Outbox {
    return opened(this.#opened).outbox
  }

  /** What happens while a password is being checked, which takes a fifth of a second in a server. */
  whileVerifying: (() => Promise<unknown>) | undefined

  get recorder(): MailRecorder {
    return opened(this.#recorder)
  }

  get location() {
    return opened(this.#location)
  }

  get testMail(): TestMail {
    return opened(this.#testMail)
  }

  async start(databaseUrl: string | undefined): Promise<void> {
    this.#recorder = await startMailRecorder()
    this.#location = { databaseUrl, dataDir: mkdtempSync(join(tmpdir(), 'mayfly-features-')) }
    const mailFolder = join(this.location.dataDir, 'mail')
    mkdirSync(mailFolder)
    this.#testMail = await startMail(mailFolder, { clock: this.#clock })
    await this.open()
  }

  /** Opens everything as a starting process does. Close it first. */
  async open(): Promise<void> {
    const config = readConfig({ ...CONFIG, SMTP_RELAY_URL: this.recorder.url })
    await using opening = new AsyncDisposableStack()
    const { log } = this.heardLog
    const clock = this.#clock.now
    const access = testDatabaseAccess(opening.use(await openDatabase(this.location)), { clock, log })
    const mailOut = opening.use(createMailOut(config))
    const outbox = opening.use(new Outbox({ ...access, mailOut, telemetry: testTelemetry() }))
    const hasher = createPasswordHasher(CHEAP_HASH)
    const afterwards = async <Result>(verified: Promise<Result>): Promise<Result> => {
      const result = await verified
      await this.whileVerifying?.()
      return result
    }
    const passwordHasher: PasswordHasher = {
      hash: (password, salt) => afterwards(hasher.hash(password, salt)),
      indexOf: (password, hashes) => afterwards(hasher.indexOf(password, hashes)),
      verify: attempt => afterwards(hasher.verify(attempt)),
    }
    const { mail } = this.testMail
    const domains = () => testDomains(...config.domains)
    const accounts = opening.use(openAccounts(access, { config, outbox, domains, policy: () => ALLOW_ALL, mail, passwordHasher }))
    const sharedLimits = createMemoryLimits(clock)
    const forwarding = createForwarding(outbox, { to: CONFIG.CONTACT_TO, siteName: config.siteName })
    const notices = opening.use(new OperatorNotices({ config, clock, log, forwarding, sharedLimits }))
    const operator = openOperatorRecords(access, { config, forwarding, notices, inboxLimits: INBOX_LIMITS })
    const views = new BlogViewCounts(access, ['why-use-temporary-email', 'identify-ai-phishing'], sharedLimits)
    void outbox.flush()
    const closing = opening.move()
    this.#opened = { accounts, operator, views, outbox, [Symbol.asyncDispose]: () => closing.disposeAsync() }
  }

  async close(): Promise<void> {
    await opened(this.#opened)[Symbol.asyncDispose]()
  }

  /** Removes at once what has ended. */
  async sweep(): Promise<void> {
    await this.withDatabase(database => sweepAll(testDatabaseAccess(database, { clock: this.#clock.now })))
  }

  /** A session of the account, with which it may create. */
  session(accountId: string) {
    return this.withDatabase(database => newSession(database, accountId))
  }

  /** Reads or changes the database next to the open features. */
  async withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
    await using database = await openDatabase(this.location)
    return await work(database)
  }

  async confirmed(email: string, password = PASSWORD): Promise<void> {
    await this.accounts.signUps.start({ email, password, language: 'en' })
    await this.accounts.signUps.confirm({ token: await this.recorder.nextToken(email), password })
  }

  /** Creates a confirmed account. */
  async newAccount(email: string): Promise<Account> {
    await this.confirmed(email)
    const { signedIn } = await this.accounts.sessions.current(await this.signIn(email))
    if (!signedIn) throw new Error('the new account cannot sign in')
    return signedIn.account
  }

  /** The headers of a browser that is signed in. */
  async signIn(email: string): Promise<Headers> {
    const { setCookies } = await this.accounts.sessions.signIn({ email, password: PASSWORD })
    return new Headers({ cookie: setCookies[0]?.split(';')[0] ?? '' })
  }

  async isSignedIn(headers: Headers): Promise<boolean> {
    return (await this.accounts.sessions.current(headers)).signedIn !== undefined
  }

  async stop(): Promise<void> {
    await this.close()
    await this.testMail[Symbol.asyncDispose]()
    await this.recorder[Symbol.asyncDispose]()
    rmSync(this.location.dataDir, { recursive: true, force: true })
    this.heardLog.check()
  }
}

function opened<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('nothing is open before the first test')
  return value
}

/** One instance for the tests of a `describe`. Each test starts at the real time, with a relay that accepts mail. */
export function startDatabaseFeatures(createDatabase: () => Promise<string | undefined>): TestDatabaseFeatures {
  const features = new TestDatabaseFeatures()
  beforeAll(async () => features.start(await createDatabase()))
  afterEach(() => {
    features.now = Date.now()
    features.recorder.isDown = false
    features.whileVerifying = undefined
    features.heardLog.check()
  })
  afterAll(() => features.stop())
  return features
}

export function cookie(value: string): Headers {
  return new Headers({ cookie: `__Host-mayfly_session=${encodeURIComponent(value)}` })
}
