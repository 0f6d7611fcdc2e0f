/** A running server under steady load, on which everything that can be removed is created and then removed. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { apiKeyCreatedSchema } from '#contract/account.ts'
import { type MailboxCreated, mailboxCreatedSchema, messageListSchema } from '#contract/mailbox.ts'
import { pathTo } from '#contract/path-to.ts'
import { routes } from '#contract/routes.ts'
import { SmtpClient } from '../../harness/clients/smtp-client.ts'
import { createVisitor, PASSWORD, type Visitor } from '../../harness/clients/visitor.ts'
import { type RunningServer, startServerProcess } from '../../harness/mayfly/start-server-process.ts'
import { type MailRecorder, startMailRecorder } from '../../harness/servers/mail-recorder.ts'
import { copyFolder } from './forensics.ts'

/** What was removed is nowhere any more after this time. */
export const GONE_MS = 5000
/** Long enough for everything to be created and inspected before anything expires. */
const LIFETIME_SECONDS = 12

type Made = { readonly tokens: readonly string[]; readonly words: readonly string[]; readonly expiresAtMs: number }

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** Whether one of its threads still runs, or waits for the disk. Elsewhere than on Linux nobody can tell. */
function isWriting(pid: number): boolean {
  const tasks = `/proc/${pid}/task`
  if (!existsSync(tasks)) return false
  return readdirSync(tasks).some(id => !/\) [Tt] /.test(readFileSync(`${tasks}/${id}/stat`, 'utf8')))
}

export class Scenario implements AsyncDisposable {
  readonly server: RunningServer
  readonly recorder: MailRecorder
  readonly #stop = new AbortController()
  readonly #traffic: Promise<void>
  requests = 0

  constructor(server: RunningServer, recorder: MailRecorder) {
    this.server = server
    this.recorder = recorder
    this.#traffic = Promise.all([this.#mail(), this.#views()]).then(() => undefined)
    this.#traffic.catch(() => undefined)
  }

  static async start(env: Readonly<Record<string, string>> = {}): Promise<Scenario> {
    const recorder = await startMailRecorder()
    const quick = { BOT_CHECK: 'off', DNS_SERVERS: 'off', NETWORK_LIMIT_FACTOR: '1000', LOG_LEVEL: 'info' }
    const server = await startServerProcess({
      env: { ...quick, SMTP_RELAY_URL: recorder.url, LIFETIME_SECONDS: String(LIFETIME_SECONDS), ...env },
    })
    return new Scenario(server, recorder)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#traffic
    await this.server.stop()
    await this.recorder[Symbol.asyncDispose]()
  }

  /** The data folder at one moment, as a cut of the power would leave it, in each of the folders. */
  async copyData(...folders: readonly string[]): Promise<void> {
    // A log that restarts between the copies of the database and of its log leaves a pair that never was.
    process.kill(this.server.pid, 'SIGSTOP')
    try {
      // A thread stops when it leaves the system, with its write done.
      while (isWriting(this.server.pid)) await sleep(1)
      for (const folder of folders) copyFolder(this.server.dataDir, folder)
    } finally {
      process.kill(this.server.pid, 'SIGCONT')
    }
  }

  visitor(): Visitor {
    return createVisitor(`http://127.0.0.1:${this.server.httpPort}`)
  }

  /** Everything that `remove` removes, or that expires. `words` occur in what was created. */
  async make(): Promise<Made & { remove(): Promise<void> }> {
    const email = 'needle-account@needle-sender.test'
    const pro = await this.#account(email)
    const apiKey = apiKeyCreatedSchema.parse(json(await pro.post(routes.accountApiKeys, { name: 'needle key name' })))
    const proMailboxes = await Promise.all(
      [{}, { localPart: 'needle-chosen' }].map(async request => created(await pro.post(routes.mailboxes, request))),
    )
    const contact = { name: 'Needle Writer', email: 'needle-contact@needle-sender.test', subject: 'Needle contact subject' }
    expectStatus(await this.visitor().post(routes.contact, { ...contact, message: 'Needle contact message.', language: 'en' }), 202)
    const [destroyed, emptied, expired] = [await this.createMailbox(), await this.createMailbox(), await this.createMailbox()]
    for (const { email } of [destroyed, emptied, expired, ...proMailboxes]) {
      await this.deliver(email, `Subject: needle mail subject\r\n\r\nneedle text\r\n${'needle line\r\n'.repeat(800)}`)
    }
    const remove = async () => {
      for (const mailbox of [destroyed, proMailboxes[0]]) await this.#destroy(mailbox)
      const list = messageListSchema.parse(json(await this.visitor().ask('GET', routes.messages, { headers: bearer(emptied.token) })))
      const path = pathTo(routes.message, { id: list.messages[0]?.id ?? '' })
      expectStatus(await this.visitor().ask('DELETE', path, { headers: bearer(emptied.token) }), 204)
      expectStatus(await pro.post(routes.authDeleteAccount, { password: PASSWORD }), 204)
    }
    return {
      tokens: [destroyed, emptied, expired, ...proMailboxes].map(({ token }) => token),
      words: [email, apiKey.name, apiKey.key, apiKey.prefix, ...Object.values(contact), 'needle text', 'needle mail subject'],
      expiresAtMs: Date.parse(expired.expiresAt),
      remove,
    }
  }

  async createMailbox(): Promise<MailboxCreated> {
    return created(await this.visitor().post(routes.mailboxes, {}))
  }

  async deliver(email: string, mail: string): Promise<void> {
    await using client = await SmtpClient.connect(this.server.smtpPort)
    const envelope = [
      ['EHLO sender.test', 250],
      ['MAIL FROM:<ann@needle-sender.test>', 250],
      [`RCPT TO:<${email}>`, 250],
    ] as const
    await client.play([...envelope, ['DATA', 354], [`From: ann@needle-sender.test\r\n${mail}.`, 250]])
  }

  async #account(email: string): Promise<Visitor> {
    const visitor = this.visitor()
    expectStatus(await visitor.post(routes.authSignUp, { email, password: PASSWORD, language: 'en' }), 202)
    expectStatus(await visitor.post(routes.authConfirm, { token: await this.recorder.nextToken(email), password: PASSWORD }), 204)
    expectStatus(await visitor.signIn(email), 200)
    return visitor
  }

  async #destroy(mailbox: MailboxCreated | undefined): Promise<void> {
    expectStatus(await this.visitor().ask('DELETE', routes.mailbox, { headers: bearer(mailbox?.token ?? '') }), 204)
  }

  /** Creates an address now and then, sends mail to it and reads it. */
  async #mail(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const { email } = await this.createMailbox()
      for (let i = 0; i < 10 && !this.#stop.signal.aborted; i++) {
        // On a busy machine the mailbox may have expired already.
        const isDelivered = await this.deliver(email, 'Subject: steady\r\n\r\nsteady\r\n').then(
          () => true,
          () => false,
        )
        if (!isDelivered) break
        this.requests += 1
        await sleep(200)
      }
    }
  }

  /** Writes to the other database. */
  async #views(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const { status } = await this.visitor().post(pathTo(routes.blogViewsOf, { slug: 'why-use-temporary-email' }), {})
      if (status >= 500) throw new Error(`blog views answered ${status}`)
      this.requests += 1
      await sleep(150)
    }
  }
}

type Reply = { readonly status: number; readonly text: string }

function created(reply: Reply): MailboxCreated {
  expectStatus(reply, 201)
  return mailboxCreatedSchema.parse(json(reply))
}

function json({ text }: Reply): unknown {
  return JSON.parse(text)
}

function expectStatus({ status, text }: Reply, expected: number): void {
  if (status !== expected) throw new Error(`answered ${status}, not ${expected}: ${text}`)
}
