/** Attacker and victim on the HTTP port, each in its own network. */
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { type MailboxCreated, mailboxCreatedSchema } from '#contract/mailbox.ts'
import { routes } from '#contract/routes.ts'
import { deliver } from '../harness/clients/smtp-client.ts'
import type { TestServer } from '../harness/mayfly/start-test-server.ts'
import { ATTACKER, percentile, report, VICTIM } from './neighbours.ts'

type Network = { readonly localAddress: string }
type Answer = { readonly status: number; readonly body: string; readonly ms: number }

const bearer = (token?: string) => (token === undefined ? {} : { authorization: `Bearer ${token}` })

/** Sends one request on its own connection. Returns the whole response and its duration. */
export async function ask(server: TestServer, from: Network, path: string, token?: string, method = 'GET'): Promise<Answer> {
  const startedMs = performance.now()
  const response = await respond(server, from, path, token, method)
  const body = await text(response)
  return { status: response.statusCode ?? 0, body, ms: performance.now() - startedMs }
}

async function respond(server: TestServer, from: Network, path: string, token?: string, method = 'GET'): Promise<IncomingMessage> {
  const headers = { ...bearer(token), ...(method === 'POST' && { 'content-type': 'application/json' }) }
  const asked = request({ host: '127.0.0.1', port: server.app.httpPort, path, method, headers, agent: false, ...from })
  asked.end(method === 'POST' ? '{}' : undefined)
  const [response] = await once(asked, 'response')
  return response
}

export async function newMailbox(server: TestServer, from: Network): Promise<MailboxCreated> {
  return mailboxCreatedSchema.parse(JSON.parse((await ask(server, from, routes.mailboxes, undefined, 'POST')).body))
}

/** Sends a mail of the attacker to itself; throws if it is refused. */
export async function plant(server: TestServer, email: string, mail: string | Buffer): Promise<void> {
  const reply = await deliver(server.app.smtpPort, email, mail.toString('latin1'), 'a@b.test', ATTACKER)
  if (!reply.startsWith('250')) throw new Error(`the attacker's mail was not taken: ${reply}`)
}

export async function messageIds(server: TestServer, from: Network, token: string): Promise<string[]> {
  const { messages } = JSON.parse((await ask(server, from, routes.messages, token)).body) as { messages: { id: string }[] }
  return messages.map(({ id }) => id)
}

/** Sends a request and reads only the start of the response. */
export async function slowReader(
  server: TestServer,
  from: Network,
  path: string,
  token: string,
): Promise<{ status: number; socket: Socket }> {
  const socket = connect({ host: '127.0.0.1', port: server.app.httpPort, ...from })
  socket.on('error', () => undefined)
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`)
  const [head] = await once(socket, 'data')
  socket.pause()
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(String(head))?.[1]), socket }
}

/** The victim: an open event stream, now and then a mail, and a look at the list. */
export class Victim implements AsyncDisposable {
  readonly #server: TestServer
  readonly #mailbox: MailboxCreated
  readonly #stream: IncomingMessage
  #seen = ''
  readonly waits = { taken: [] as number[], streamed: [] as number[], page: [] as number[], ready: [] as number[] }

  private constructor(server: TestServer, mailbox: MailboxCreated, stream: IncomingMessage) {
    this.#server = server
    this.#mailbox = mailbox
    this.#stream = stream
    stream.on('data', chunk => {
      this.#seen += chunk
    })
  }

  static async enter(server: TestServer): Promise<Victim> {
    const mailbox = await newMailbox(server, VICTIM)
    return new Victim(server, mailbox, await respond(server, VICTIM, routes.events, mailbox.token))
  }

  /** Sends a mail and waits for its event, lists the inbox and asks for readiness. Throws if something is refused. */
  async lives(): Promise<void> {
    const subject = `mail ${this.waits.taken.length} of the victim`
    const startedMs = performance.now()
    const reply = await deliver(
      this.#server.app.smtpPort,
      this.#mailbox.email,
      `Subject: ${subject}\r\n\r\nhello\r\n`,
      'shop@c.test',
      VICTIM,
    )
    if (!reply.startsWith('250')) throw new Error(`the victim's mail was not taken: ${reply}`)
    this.waits.taken.push(performance.now() - startedMs)
    while (!this.#seen.includes(subject)) await once(this.#stream, 'data')
    this.waits.streamed.push(performance.now() - startedMs)
    await this.#look(routes.messages, this.waits.page, this.#mailbox.token)
    await this.#look(routes.readyz, this.waits.ready)
  }

  async #look(path: string, waits: number[], token?: string): Promise<void> {
    const { status, ms } = await ask(this.#server, VICTIM, path, token)
    if (status !== 200) throw new Error(`the victim was answered ${status} at ${path}`)
    waits.push(ms)
  }

  report(budget: string, figures: string): void {
    const p99 = Object.entries(this.waits).map(([what, waits]) => `${what} ${percentile(waits, 0.99).toFixed(0)} ms`)
    report(budget, `${figures}; the victim at p99: ${p99.join(', ')}`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stream.destroy()
  }
}
