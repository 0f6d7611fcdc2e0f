import { connect, type Socket } from 'node:net'
import { connect as connectTls, type PeerCertificate, type TLSSocket } from 'node:tls'

const STEP_MS_MAX = 8000
const BYTES_MAX = 64 * 1024

export type Hop = { readonly step: string; readonly ms: number }
type Handshake = { readonly certificate: PeerCertificate; readonly isTrusted: boolean; readonly reason: string }

/** Speaks SMTP to one server. Every step has a time-out; an unexpected reply throws its text. */
export class SmtpClient implements Disposable {
  readonly hops: Hop[] = []
  #socket: Socket | TLSSocket
  #heard = ''
  #wake: () => void = () => undefined

  private constructor(socket: Socket) {
    this.#socket = socket
    this.#listen()
  }

  static async open(address: string, port: number): Promise<SmtpClient> {
    const socket = connect({ host: address, port })
    const client = new SmtpClient(socket)
    await client.#timed('connected', () => new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject)))
    await client.#timed('greeted', () => client.#reply(2))
    return client
  }

  async command(step: string, line: string, replyClass: 2 | 3): Promise<string> {
    return this.#timed(step, () => {
      this.#socket.write(`${line}\r\n`)
      return this.#reply(replyClass)
    })
  }

  /** The certificate that STARTTLS presents for this name, trusted or not. */
  async startTls(servername: string, ca: string | undefined): Promise<Handshake> {
    await this.command('STARTTLS', 'STARTTLS', 2)
    return this.#timed('encrypted', () => {
      const { promise, resolve, reject } = Promise.withResolvers<Handshake>()
      this.#socket.removeAllListeners('data')
      const secured = connectTls({ socket: this.#socket, servername, rejectUnauthorized: false, ...(ca && { ca }) }, () => {
        const reason = secured.authorizationError
        resolve({ certificate: secured.getPeerCertificate(), isTrusted: secured.authorized, reason: reason ? String(reason) : '' })
      })
      secured.once('error', reject)
      this.#socket = secured
      this.#listen()
      return promise
    })
  }

  /** Says goodbye: who leaves without a word after a handshake seems to dislike the certificate. */
  [Symbol.dispose](): void {
    this.#socket.write('QUIT\r\n')
    this.#socket.destroySoon()
  }

  #listen(): void {
    this.#socket.on('data', (chunk: Buffer) => {
      this.#heard = (this.#heard + chunk.toString('latin1')).slice(0, BYTES_MAX)
      this.#wake()
    })
    this.#socket.on('error', () => this.#wake())
    this.#socket.on('close', () => this.#wake())
  }

  async #reply(replyClass: 2 | 3): Promise<string> {
    for (;;) {
      const last = /^\d{3}(?: .*)?\r\n/m.exec(this.#heard)
      if (last) {
        const reply = this.#heard.slice(0, last.index + last[0].length)
        this.#heard = this.#heard.slice(reply.length)
        if (!reply.startsWith(String(replyClass))) throw new Error(reply.trim())
        return reply
      }
      if (this.#socket.destroyed) throw new Error('the connection was closed')
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
  }

  async #timed<T>(step: string, work: () => Promise<T>): Promise<T> {
    const startedMs = performance.now()
    const timeout = Promise.withResolvers<never>()
    const timer = setTimeout(() => timeout.reject(new Error(`no answer within ${STEP_MS_MAX / 1000} s`)), STEP_MS_MAX)
    try {
      return await Promise.race([work(), timeout.promise])
    } catch (error) {
      this.#socket.destroy()
      throw error
    } finally {
      clearTimeout(timer)
      this.hops.push({ step, ms: Math.round(performance.now() - startedMs) })
    }
  }
}
