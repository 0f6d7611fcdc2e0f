/** The HTTP edge on the real application: real sockets, real SMTP door, real store in a temporary folder. */
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { type MailboxCreated, mailboxCreatedSchema, messageListSchema } from '#contract/mailbox.ts'
import { routes } from '#contract/routes.ts'
import { type App, startApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { createLog } from '#server/log.ts'

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

class HttpUnderTest {
  #app: App | undefined
  #folder = ''

  get app(): App {
    if (!this.#app) throw new Error('the application is started before the first test')
    return this.#app
  }

  async start(): Promise<void> {
    this.#folder = await mkdtemp(join(tmpdir(), 'mayfly-http-'))
    const ports = { HTTP_PORT: '0', SMTP_PORT: '0', HOST: '127.0.0.1', DATA_DIR: this.#folder }
    const env = { ...ports, BOT_CHECK: 'off', NETWORK_LIMIT_FACTOR: '1000', AUTHENTICATE_MAIL: 'off' }
    this.#app = await startApp(readConfig(env), { log: createLog('silent'), siteFolder: join(this.#folder, 'no-site') })
  }

  async stop(): Promise<void> {
    await this.app[Symbol.asyncDispose]()
    await rm(this.#folder, { recursive: true, force: true })
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

  /** Delivers a mail with a code and an attachment; its bytes. */
  async deliver(email: string): Promise<Buffer> {
    const raw = mailTo(email)
    await this.deliverRaw(email, raw)
    return raw
  }

  async deliverRaw(email: string, raw: Buffer): Promise<void> {
    const envelope = { from: 'ann@sender.test', recipients: [email], clientAddress: '127.0.0.1', helo: 'sender.test', secure: false }
    expect(await this.app.mail.receive(envelope, raw)).toBe('delivered')
  }

  async firstId(token: string): Promise<string> {
    const list = messageListSchema.parse(await (await fetch(this.url(routes.messages), { headers: bearer(token) })).json())
    return list.messages[0]?.id ?? ''
  }

  /** Raw bytes on a socket until the peer closes it or `bytesMin` have come. */
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
}

/** One application for all tests of a file, its limits per network out of the way. */
export function httpUnderTest(): HttpUnderTest {
  const it = new HttpUnderTest()
  beforeAll(() => it.start())
  afterAll(() => it.stop())
  return it
}
