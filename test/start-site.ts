/** The real application over real HTTP, with a relay that keeps its mail and a clock the test holds; and visitors who keep cookies as browsers do. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { routes } from '#contract/routes.ts'
import { createPasswords } from '#server/accounts/password-hash.ts'
import { type App, startApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { openDatabase, type SiteDatabase } from '#server/database/database.ts'
import { createLog } from '#server/log.ts'
import { type MailRecorder, startMailRecorder } from './mail-recorder.ts'

export const PASSWORD = 'correct horse'

export type Answer = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The `code` of a problem document; `undefined` for a success. */
  readonly code: string | undefined
}
type Sent = { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }

/** One browser: sends its cookies, takes over what `Set-Cookie` says. */
export type Visitor = {
  readonly cookies: Map<string, string>
  /** `body` is sent as JSON; a string goes as it is. */
  ask(method: string, path: string, sent?: Sent): Promise<Answer>
  post(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>
  signIn(email: string, password?: string): Promise<Answer>
  /** The session as `GET /api/auth/session` tells it. */
  session(): Promise<{ email: string; expiresAt: string } | null>
}

export type TestSite = AsyncDisposable & {
  readonly app: App
  readonly folder: string
  readonly recorder: MailRecorder
  pass(ms: number): void
  now(): number
  visitor(headers?: Readonly<Record<string, string>>): Visitor
  /** Signs up; the address is not confirmed yet. */
  signUp(email: string, password?: string): Promise<Answer>
  /** The token of the next link that is mailed to this address. */
  linkTokenFor(email: string): Promise<string>
  /** A confirmed account. */
  account(email: string, password?: string): Promise<void>
  /** Signs the account in, made when it is new, in a browser of its own. */
  signedIn(email: string): Promise<Visitor>
  /** What stands in the database beside the running server. */
  rows<T>(work: (database: SiteDatabase) => Promise<T>): Promise<T>
}

/** The scheme and the queue of the product at a thousandth of the work. */
export const CHEAP_HASH = { N: 2 ** 5, r: 8, p: 1, maxmem: 1024 * 1024 }

/** `env` over a configuration whose limits per network are out of the way. `passwords`: those of the product instead of cheap ones. */
export async function startSite(env: Readonly<Record<string, string>> = {}, passwords = createPasswords(CHEAP_HASH)): Promise<TestSite> {
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-site-'))
  const recorder = await startMailRecorder()
  const base = { HTTP_PORT: '0', SMTP_PORT: '0', HOST: '127.0.0.1', DATA_DIR: folder, BOT_CHECK: 'off', AUTHENTICATE_MAIL: 'off' }
  let now = Date.now()
  const config = readConfig({ ...base, SMTP_RELAY_URL: recorder.url, NETWORK_LIMIT_FACTOR: '1000', ...env })
  const log = createLog('silent')
  const app = await startApp(config, { log, clock: () => now, siteFolder: join(folder, 'no-site'), passwords })
  const made = new Set<string>()

  const site: TestSite = {
    app,
    folder,
    recorder,
    pass(ms) {
      now += ms
    },
    now: () => now,
    visitor: headers => createVisitor(`http://127.0.0.1:${app.httpPort}`, headers),
    signUp: (email, password = PASSWORD) => site.visitor().post(routes.authSignUp, { email, password, language: 'en' }),
    async linkTokenFor(email) {
      const { link } = await recorder.next(email)
      return new URL(link ?? '').hash.slice(1)
    },
    async account(email, password) {
      made.add(email)
      expectStatus(await site.signUp(email, password), 202)
      expectStatus(await site.visitor().post(routes.authConfirm, { token: await site.linkTokenFor(email) }), 204)
    },
    async signedIn(email) {
      if (!made.has(email)) await site.account(email)
      const visitor = site.visitor()
      expectStatus(await visitor.signIn(email), 200)
      return visitor
    },
    async rows(work) {
      await using database = await openDatabase({ dataDir: folder })
      return await work(database)
    },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      await recorder[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
  return site
}

function expectStatus({ status, text }: Answer, expected: number): void {
  if (status !== expected) throw new Error(`answered ${status}, not ${expected}: ${text}`)
}

function createVisitor(origin: string, own: Readonly<Record<string, string>> = {}): Visitor {
  const cookies = new Map<string, string>()
  const visitor: Visitor = {
    cookies,
    async ask(method, path, { body, headers } = {}) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const response = await fetch(`${origin}${path}`, {
        method,
        redirect: 'manual',
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...(cookie && { cookie }), ...own, ...headers },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      for (const line of response.headers.getSetCookie()) takeOver(cookies, line)
      const text = await response.text()
      return { status: response.status, headers: response.headers, text, code: /"code":"(\w+)"/.exec(text)?.[1] }
    },
    post: (path, body, headers) => visitor.ask('POST', path, { body, ...(headers && { headers }) }),
    signIn: (email, password = PASSWORD) => visitor.post(routes.authSignIn, { email, password }),
    async session() {
      return JSON.parse((await visitor.ask('GET', routes.authSession)).text).session
    },
  }
  return visitor
}

function takeOver(cookies: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split(';').map(part => part.trim())
  const at = pair.indexOf('=')
  if (attributes.some(attribute => /^max-age=0$/i.test(attribute))) cookies.delete(pair.slice(0, at))
  else cookies.set(pair.slice(0, at), pair.slice(at + 1))
}
