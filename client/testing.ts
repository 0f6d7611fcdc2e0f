/** Mailboxes for tests in any runner, without importing one: Vitest, Jest, Mocha, node:test, Cypress. */
import type { WebhookCreated } from '../contract/notifications.ts'
import { Deadline, pause } from './api.ts'
import { checkOptions } from './check-options.ts'
import { describeArrived, ignoring, ignoringTransient, MayflyError } from './errors.ts'
import { asyncDispose, type Mailbox } from './mailbox.ts'
import { Mayfly } from './mayfly.ts'
import type { CreateMailboxOptions, StartOptions, WaitOptions } from './options.ts'
import { start } from './start/start.ts'
import { verifyWebhook, type WebhookEvent, type Webhooks } from './webhooks.ts'

/** The server of `MAYFLY_URL`, with the key or token in `MAYFLY_API_KEY` if set. */
export function mayflyFromEnvironment(env: Readonly<Record<string, string | undefined>> = process.env): Mayfly {
  const { MAYFLY_URL, MAYFLY_API_KEY } = env
  if (!MAYFLY_URL)
    throw new TypeError(
      "Set MAYFLY_URL to the address of a Mayfly server, e.g. http://localhost:8080, or start one for all workers: globalSetup: 'mayfly-client/global-setup'",
    )
  return new Mayfly({ url: MAYFLY_URL, apiKey: MAYFLY_API_KEY || undefined })
}

let started: (Mayfly & { stop(): Promise<void> }) | undefined

/**
 * For a `globalSetup` of your own: starts one server for all workers, which find it in `MAYFLY_URL`, `MAYFLY_API_KEY` and, for mail,
 * `MAYFLY_SMTP_URL`. Where `MAYFLY_URL` is set already, nothing is started. Resolves to what stops it.
 */
export async function startForAllWorkers(options: StartOptions = {}): Promise<() => Promise<void>> {
  if (!process.env.MAYFLY_URL) {
    const mayfly = await start(options)
    started = mayfly
    const mail = `smtp://${mayfly.smtp.host}:${mayfly.smtp.port}`
    Object.assign(process.env, { MAYFLY_URL: mayfly.url, MAYFLY_API_KEY: mayfly.apiKey, MAYFLY_SMTP_URL: mail })
    console.log(`One Mayfly for all workers: ${mayfly.url}, mail to ${mail}`)
  }
  return stopForAllWorkers
}

/** Stops what `startForAllWorkers` started in this process. */
export async function stopForAllWorkers(): Promise<void> {
  const mayfly = started
  started = undefined
  if (mayfly) delete process.env.MAYFLY_URL
  await mayfly?.stop()
}

export type TestOptions = CreateMailboxOptions & {
  /** Default: `mayflyFromEnvironment()`. A function is called before the first test, e.g. `() => started`. */
  mayfly?: Mayfly | (() => Mayfly | Promise<Mayfly>) | undefined
}

/** Runs `work` with a mailbox that is deleted afterwards. If it throws, the error lists the mail that had arrived. */
export async function withMailbox<T>(work: (mailbox: Mailbox) => Promise<T> | T, options: TestOptions = {}): Promise<T> {
  const mailbox = await create(options)
  try {
    return await work(mailbox)
  } catch (error) {
    await noteMail(error, mailbox)
    throw error
  } finally {
    await mailbox[asyncDispose]()
  }
}

type Hook = (work: () => Promise<void>) => unknown

/** A mailbox per test by the runner's hooks: `const mailbox = mailboxPerTest({ beforeEach, afterEach })`, then `mailbox().address`. */
export function mailboxPerTest(hooks: { beforeEach: Hook; afterEach: Hook }, options: TestOptions = {}): () => Mailbox {
  let current: Mailbox | undefined
  hooks.beforeEach(async () => {
    current = await create(options)
  })
  hooks.afterEach(async () => {
    const mailbox = current
    current = undefined
    await mailbox?.[asyncDispose]()
  })
  return () => {
    if (!current) throw new Error('There is a mailbox only while a test runs')
    return current
  }
}

type TaskArguments = WaitOptions & { token: string; host?: string }

/** Tasks for Cypress in `setupNodeEvents`: `on('task', mailTasks())`, then `cy.task('createMailbox')`. They take and return JSON. */
export function mailTasks({ mayfly, ...create }: TestOptions = {}) {
  const open = async (token: string) => (await resolveMayfly(mayfly)).openMailbox(token)
  return {
    async createMailbox(options: CreateMailboxOptions | null = null): Promise<{ address: string; token: string }> {
      const { address, token } = await (await resolveMayfly(mayfly)).createMailbox({ ...create, ...options })
      return { address, token }
    },
    async waitForCode({ token, ...options }: TaskArguments): Promise<string> {
      return (await open(token)).waitForCode(options)
    },
    async waitForLink({ token, ...options }: TaskArguments): Promise<string> {
      return (await open(token)).waitForLink(options)
    },
    async waitForMessage({ token, ...options }: TaskArguments): Promise<unknown> {
      return JSON.parse(JSON.stringify(await (await open(token)).waitForMessage(options)))
    },
    /** `null`, because a Cypress task may not return undefined. */
    async deleteMailbox({ token }: { token: string }): Promise<null> {
      await (await open(token)).delete()
      return null
    },
  }
}

const create = async ({ mayfly, ...options }: TestOptions): Promise<Mailbox> => (await resolveMayfly(mayfly)).createMailbox(options)

async function resolveMayfly(mayfly: TestOptions['mayfly']): Promise<Mayfly> {
  return typeof mayfly === 'function' ? mayfly() : (mayfly ?? mayflyFromEnvironment())
}

/** A time-out already lists the mail. A mailbox that cannot be read must not hide why the test failed. */
async function noteMail(error: unknown, mailbox: Mailbox): Promise<void> {
  if (!(error instanceof Error) || error.name === 'MailTimeoutError') return
  const arrived = await mailbox.listMessages({ timeoutMs: 5000 }).catch(() => undefined)
  if (arrived) error.message += `\n\nThe mailbox ${mailbox.address}: ${describeArrived(arrived.reverse())}`
}

type ReceiverOptions = {
  /** Where to listen. Default: a free port of 127.0.0.1. */
  host?: string | undefined
  port?: number | undefined
  /** Where the server reaches it, if elsewhere, e.g. behind a tunnel. */
  url?: string | undefined
}

type WebhookWait = {
  type?: string | undefined
  messageId?: string | undefined
  /** Default: 30 seconds. */
  timeoutMs?: number | undefined
  signal?: AbortSignal | undefined
}

/** Collects what a webhook sends to this machine. `await using` deletes the webhook and stops listening. */
export class ReceivedWebhooks implements AsyncDisposable {
  readonly webhook: WebhookCreated
  readonly #close: () => Promise<void>
  readonly #events: WebhookEvent[]
  readonly #arrived: EventTarget

  /** @internal */
  constructor(webhook: WebhookCreated, events: WebhookEvent[], arrived: EventTarget, close: () => Promise<void>) {
    this.webhook = webhook
    this.#events = events
    this.#arrived = arrived
    this.#close = close
  }

  /** The first event that matches and that no earlier call returned; one that is already there counts. */
  async waitForWebhook(options: WebhookWait = {}): Promise<WebhookEvent> {
    checkOptions('waitForWebhook', options)
    const { type, messageId, timeoutMs = 30_000, signal } = options
    const deadline = new Deadline(timeoutMs, signal)
    for (;;) {
      const index = this.#events.findIndex(
        event => event.type === (type ?? event.type) && event.data.messageId === (messageId ?? event.data.messageId),
      )
      const [found] = index === -1 ? [] : this.#events.splice(index, 1)
      if (found) return found
      if (deadline.leftMs === 0) {
        const came = this.#events.length === 0 ? 'None came.' : `What came: ${JSON.stringify(this.#events)}`
        throw new MayflyError('timeout', `No webhook that matches came to ${this.webhook.url} within ${timeoutMs / 1000} s. ${came}`)
      }
      const woken = new AbortController()
      this.#arrived.addEventListener('event', () => woken.abort(), { once: true, signal: woken.signal })
      await pause(deadline.leftMs, signal ? AbortSignal.any([signal, woken.signal]) : woken.signal).catch(() => signal?.throwIfAborted())
      woken.abort()
    }
  }

  async [asyncDispose](): Promise<void> {
    await this.#close()
  }
}

/**
 * Creates a webhook for a mailbox, or for all mailboxes of an API key, and receives it on this machine. The server must be allowed to reach
 * it (`WEBHOOK_ALLOW_PRIVATE=127.0.0.1`), as one from `start()` is.
 */
export async function receiveWebhooks({ webhooks }: { webhooks: Webhooks }, options: ReceiverOptions = {}): Promise<ReceivedWebhooks> {
  checkOptions('receiveWebhooks', options)
  const { host = '127.0.0.1', port = 0, url } = options
  const { createServer } = await import('node:http')
  const events: WebhookEvent[] = []
  const seen = new Set<string>()
  const arrived = new EventTarget()
  let secret: string | undefined
  const server = createServer(async (request, response) => {
    try {
      // It is sent again: nothing can be checked before the response of `create`.
      if (secret === undefined) return void response.writeHead(503).end()
      const event = await verifyWebhook(secret, { headers: request.headers, body: await readText(request) })
      // It is sent again when its response was lost.
      if (!seen.has(event.id)) events.push(event)
      seen.add(event.id)
      response.writeHead(204).end()
      arrived.dispatchEvent(new Event('event'))
    } catch {
      response.writeHead(401).end()
    }
  })
  const close = async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  }
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  try {
    const bound = server.address()
    const here = `http://${host}:${typeof bound === 'object' ? bound?.port : port}/`
    const webhook = await webhooks.create(url ?? here)
    secret = webhook.secret
    return new ReceivedWebhooks(webhook, events, arrived, async () => {
      await close()
      await ignoringTransient(ignoring('mailbox_not_found', webhooks.delete(webhook.id)))
    })
  } catch (error) {
    await close()
    throw error
  }
}

async function readText(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of chunks) text += decoder.decode(chunk, { stream: true })
  return text + decoder.decode()
}
