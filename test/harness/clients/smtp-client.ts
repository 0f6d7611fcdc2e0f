/** An SMTP client that sends exactly what it is told, for protocol tests, attacks and load. */
import { connect, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls'

/**
 * What is sent (a string gets CR LF, a Buffer is unchanged) and the expected reply: its code, its beginning, or a pattern for all its
 * lines.
 */
export type Step = readonly [send: string | Buffer, expected: number | string | RegExp]

export type TlsClientOptions = Pick<ConnectionOptions, 'minVersion' | 'maxVersion' | 'ciphers' | 'rejectUnauthorized'>

/** `clientAddress`: what the header of a proxy says (PROXY protocol, version 1). The server must trust this machine to be one. */
type ConnectOptions = { readonly host?: string; readonly localAddress?: string; readonly clientAddress?: string }

const REPLY = /^(?:\d{3}-.*\r\n)*\d{3}(?: .*)?\r\n/
const REPLY_TIMEOUT_MS = 40_000

export class SmtpClient implements AsyncDisposable {
  #socket: Socket
  #received = ''
  #isClosed = false
  readonly #transcript: string[] = []
  #wake: () => void = () => undefined

  constructor(socket: Socket) {
    this.#socket = socket
    this.#listen(socket)
  }

  /** Connects and waits for the greeting. */
  static async connect(port: number, options: ConnectOptions = {}): Promise<SmtpClient> {
    const client = SmtpClient.open(port, options)
    expectReply(await client.reply(), 220, [])
    return client
  }

  /** Connects without waiting for the greeting. */
  static open(port: number, { host = '127.0.0.1', localAddress, clientAddress }: ConnectOptions = {}): SmtpClient {
    const client = new SmtpClient(connect({ port, host, noDelay: true, allowHalfOpen: true, ...(localAddress ? { localAddress } : {}) }))
    const [family, server] = clientAddress?.includes(':') ? ['TCP6', '2001:db8:25::25'] : ['TCP4', '192.0.2.25']
    if (clientAddress !== undefined) client.send(`PROXY ${family} ${clientAddress} ${server} 40000 25\r\n`)
    return client
  }

  get socket(): Socket {
    return this.#socket
  }

  /** Everything received that `reply` has not returned yet. */
  get pending(): string {
    return this.#received
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  send(bytes: string | Buffer): void {
    this.#transcript.push(`> ${preview(bytes)}`)
    this.#socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
  }

  /** The next whole reply, its lines joined by CR LF; rejects if the connection ends first. */
  async reply(): Promise<string> {
    for (;;) {
      const reply = REPLY.exec(this.#received)?.[0]
      if (reply) {
        this.#received = this.#received.slice(reply.length)
        this.#transcript.push(`< ${reply.trimEnd()}`)
        return reply.trimEnd()
      }
      if (this.#isClosed) throw new Error(`the connection ended instead of a reply\n${this.#transcript.join('\n')}`)
      await this.#change()
    }
  }

  /** Resolves when the server has closed its side. */
  async closed(): Promise<void> {
    while (!this.#isClosed) await this.#change()
  }

  async play(steps: readonly Step[]): Promise<string[]> {
    const replies: string[] = []
    for (const [send, expected] of steps) {
      this.send(typeof send === 'string' ? `${send}\r\n` : send)
      const reply = await this.reply()
      expectReply(reply, expected, this.#transcript)
      replies.push(reply)
    }
    return replies
  }

  /** Only the handshake, after the reply to STARTTLS. */
  async startTls(options: TlsClientOptions = {}, onStart: (secured: TLSSocket) => void = () => undefined): Promise<void> {
    this.#socket.removeAllListeners('data')
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const secured = connectTls({ socket: this.#socket, rejectUnauthorized: false, ...options }, resolve)
    onStart(secured)
    secured.once('error', reject)
    secured.once('close', () => reject(new Error('the connection ended during the handshake')))
    await promise
    this.#socket = secured
    this.#listen(secured)
  }

  /** Up to the reply to DATA. */
  beginMail(to: string, from = 'sender@sender.test'): Promise<string[]> {
    return this.play([
      ['EHLO client.test', 250],
      [`MAIL FROM:<${from}>`, 250],
      [`RCPT TO:<${to}>`, 250],
      ['DATA', 354],
    ])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.destroy()
    await this.closed()
  }

  #listen(socket: Socket): void {
    const changed = (end: boolean) => () => {
      if (socket !== this.#socket) return
      this.#isClosed ||= end
      this.#wake()
    }
    socket.on('data', chunk => {
      this.#received += chunk.toString('latin1')
      this.#wake()
    })
    socket.on('error', () => undefined)
    socket.on('end', changed(true))
    socket.on('close', changed(true))
  }

  #change(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const late = setTimeout(() => reject(new Error(`no reply in ${REPLY_TIMEOUT_MS} ms\n${this.#transcript.join('\n')}`)), REPLY_TIMEOUT_MS)
    this.#wake = resolve
    return promise.finally(() => clearTimeout(late))
  }
}

/** Runs the script step by step and quits. Resolves to the replies; rejects with the transcript if one is unexpected. */
export async function play(port: number, steps: readonly Step[], options: ConnectOptions = {}): Promise<string[]> {
  await using client = await SmtpClient.connect(port, options)
  return await client.play(steps)
}

/** Sends one message on a new connection; resolves to the reply after the final dot. The dots of `message` are doubled already. */
export async function deliver(
  port: number,
  to: string,
  message: string | Buffer,
  from = 'sender@elsewhere.test',
  options: ConnectOptions = {},
): Promise<string> {
  await using client = await SmtpClient.connect(port, options)
  await client.beginMail(to, from)
  client.send(dotted(message))
  return await client.reply()
}

/** Sends one message on a new connection; resolves to the code of the last reply, also of one that refused before the message. */
export async function tryDelivery(port: number, to: string, message: string): Promise<string> {
  await using client = await SmtpClient.connect(port)
  for (const line of ['EHLO sender.test', 'MAIL FROM:<sender@sender.test>', `RCPT TO:<${to}>`, 'DATA']) {
    client.send(`${line}\r\n`)
    const reply = await client.reply()
    if (!/^[23]/.test(reply)) return reply.slice(0, 3)
  }
  client.send(dotted(message))
  return (await client.reply()).slice(0, 3)
}

/** Sends, and resolves when the server has read it: a new session is greeted only after the data of earlier ones was read. */
export async function sendAndSettle(client: SmtpClient, port: number, bytes: string | Buffer): Promise<void> {
  await new Promise(written => client.socket.write(bytes, written))
  await play(port, [
    ['NOOP', 250],
    ['NOOP', 250],
  ])
}

/** The message as it is sent after DATA: dots at line starts doubled, and the end added. */
export function dotted(message: string | Buffer): Buffer {
  const text = typeof message === 'string' ? message : message.toString('latin1')
  const stuffed = text.replace(/(^|\r\n)\./g, '$1..')
  return Buffer.from(`${stuffed}${stuffed === '' || stuffed.endsWith('\r\n') ? '' : '\r\n'}.\r\n`, 'latin1')
}

function expectReply(reply: string, expected: Step[1], transcript: readonly string[]): void {
  const isExpected = expected instanceof RegExp ? expected.test(reply) : reply.startsWith(String(expected))
  if (!isExpected) throw new Error(`expected ${expected} but got ${reply}\n${transcript.join('\n')}`)
}

function preview(bytes: string | Buffer): string {
  return JSON.stringify(bytes.toString('latin1').slice(0, 200))
}
