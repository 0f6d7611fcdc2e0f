/**
 * The whole application in this process: real sockets, a real store in a temporary folder, a relay that keeps its mail, and a clock that
 * the test can move.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { type Authentication, type MailboxCreated, mailboxCreatedSchema, messageListSchema } from '#contract/mailbox.ts'
import { routes } from '#contract/routes.ts'
import { createPasswordHasher, type PasswordHasher } from '#server/accounts/password-hasher.ts'
import { startApp } from '#server/app.ts'
import { type Database, openDatabase } from '#server/database/database.ts'
import { importSealingKey, sealAuthentication } from '#server/mail/keys/seal.ts'
import { encodeAuthentication } from '#server/mail/message/stored-summary.ts'
import type { OutsideServers } from '#server/operator/doctor/context.ts'
import { type Config, readConfig } from '#server/platform/config/config.ts'
import type { MessageId } from '#server/store/store.ts'
import { type Answer, createVisitor, PASSWORD, type Visitor } from '../clients/visitor.ts'
import { HeardLog } from '../heard-log.ts'
import { type MailRecorder, startMailRecorder } from '../servers/mail-recorder.ts'
import { TestClock } from '../test-clock.ts'
import { receive } from './start-mail.ts'

type App = Awaited<ReturnType<typeof startApp>>

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** The one attachment of the mail that `deliver` delivers. */
export const ATTACHMENT = Buffer.from('<script>alert(1)</script>')
const mailTo = (email: string) =>
  Buffer.from(
    [
      'From: Ann <ann@sender.test>',
      `To: ${email}`,
      'Subject: =?utf-8?q?Your_code_is_481516?=',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      'Your code is 481516.',
      '--b',
      'Content-Type: text/html',
      "Content-Disposition: attachment; filename*=utf-8''x%0d%0aSet-Cookie%3A%20a%3Db%22%3B%C3%B1.html",
      'Content-Transfer-Encoding: base64',
      '',
      ATTACHMENT.toString('base64'),
      '--b--',
      '',
    ].join('\r\n'),
  )

/** The server's hashing at a thousandth of the cost. */
export const CHEAP_HASH = { N: 2 ** 5, r: 8, p: 1, maxmem: 1024 * 1024 }

type TestServerOptions = {
  /** Changes a configuration without bot check and DNS, and with very high limits per network. */
  readonly env?: Readonly<Record<string, string>>
  /** Replaces what follows from settings. */
  readonly config?: Partial<Config>
  /** Instead of the cheap one. */
  readonly passwordHasher?: PasswordHasher
  /** What is in the files of the built site, by their paths. By default there is none. */
  readonly siteFiles?: Readonly<Record<string, string>>
  /** Whom the doctor of the operator's page asks. */
  readonly outside?: OutsideServers
  /** Whether time passes by itself. Otherwise it changes only by `advance`, so that tests can be exact. */
  readonly isClockRunning?: boolean
  /** Warnings and errors in the log that the test provokes; any other fails it. */
  readonly allowLog?: readonly RegExp[]
}

/** On free ports of 127.0.0.1. Disposing stops it and removes its folder. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { env, passwordHasher = createPasswordHasher(CHEAP_HASH), isClockRunning = false, siteFiles = {}, outside, allowLog } = options
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-test-server-'))
  const siteFolder = join(folder, 'site')
  for (const [path, content] of Object.entries(siteFiles)) {
    await mkdir(join(siteFolder, dirname(path)), { recursive: true })
    await writeFile(join(siteFolder, path), content)
  }
  const recorder = await startMailRecorder()
  const ports = { HTTP_PORT: '0', SMTP_PORT: '0', HOST: '127.0.0.1', DATA_DIR: folder }
  const quick = { MAIL_DOMAINS: 'mayfly.test', BOT_CHECK: 'off', DNS_SERVERS: 'off', NETWORK_LIMIT_FACTOR: '1000' }
  const config = { ...readConfig({ ...ports, ...quick, SMTP_RELAY_URL: recorder.url, ...env }), ...options.config }
  const clock = new TestClock(isClockRunning ? undefined : Date.now())
  const heardLog = new HeardLog(allowLog)
  const app = await startApp(config, {
    log: heardLog.log,
    clock: clock.now,
    siteFolder,
    passwordHasher,
    ...(outside && { outside }),
  })
  return new TestServer(app, folder, recorder, clock, heardLog)
}

export class TestServer {
  readonly app: App
  readonly folder: string
  readonly recorder: MailRecorder
  readonly heardLog: HeardLog
  readonly #clock: TestClock
  readonly #confirmed = new Set<string>()

  constructor(app: App, folder: string, recorder: MailRecorder, clock: TestClock, heardLog: HeardLog) {
    this.app = app
    this.folder = folder
    this.recorder = recorder
    this.heardLog = heardLog
    this.#clock = clock
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.app[Symbol.asyncDispose]()
    await this.recorder[Symbol.asyncDispose]()
    await rm(this.folder, { recursive: true, force: true })
    this.heardLog.check()
  }

  now(): number {
    return this.#clock.now()
  }

  /** Moves the clock of the server. */
  advance(ms: number): void {
    this.#clock.advance(ms)
  }

  url(path: string): string {
    return `http://127.0.0.1:${this.app.httpPort}${path}`
  }

  post(path: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(this.url(path), { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })
  }

  async createMailbox(): Promise<MailboxCreated> {
    const response = await this.post(routes.mailboxes, '{}')
    expect(response.status).toBe(201)
    return mailboxCreatedSchema.parse(await response.json())
  }

  /** Delivers a mail with a code and an attachment; resolves to its bytes. */
  async deliver(email: string): Promise<Buffer> {
    const raw = mailTo(email)
    await this.deliverRaw(email, raw)
    return raw
  }

  async deliverRaw(email: string, raw: Buffer): Promise<void> {
    const envelope = { from: 'ann@sender.test', recipients: [email], clientAddress: '127.0.0.1', helo: 'sender.test', isEncrypted: false }
    expect(await receive(this.app.mail, envelope, raw)).toBe('delivered')
  }

  /** Adds the authentication results of a message, as the check of signatures does after delivery. */
  async addAuthentication(email: string, id: string, authentication: Authentication): Promise<void> {
    const recipient = await this.app.mail.checkRecipient(email)
    if (typeof recipient === 'string' || recipient.kind !== 'mailbox') throw new Error(`${email} is no live address`)
    const { mailboxId, publicKey, createdAt } = recipient
    const messageId = id as MessageId
    const sealed = sealAuthentication(importSealingKey(publicKey), { mailboxId, messageId }, encodeAuthentication(authentication))
    expect(await this.app.store.addAuthentication(mailboxId, messageId, Buffer.concat(sealed), createdAt)).toBe(true)
  }

  async firstId(token: string): Promise<string> {
    const list = messageListSchema.parse(await (await fetch(this.url(routes.messages), { headers: bearer(token) })).json())
    return list.messages[0]?.id ?? ''
  }

  /** Sends raw bytes, and collects the response until the server closes the connection or `bytesMin` have arrived. */
  exchange(text: string, bytesMin = Number.POSITIVE_INFINITY): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.app.httpPort, '127.0.0.1', () => socket.write(text))
      let heard = ''
      socket.on('data', chunk => {
        heard += chunk
        if (heard.length >= bytesMin) socket.destroy()
      })
      socket.on('close', () => resolve(heard))
      socket.on('error', reject)
    })
  }

  visitor(headers?: Readonly<Record<string, string>>): Visitor {
    return createVisitor(this.url(''), headers)
  }

  /** Signs up; the address is not confirmed yet. */
  signUp(email: string, password = PASSWORD): Promise<Answer> {
    return this.visitor().post(routes.authSignUp, { email, password, language: 'en' })
  }

  /** A confirmed account. */
  async account(email: string, password?: string): Promise<void> {
    this.#confirmed.add(email)
    const visitor = this.visitor()
    expectStatus(await this.signUp(email, password), 202)
    expectStatus(
      await visitor.post(routes.authConfirm, { token: await this.recorder.nextToken(email), password: password ?? PASSWORD }),
      204,
    )
    expectStatus(await visitor.post(routes.authSignOut), 204)
  }

  /** Signs in with a new browser, after creating the account if it is new. */
  async signedIn(email: string): Promise<Visitor> {
    if (!this.#confirmed.has(email)) await this.account(email)
    const visitor = this.visitor()
    expectStatus(await visitor.signIn(email), 200)
    return visitor
  }

  /** Reads or changes the database next to the running server. */
  async withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
    await using database = await openDatabase({ dataDir: this.folder })
    return await work(database)
  }
}

function expectStatus({ status, text }: Answer, expected: number): void {
  if (status !== expected) throw new Error(`answered ${status}, not ${expected}: ${text}`)
}
