/**
 * One client's socket: passes lines and messages to the session and sends its replies in order. Replies to pipelined commands leave in one
 * write, reading stops while the client does not read, and every wait has a time-out.
 */
import type { Socket } from 'node:net'
import type { SecureContext } from 'node:tls'
import { secureSocket } from '#server/platform/certificates/mail-certificate.ts'
import type { SmtpContext } from './context.ts'
import { DataScanner } from './data-scanner.ts'
import type { SmtpLimits } from './limits.ts'
import { ArrivalRate } from './limits.ts'
import type { MessageBuffer } from './message-buffer.ts'
import { isProxyHeader } from './proxy-header.ts'
import { type Reply, reply, replyThen } from './replies.ts'
import type { SmtpSession } from './smtp-session.ts'
import { type FailedTls, HandshakeWatch, isClientHello } from './tls-failures.ts'

/** At a shutdown a session that says nothing for this long is ended; one that says more goes on to the end of its next message. */
const SHUTDOWN_IDLE_MS = 1000
/** A client that exceeds the size limit by this factor is disconnected. Below it, it learns after the final dot not to try again. */
const OVERSIZE_FACTOR_MAX = 10
/** Command lines, or chunks of a message, that are read before other networks have their turn. */
const READ_PER_TURN = 16

type ConnectionContext = Pick<SmtpContext, 'config' | 'limits' | 'nowMs' | 'turns'>
type Incoming = {
  readonly bytes: MessageBuffer
  readonly scanner: DataScanner
  readonly startedMs: number
  readonly rate: ArrivalRate
  received: number
}

export class SmtpConnection {
  readonly #context: ConnectionContext
  readonly #session: SmtpSession
  readonly #secureContext: () => SecureContext
  readonly #lines: LineReader
  #socket: Socket
  #phase: 'command' | 'data' | 'handshake' | 'closing' = 'command'
  /** A reply is being prepared; later input waits. */
  #isBusy = false
  /** Input waits until those of other networks were read. */
  #isWaitingForTurn = false
  /** The reply that is being prepared is that to a message. */
  #isDelivering = false
  /** The client does not read our replies. */
  #isStalled = false
  #isShuttingDown = false
  /** Nothing has arrived yet. */
  #isFresh = true
  #hasEnded = false
  #input: Buffer[] = []
  #at = 0
  #output = ''
  #incoming: Incoming | undefined
  #handshake: HandshakeWatch | undefined
  /** Start of the current wait. Its time-out depends on what is awaited. */
  #sinceMs: number
  #deliveredMs: number

  constructor(socket: Socket, context: ConnectionContext, session: SmtpSession, secureContext: () => SecureContext) {
    this.#context = context
    this.#session = session
    this.#secureContext = secureContext
    this.#lines = new LineReader(context.limits)
    this.#sinceMs = this.#deliveredMs = context.nowMs()
    this.#socket = socket
    this.#attach(socket)
    this.#output = session.greeting()
    this.#flush()
    socket.resume()
  }

  /** Ends the session if it has waited too long. `isStressed`: connections are scarce, so time-outs are shorter. */
  checkDeadlines(nowMs: number, isStressed: boolean): void {
    const { limits } = this.#context
    if (this.#isShuttingDown && nowMs - this.#sinceMs > SHUTDOWN_IDLE_MS) this.#endIdle()
    // From its last reply on: the other side gets time to read it.
    const waitedMs = nowMs - this.#sinceMs
    if (this.#phase === 'closing' && waitedMs > limits.lingerMs) this.#socket.destroy()
    else if (this.#phase === 'handshake' && waitedMs > limits.tlsHandshakeMs) this.#endHandshake({ reason: 'timed_out' })
    else if (this.#isStalled && waitedMs > limits.unreadRepliesMs) this.#socket.destroy()
    else if (this.#isDelivering || this.#isStalled || this.#phase === 'closing' || this.#phase === 'handshake') return
    else if (this.#incoming) {
      if (isTooSlow(this.#incoming, nowMs, limits)) this.#close(reply('timed_out'))
    } else if ((!this.#isBusy && waitedMs > this.#commandMs(isStressed)) || nowMs - this.#deliveredMs > this.#withoutDeliveryMs)
      this.#close(reply('timed_out'))
  }

  #commandMs(isStressed: boolean): number {
    const { commandMs, commandStressedMs } = this.#context.limits
    const isShort = this.#session.mayEndSoon || (isStressed && !this.#session.hasRecipients)
    return isShort ? commandStressedMs : commandMs
  }

  /** A transaction that begins late, and already has a recipient, gets as much time again. */
  get #withoutDeliveryMs(): number {
    const { withoutDeliveryMs } = this.#context.limits
    return this.#session.hasRecipients ? 2 * withoutDeliveryMs : withoutDeliveryMs
  }

  /** Ends the session now, or after the message being received or about to come: its sender would wait minutes before the next try. */
  shutDown(): void {
    this.#isShuttingDown = true
    const hasDelivered = this.#deliveredMs === this.#sinceMs && !this.#isFresh
    if (hasDelivered || this.#context.nowMs() - this.#sinceMs > SHUTDOWN_IDLE_MS) this.#endIdle()
  }

  #endIdle(): void {
    if (this.#phase === 'handshake') this.#endHandshake()
    else if (this.#phase === 'command' && !this.#isBusy && !this.#session.hasRecipients) this.#close(reply('shutting_down'))
  }

  /**
   * Until its message is being stored: between two commands, where a sender expects that a session may end (RFC 5321 3.8), and in a message
   * that has come more slowly than a modem sends.
   */
  get mayGiveWay(): boolean {
    if (this.#incoming) return this.#isSlow(this.#incoming)
    return (this.#phase === 'command' || this.#phase === 'handshake') && !this.#isDelivering
  }

  #isSlow({ startedMs, received }: Incoming): boolean {
    const { limits, nowMs } = this.#context
    const tookMs = nowMs() - startedMs
    return tookMs > limits.dataStalledMs && received < (limits.dataBytesPerSecondMin * tookMs) / 1000
  }

  /** How much of a transaction its end would undo: a message, recipients, or nothing. */
  get undone(): 0 | 1 | 2 {
    if (this.#incoming) return 2
    return this.#session.hasRecipients ? 1 : 0
  }

  /** When the current wait began. */
  get sinceMs(): number {
    return this.#sinceMs
  }

  /** Ends the session whatever it is doing: the drain time is over, or its place is another's now. */
  abort(reason: 'shutting_down' | 'too_busy'): void {
    if (this.#phase === 'handshake') this.#endHandshake()
    else if (this.#phase !== 'closing') this.#close(reply(reason))
    this.#socket.destroySoon()
  }

  #attach(socket: Socket): void {
    // A plain socket that TLS has taken over needs no handling here.
    socket.on('data', chunk => socket === this.#socket && this.#arrived(chunk))
    const on = (event: 'drain' | 'end' | 'close', handle: () => void) => socket.on(event, () => socket === this.#socket && handle())
    on('drain', () => this.#drained())
    on('end', () => this.#ended())
    on('close', () => {
      this.#dropMessage()
      this.#session.clientGone()
    })
    // Clients often reset connections, so this is not logged; 'close' follows.
    socket.on('error', () => undefined)
  }

  #arrived(chunk: Buffer): void {
    if (this.#phase === 'closing') return
    if (this.#isFresh && isProxyHeader(chunk)) {
      this.#close(this.#session.proxyNotNamed())
      return
    }
    if (this.#isFresh && isClientHello(chunk)) {
      this.#close(this.#session.tlsAtOnce())
      return
    }
    this.#isFresh = false
    this.#input.push(chunk)
    if (this.#isBusy || this.#isStalled || this.#isWaitingForTurn) this.#socket.pause()
    else this.#work()
  }

  /** Reads the input as soon as it is the client's turn. */
  #work(): void {
    if (this.#isWaitingForTurn) return
    this.#isWaitingForTurn = true
    this.#context.turns.push(this.#session.networks, () => {
      this.#isWaitingForTurn = false
      this.#read()
    })
  }

  /** Until the input is used up, the turn is over, or a reply takes time. */
  #read(): void {
    for (let rest = READ_PER_TURN; !this.#isBusy && !this.#isStalled && this.#phase !== 'handshake'; rest--) {
      const chunk = this.#input[0]
      if (!chunk) break
      if (rest === 0) {
        this.#work()
        return
      }
      this.#at = this.#incoming ? this.#readMessage(this.#incoming, chunk, this.#at) : this.#readLine(chunk, this.#at)
      // A freed chunk has no length any more.
      if (this.#at < chunk.length) continue
      this.#input.shift()
      this.#at = 0
    }
    if (this.#isBusy) return
    this.#flush()
    if (this.#hasEnded && this.#input.length === 0) this.#endAfterClient()
    else if (!this.#isStalled && this.#socket.isPaused()) this.#socket.resume()
  }

  #readLine(chunk: Buffer, at: number): number {
    const { line, next } = this.#lines.read(chunk, at)
    if (!line) return next
    this.#sinceMs = this.#context.nowMs()
    if ('text' in line) this.#respond(this.#session.command(line.text))
    else if (line.wrong !== 'endless') this.#respond(this.#session.brokenLine(line.wrong))
    else if (!this.#session.hasRecipients) this.#apply(replyThen('line_too_long', 'close'))
    return this.#phase === 'closing' || this.#phase === 'handshake' ? chunk.length : next
  }

  #readMessage(incoming: Incoming, chunk: Buffer, at: number): number {
    this.#sinceMs = this.#context.nowMs()
    const end = incoming.scanner.read(chunk, at)
    if (end === -1) return this.#readOn(incoming, chunk, at)
    this.#incoming = undefined
    this.#phase = 'command'
    this.#respond(this.#session.message(incoming.bytes), true)
    return end
  }

  /** The message goes on after this chunk. */
  #readOn(incoming: Incoming, chunk: Buffer, at: number): number {
    const { length } = chunk
    incoming.received += length - at
    if (at === 0 && incoming.bytes.mayReuseChunk) free(chunk)
    if (incoming.bytes.size > OVERSIZE_FACTOR_MAX * this.#context.config.messageBytesMax) this.#close(reply('message_too_large'))
    return length
  }

  #respond(response: Reply | Promise<Reply>, isMessage = false): void {
    if (response instanceof Promise) {
      this.#isBusy = true
      this.#isDelivering = isMessage
      void response.then(settled => this.#settled(settled, isMessage))
    } else this.#apply(response)
  }

  #settled(response: Reply, isMessage: boolean): void {
    this.#isBusy = this.#isDelivering = false
    this.#sinceMs = this.#context.nowMs()
    if (isMessage && response.text.startsWith('2')) this.#deliveredMs = this.#sinceMs
    if (this.#socket.destroyed || this.#phase === 'closing') return
    this.#apply(response)
    if (this.#isShuttingDown && isMessage && this.#phase === 'command') this.#close(reply('shutting_down'))
    else this.#work()
  }

  #apply({ text, next }: Reply): void {
    this.#output += text
    if (next === 'close') this.#close()
    if (next === 'data') this.#startMessage()
    if (next === 'tls') this.#startTls()
  }

  #startMessage(): void {
    const bytes = this.#session.newMessage()
    const startedMs = this.#context.nowMs()
    this.#incoming = { bytes, scanner: new DataScanner(bytes), startedMs, rate: new ArrivalRate(startedMs), received: 0 }
    this.#phase = 'data'
  }

  /** Plain text sent together with STARTTLS is dropped: it must not count as encrypted (RFC 3207 4.2). */
  #startTls(): void {
    this.#flush()
    this.#phase = 'handshake'
    this.#input = []
    this.#at = 0
    this.#isStalled = false
    const secured = secureSocket(this.#socket, this.#secureContext(), begin => this.#context.turns.push(this.#session.networks, begin))
    this.#handshake = new HandshakeWatch(this.#socket, secured, failed => this.#session.tlsFailed(failed))
    secured.once('secure', () => {
      this.#phase = 'command'
      this.#sinceMs = this.#context.nowMs()
      this.#session.tlsStarted()
    })
    this.#socket = secured
    this.#attach(secured)
  }

  #endHandshake(failed?: FailedTls): void {
    this.#handshake?.end(failed)
    this.#socket.destroy()
  }

  #flush(): void {
    if (!this.#output || this.#socket.destroyed) return
    const isRead = this.#socket.write(this.#output, 'latin1')
    this.#output = ''
    if (isRead || this.#isStalled) return
    this.#isStalled = true
    this.#sinceMs = this.#context.nowMs()
  }

  #drained(): void {
    this.#isStalled = false
    this.#sinceMs = this.#context.nowMs()
    if (!this.#isBusy && this.#phase !== 'closing') this.#work()
  }

  /** The client sends no more. What is complete is still answered. */
  #ended(): void {
    this.#hasEnded = true
    if (!this.#isBusy && !this.#isWaitingForTurn && this.#input.length === 0) this.#endAfterClient()
  }

  /** Everything was read: half a message is dropped. */
  #endAfterClient(): void {
    if (this.#incoming) this.#socket.destroy()
    else this.#socket.end()
  }

  /** Sends the final reply and keeps reading briefly: closing with unread input would reset the connection, and the reply would be lost. */
  #close(finalReply?: Reply): void {
    this.#output += finalReply?.text ?? ''
    this.#flush()
    this.#phase = 'closing'
    this.#handshake?.end()
    this.#sinceMs = this.#context.nowMs()
    this.#input = []
    this.#at = 0
    this.#dropMessage()
    this.#socket.end()
    this.#socket.resume()
  }

  #dropMessage(): void {
    const incoming = this.#incoming
    this.#incoming = undefined
    if (incoming) this.#session.messageDropped(incoming.bytes)
  }
}

/** Frees the memory of this chunk now: the garbage collector would let 64 MB of a large message pile up. */
function free({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}

function isTooSlow({ startedMs, rate, received }: Incoming, nowMs: number, limits: SmtpLimits): boolean {
  return nowMs - startedMs > limits.dataMs || rate.sampleAndJudge(nowMs, received, limits)
}

const CR = 0x0d
const LF = 0x0a
/** A command line without its CR LF, one character per byte; or what is wrong with it. */
type Line = { readonly text: string } | { readonly wrong: 'bare_line_feed' | 'line_too_long' | 'endless' }

/** Splits commands into lines. Holds at most one line, whatever arrives. */
class LineReader {
  readonly #lineBytesMax: number
  readonly #overlongBytesMax: number
  /** The start of a line that has not ended yet. */
  #held = ''
  #dropped = 0

  constructor(limits: SmtpLimits) {
    this.#lineBytesMax = limits.commandLineBytesMax
    this.#overlongBytesMax = limits.overlongLineBytesMax
  }

  /** The next line in `chunk` from index `at`, and where the line after it starts. No line if it has not ended yet. */
  read(chunk: Buffer, at: number): { line: Line | undefined; next: number } {
    const end = chunk.indexOf(LF, at)
    if (end === -1) return { line: this.#hold(chunk, at), next: chunk.length }
    const line = this.#dropped > 0 || this.#held.length + end - at > this.#lineBytesMax ? TOO_LONG : this.#finish(chunk, at, end)
    this.#held = ''
    this.#dropped = 0
    return { line, next: end + 1 }
  }

  #finish(chunk: Buffer, at: number, end: number): Line {
    if (end > at && chunk[end - 1] === CR) return { text: this.#held + chunk.toString('latin1', at, end - 1) }
    if (end === at && this.#held.endsWith('\r')) return { text: this.#held.slice(0, -1) }
    return BARE_LINE_FEED
  }

  #hold(chunk: Buffer, at: number): Line | undefined {
    const length = this.#dropped + this.#held.length + chunk.length - at
    if (length > this.#lineBytesMax) {
      this.#dropped = length
      this.#held = ''
    } else this.#held += chunk.toString('latin1', at)
    return length > this.#overlongBytesMax ? ENDLESS : undefined
  }
}

const TOO_LONG: Line = { wrong: 'line_too_long' }
const BARE_LINE_FEED: Line = { wrong: 'bare_line_feed' }
const ENDLESS: Line = { wrong: 'endless' }
