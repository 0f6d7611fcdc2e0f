/**
 * Restarts several processes behind HAProxy, one after the other, while mail arrives, visitors come and streams are open; then compares
 * what was acknowledged with what is stored. `npm run lab -- rolling-restart` does it under more load.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { readEventStream } from '#contract/event-stream.ts'
import { streamEventSchema } from '#contract/mailbox.ts'
import { routes } from '#contract/routes.ts'
import { type Address, createAddress, listSubjects } from '../harness/clients/mailbox-client.ts'
import { dotted, SmtpClient } from '../harness/clients/smtp-client.ts'
import { freePort } from '../harness/free-port.ts'
import { startClusterProcesses } from '../harness/mayfly/cluster-processes.ts'
import type { RunningServer } from '../harness/mayfly/start-server-process.ts'
import { findHaproxy, startHaproxy } from '../harness/servers/haproxy.ts'

const MAILBOXES = 12
const SENDERS = 6
const VISITORS = 6
/** More than two intervals of the health check in deploy/haproxy/haproxy.cfg. */
const DELAY_SECONDS = 3
const MESSAGES_PER_CONNECTION = 20
/** Within `npm test -- --all` a steady load is enough, which leaves the processors to the processes that restart and to other tests. */
const SEND_EVERY_MS = 50
const VISIT_EVERY_MS = 50
const SETTLE_MS = 3000

type Load = {
  readonly url: string
  readonly smtpPort: number
  readonly mailboxes: readonly Address[]
  readonly sendEveryMs: number
  readonly visitEveryMs: number
  readonly signal: AbortSignal
}

type RollingRestartResult = {
  readonly restarts: number
  /** Messages with their 250. */
  readonly acknowledged: number
  /** How often a sender had to repeat a message: 421, 451, or a lost connection. */
  readonly triedAgain: number
  readonly lost: number
  readonly doubled: number
  readonly visits: number
  /** Responses of 500 and above, and requests without a response. */
  readonly failedVisits: readonly string[]
  readonly reconnects: number
  /** Acknowledged messages that a stream missed or sent twice. */
  readonly notStreamed: number
  readonly streamedTwice: number
  /** Streams that ended without being told to reconnect. */
  readonly brokenStreams: number
}

/** @throws if an engine is missing or a process does not stop cleanly. */
export async function rollingRestart({
  processes = 4,
  rounds = 1,
  sendEveryMs = SEND_EVERY_MS,
  visitEveryMs = VISIT_EVERY_MS,
} = {}): Promise<RollingRestartResult> {
  await using stack = new AsyncDisposableStack()
  const env = { PROXY_PROTOCOL_FROM: '127.0.0.1', TRUST_PROXY: '127.0.0.1', SHUTDOWN_DELAY_SECONDS: String(DELAY_SECONDS) }
  const shared = stack.use(await startClusterProcesses(env))
  const start = (ports: Ports) => shared.start({ HTTP_PORT: `${ports.httpPort}`, SMTP_PORT: `${ports.smtpPort}` })
  const ports = await Promise.all(
    Array.from({ length: processes }, async () => ({ httpPort: await freePort(), smtpPort: await freePort() })),
  )
  const servers = await Promise.all(ports.map(start))
  stack.defer(async () => void (await Promise.all(servers.map(server => server.kill9()))))
  const proxy = stack.use(await startHaproxy(findHaproxy() ?? '', servers))
  await sleep(SETTLE_MS)

  const over = new AbortController()
  const url = `http://127.0.0.1:${proxy.httpPort}`
  const mailboxes = await Promise.all(Array.from({ length: MAILBOXES }, () => createAddress(proxy.httpPort)))
  const load: Load = { url, smtpPort: proxy.smtpPort, mailboxes, sendEveryMs, visitEveryMs, signal: over.signal }
  const [mail, visits, streams] = [new MailLoad(load), new Visits(load), mailboxes.map(mailbox => new WatchedStream(url, mailbox))]
  const running = [...mail.run(SENDERS), ...visits.run(VISITORS)]
  for (let round = 0; round < rounds; round++) await restartAll(servers, ports, start)
  over.abort()
  await Promise.all(running)
  await sleep(SETTLE_MS)
  await Promise.all(streams.map(stream => stream.close()))

  const listed = new Map(
    await Promise.all(mailboxes.map(async mailbox => [mailbox.email, await listSubjects(proxy.httpPort, mailbox)] as const)),
  )
  const seen = new Map(streams.map(({ email, subjects }) => [email, subjects]))
  return {
    restarts: processes * rounds,
    acknowledged: mail.acknowledged.length,
    triedAgain: mail.triedAgain,
    lost: mail.acknowledged.filter(({ email, subject }) => !listed.get(email)?.includes(subject)).length,
    doubled: sum([...listed.values()].map(doubles)),
    visits: visits.count,
    failedVisits: visits.failed,
    reconnects: sum(streams.map(({ reconnects }) => reconnects)),
    notStreamed: mail.acknowledged.filter(({ email, subject }) => !seen.get(email)?.includes(subject)).length,
    streamedTwice: sum([...seen.values()].map(doubles)),
    brokenStreams: sum(streams.map(({ broken }) => broken)),
  }
}

type Ports = { readonly httpPort: number; readonly smtpPort: number }

async function restartAll(servers: RunningServer[], ports: readonly Ports[], start: (ports: Ports) => Promise<RunningServer>) {
  for (const [n, own] of ports.entries()) {
    const code = await servers[n]?.stop()
    if (code !== 0) throw new Error(`process ${n} ended with ${code}: ${servers[n]?.output()}`)
    servers[n] = await start(own)
    // Until HAProxy has noticed it.
    await sleep(SETTLE_MS)
  }
}

/** Senders that behave like mail servers: they repeat what got no 250. */
class MailLoad {
  readonly acknowledged: { readonly email: string; readonly subject: string }[] = []
  triedAgain = 0
  readonly #load: Load

  constructor(load: Load) {
    this.#load = load
  }

  run(senders: number): Promise<void>[] {
    return Array.from({ length: senders }, () => this.#send())
  }

  async #send(): Promise<void> {
    const { mailboxes, signal } = this.#load
    let waiting: { email: string; subject: string } | undefined
    const next = () => ({
      email: mailboxes[Math.floor(Math.random() * mailboxes.length)]?.email ?? '',
      subject: randomBytes(9).toString('hex'),
    })
    while (!signal.aborted || waiting) {
      try {
        await using client = await SmtpClient.connect(this.#load.smtpPort)
        await client.play([['EHLO sender.test', 250]])
        for (let n = 0; n < MESSAGES_PER_CONNECTION && (!signal.aborted || waiting); n++) {
          waiting ??= next()
          await transmit(client, waiting.email, waiting.subject)
          this.acknowledged.push(waiting)
          waiting = undefined
          await sleep(this.#load.sendEveryMs)
        }
        await client.play([['QUIT', 221]])
      } catch {
        this.triedAgain++
        await sleep(100)
      }
    }
  }
}

/** The same bytes at every try, as a queue sends them. */
async function transmit(client: SmtpClient, email: string, subject: string): Promise<void> {
  await client.play([
    ['MAIL FROM:<rolling@sender.test>', 250],
    [`RCPT TO:<${email}>`, 250],
    ['DATA', 354],
    [dotted(`Message-ID: <${subject}@sender.test>\r\nSubject: ${subject}\r\n\r\n${'All work and no play.\r\n'.repeat(150)}`), 250],
  ])
}

/** Visitors who open pages, read lists and create addresses. */
class Visits {
  count = 0
  readonly failed: string[] = []
  readonly #load: Load

  constructor(load: Load) {
    this.#load = load
  }

  run(visitors: number): Promise<void>[] {
    return Array.from({ length: visitors }, (_, n) => this.#visit(n))
  }

  async #visit(n: number): Promise<void> {
    const { url, mailboxes, signal } = this.#load
    const authorization = `Bearer ${mailboxes[n % mailboxes.length]?.token}`
    const requests: [path: string, options: RequestInit][] = [
      [routes.config, {}],
      [routes.mailbox, { headers: { authorization } }],
      [routes.messages, { headers: { authorization } }],
      [routes.blogViews, {}],
      [routes.mailboxes, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }],
    ]
    for (let visit = n; !signal.aborted; visit++) {
      const [path, options] = requests[visit % requests.length] ?? ['/', {}]
      const status = await fetch(url + path, options).then(
        async response => {
          await response.arrayBuffer()
          return response.status
        },
        error => String(error.cause ?? error),
      )
      this.count++
      if (typeof status === 'string' || status >= 400) this.failed.push(`${options.method ?? 'GET'} ${path}: ${status}`)
      await sleep(this.#load.visitEveryMs)
    }
  }
}

/** A reader who resumes after the last event, as the page does. */
class WatchedStream {
  readonly email: string
  readonly subjects: string[] = []
  reconnects = 0
  broken = 0
  readonly #closing = new AbortController()
  readonly #running: Promise<void>

  constructor(url: string, { email, token }: Address) {
    this.email = email
    this.#running = this.#run(url, token)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#running
  }

  async #run(url: string, token: string): Promise<void> {
    const { signal } = this.#closing
    let cursor = '0'
    while (!signal.aborted) {
      let reconnectAfterMs: number | undefined
      try {
        const headers = { authorization: `Bearer ${token}`, 'last-event-id': cursor }
        const { body } = await fetch(url + routes.events, { headers, signal })
        for await (const { id, data } of body ? readEventStream(body, () => undefined) : []) {
          cursor = id ?? cursor
          const event = streamEventSchema.parse(JSON.parse(data))
          if (event.type === 'message') this.subjects.push(event.message.subject)
          if (event.type === 'reconnect') reconnectAfterMs = event.afterMs
        }
      } catch {
        // Counted below.
      }
      if (signal.aborted) return
      if (reconnectAfterMs === undefined) this.broken++
      else this.reconnects++
      await sleep(reconnectAfterMs ?? 500)
    }
  }
}

function doubles(subjects: readonly string[]): number {
  return subjects.length - new Set(subjects).size
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
