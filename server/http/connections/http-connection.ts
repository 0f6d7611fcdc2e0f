/** One connection of HTTP: what it sends is read in turn with what others send, and its requests are handled one after the other. */
import { IncomingMessage, type RequestListener, type Server, ServerResponse } from 'node:http'
import { Server as SecureServer } from 'node:https'
import type { Socket } from 'node:net'
import { KIB } from '#contract/limits.ts'
import { Turns } from '#server/platform/limits/fair-queue.ts'
import type { Holder } from '#server/platform/limits/share-budget.ts'
import { decryptInTurn } from '#server/platform/net/encrypted-stream.ts'
import { onResponseEnd } from './response-budget.ts'

/** Parsed before other networks have their turn. Most headers fit, or 340 chunks of one byte, which take half a millisecond. */
const PIECE_BYTES = 2 * KIB
const WAITING_MAX = 16
/** A body may have so many chunks of any size, for clients that flush each line of it. */
const CHUNKS_MIN = 256
/** More of them have so many bytes on average: Node calls JavaScript for each. */
const CHUNK_BYTES_MIN = 64
/** How long a client may go on sending after the response to a request whose body it has not sent in full. */
const LINGER_MS = 30_000
/** When a client that sends no more is probed again. Each time after that is twice as long, up to the longest. */
const PROBE_MS = { first: 250, max: 60_000 } as const
/** Go's client fails with more than five. */
const INTERIMS_MAX = 4
/** Only a response that is later than most gets an interim one, because simple clients take that for their response. */
const INTERIM_MS = 1000

type Exchange = { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse; readonly handle: RequestListener }
type NetworksOf = (request: Pick<IncomingMessage, 'socket' | 'headers'>) => Holder

const connections = new WeakMap<Socket, HttpConnection>()
const beginnings = new Turns()
const readings = new Turns()

class HttpConnection {
  readonly #socket: Socket
  readonly #parse: (piece: Buffer) => void
  readonly #networksOf: NetworksOf
  readonly #pause: () => Socket
  readonly #resume: () => Socket
  readonly #end: () => boolean
  readonly #input: Buffer[] = []
  /** So many bytes of the first chunk were parsed. */
  #at = 0
  #isWaitingForTurn = false
  /** Node wants no more: the body or the responses are not read. Only Node may change that, because its parser fails otherwise. */
  #isHeld = false
  /** The client sends no more. Node is told when all that it sent was parsed. */
  #hasEnded = false
  /** The rest of the input is thrown away. */
  isDiscarding = false
  #isBusy = false
  readonly #waiting: Exchange[] = []
  #interims = 0
  /** The one being handled, or the one before whose body still arrives. */
  #last: Exchange | undefined

  /** Takes the place of Node's own reading, which parses up to 2 MiB of one connection before it looks at the next one. */
  constructor(socket: Socket, networksOf: NetworksOf) {
    const [parse] = socket.listeners('data') as ((piece: Buffer) => void)[]
    if (!parse) throw new TypeError('Node parses what a connection sends')
    const emit = socket.emit.bind(socket)
    this.#socket = socket
    this.#parse = parse
    this.#networksOf = networksOf
    this.#pause = socket.pause.bind(socket)
    this.#resume = socket.resume.bind(socket)
    this.#end = () => emit('end')
    socket.pause = () => {
      this.#isHeld = true
      return this.#pause()
    }
    socket.resume = () => {
      this.#isHeld = false
      this.#work()
      return socket
    }
    // Otherwise one of TLS ends itself. Node ends both kinds when it is told.
    socket.allowHalfOpen = true
    socket.emit = (event: string | symbol, ...values: unknown[]) => {
      if (event !== 'end') return emit(event, ...values)
      this.#probe(PROBE_MS.first)
      if (this.#input.length === 0) return this.#end()
      this.#hasEnded = true
      this.#work()
      return true
    }
    socket.off('data', parse)
    socket.on('data', (chunk: Buffer) => {
      this.#input.push(chunk)
      this.#work()
      if (this.#input.length > 0) this.#pause()
    })
    connections.set(socket, this)
  }

  /** Whether a request that is not over has its response already: a proxy would take another one for that of its next request. */
  get hasBegunToRespond(): boolean {
    const last = this.#last
    return last?.outgoing.headersSent === true && !(last.incoming.complete && last.outgoing.writableFinished)
  }

  /**
   * Nothing more is parsed, and the connection ends with its response. What comes is still taken from the system, because closing with
   * bytes unread would reset the connection, and because some proxies send all of a body before they read the response.
   */
  discard(): void {
    if (this.isDiscarding) return
    this.isDiscarding = true
    const { destroySoon } = this.#socket
    this.#socket.destroySoon = () => {
      if (this.#socket.readableEnded) destroySoon.call(this.#socket)
      else this.#linger()
    }
    this.#work()
  }

  #linger(): void {
    const timer = setTimeout(() => this.#socket.destroy(), LINGER_MS)
    this.#socket
      .once('close', () => clearTimeout(timer))
      .once('end', () => this.#socket.destroy())
      .end()
  }

  get #mayRead(): boolean {
    return !this.#socket.destroyed && (this.isDiscarding || (!this.#isHeld && this.#waiting.length === 0))
  }

  /** Reads the input as soon as it is the client's turn. */
  #work(): void {
    if (this.#isWaitingForTurn || !this.#mayRead) return
    if (this.#input.length === 0) {
      if (!this.#hasEnded) this.#resume()
      else {
        this.#hasEnded = false
        this.#end()
      }
      return
    }
    this.#isWaitingForTurn = true
    // Through a trusted proxy, a body counts for the visitor who sends it.
    const incoming = this.#last?.incoming
    const networks = this.#networksOf(incoming?.complete === false ? incoming : { socket: this.#socket, headers: {} })
    readings.push(networks, () => {
      if (this.#mayRead) this.#read()
      this.#isWaitingForTurn = false
      this.#work()
    })
  }

  #read(): void {
    const [chunk] = this.#input
    if (!chunk || this.isDiscarding) {
      this.#input.length = 0
      return
    }
    const piece = chunk.subarray(this.#at, this.#at + PIECE_BYTES)
    this.#at += piece.length
    if (this.#at >= chunk.length) {
      this.#input.shift()
      this.#at = 0
    }
    this.#parse(piece)
  }

  /**
   * A client that sends no more may still want its response (RFC 9112 section 9.6), or have left. Its system refuses what comes then, and
   * the next write finds that out. A comment goes into an event stream. Before other responses goes 100 (Continue), which clients discard
   * (RFC 9110 section 15.2.1), but those of HTTP/1.0 know none.
   */
  #probe(afterMs: number): void {
    if (this.#socket.destroyed) return
    const { incoming, outgoing } = this.#last ?? {}
    if (outgoing?.headersSent) {
      if (outgoing.getHeader('content-type') === 'text/event-stream' && !outgoing.writableEnded) outgoing.write(':\n\n')
    } else if (outgoing && afterMs > INTERIM_MS) {
      if (incoming?.httpVersion !== '1.1') this.#socket.destroy()
      // A second one soon after finds out what has become of the first.
      for (const delayMs of [0, PROBE_MS.first]) setTimeout(() => this.#sendInterim(outgoing), delayMs).unref()
    }
    setTimeout(() => this.#probe(Math.min(2 * afterMs, PROBE_MS.max)), afterMs).unref()
  }

  #sendInterim(outgoing: ServerResponse): void {
    if (this.#socket.destroyed || outgoing.headersSent || this.#interims === INTERIMS_MAX) return
    this.#interims++
    outgoing.writeContinue()
  }

  take(exchange: Exchange): void {
    if (!this.#isBusy) this.#start(exchange)
    else if (this.#waiting.length < WAITING_MAX) {
      this.#waiting.push(exchange)
      this.#pause()
    }
    // A refusal would wait for the responses before it, and meanwhile Node would keep what it has read.
    else this.#socket.destroy()
  }

  #start(exchange: Exchange): void {
    const { incoming, outgoing, handle } = exchange
    const socket = this.#socket
    this.#isBusy = true
    this.#last = exchange
    onResponseEnd(exchange, () => {
      this.#isBusy = false
      if (incoming.complete) this.#last = undefined
      const next = this.#waiting.shift()
      // A response that closes the connection has ended it by now, and nothing behind it may be handled (RFC 9112 section 9.6).
      if (next && socket.writable) this.#start(next)
      this.#work()
    })
    beginnings.push(this.#networksOf(incoming), () => {
      if (socket.writable) void handle(incoming, outgoing)
      this.#work()
    })
  }
}

/** A request that counts the chunks of its body. */
export class CountedRequest extends IncomingMessage {
  #hasTinyChunks = false
  #chunks = 0
  #bytes = 0

  /** The body ended early, because its chunks were too small. */
  get hasTinyChunks(): boolean {
    return this.#hasTinyChunks
  }

  override push(chunk: Buffer | null): boolean {
    // Node still pushes what came in the same piece.
    if (this.#hasTinyChunks) return true
    if (chunk === null) return super.push(null)
    this.#chunks++
    this.#bytes += chunk.length
    if (this.#bytes >= (this.#chunks - CHUNKS_MIN) * CHUNK_BYTES_MIN) return super.push(chunk)
    this.#hasTinyChunks = true
    // Node destroys the connection of a body that ends before it is complete.
    this.complete = true
    connections.get(this.socket)?.discard()
    return super.push(null)
  }
}

/** A response that begins before the request's body has ended closes the connection: nobody reads the rest. */
export class ClosingResponse extends ServerResponse {
  override writeHead(status: number, ...rest: unknown[]): this {
    const { req } = this
    const hasBody = req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0
    const connection = connections.get(req.socket)
    if (hasBody && !req.complete) connection?.discard()
    if (connection?.isDiscarding) this.shouldKeepAlive = false
    return Reflect.apply(super.writeHead, this, [status, ...rest])
  }
}

/** Reads what its connections send in turn between networks. */
export function readInTurn(server: Server | SecureServer, networksOf: NetworksOf): void {
  if (server instanceof SecureServer) decryptInTurn(server, socket => begin => readings.push(networksOf({ socket, headers: {} }), begin))
  server.on(server instanceof SecureServer ? 'secureConnection' : 'connection', (socket: Socket) => {
    if (!socket.destroyed) new HttpConnection(socket, networksOf)
  })
}

/**
 * Handles pipelined requests (RFC 9112 section 9.3.2). Node emits all of them at once; here they are handled one after the other, as their
 * responses must be sent in order anyway, and only a few may wait: no more is read until they are begun. No browser pipelines. Outermost,
 * because whatever a listener keeps for a request is kept until the response before it ends, and an event stream does not end.
 */
export function handleInOrder(handle: RequestListener): RequestListener {
  return (incoming, outgoing) => {
    // Node still emits the requests that came in the same packets.
    if (incoming.socket.writable) connections.get(incoming.socket)?.take({ incoming, outgoing, handle })
  }
}

export function hasBegunToRespond(socket: Socket): boolean {
  return connections.get(socket)?.hasBegunToRespond === true
}

/** Sends `text` as the last response of a connection whose requests cannot be parsed. */
export function endWith(socket: Socket, text: string): void {
  socket.write(text)
  connections.get(socket)?.discard()
  socket.destroySoon()
}
