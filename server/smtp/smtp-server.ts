/** Starts the SMTP server: `Listener` accepts connections, smtp-connection.ts has the socket, smtp-session.ts the replies. */
import { createServer, type ListenOptions, type Server, type Socket } from 'node:net'
import type { SecureContext } from 'node:tls'
import {
  type CertificateFacts,
  certificateFacts,
  createTlsContext,
  loadCertificate,
  starttlsOffer,
  watchCertificate,
} from '#server/platform/certificates/mail-certificate.ts'
import type { Clock } from '#server/platform/clock.ts'
import { type Config, ConfigError } from '#server/platform/config/config.ts'
import { type Client, Clients } from '#server/platform/limits/clients.ts'
import { Turns } from '#server/platform/limits/fair-queue.ts'
import { connectionsAllowed, REFUSALS_SHARE } from '#server/platform/limits/file-descriptors.ts'
import { MostHeld, type Yielding } from '#server/platform/limits/most-held.ts'
import { type BudgetLease, equalShares, ShareBudget } from '#server/platform/limits/share-budget.ts'
import { createLogInterval } from '#server/platform/log.ts'
import { INHERITED_BACKLOG } from '#server/platform/net/inherited-sockets.ts'
import { IpRanges } from '#server/platform/net/ip-address.ts'
import type { ConnectionRefusal } from '#server/platform/telemetry/labels.ts'
import type { SmtpContext, SmtpOptions, StarttlsState } from './context.ts'
import { SMTP_LIMITS, type SmtpLimits } from './limits.ts'
import { ArrivingMessages } from './message-buffer.ts'
import { readProxyHeader } from './proxy-header.ts'
import { reply } from './replies.ts'
import { operatorMailBudget, UnknownRecipientQuota } from './sender-quotas.ts'
import { SmtpConnection } from './smtp-connection.ts'
import { SmtpSession } from './smtp-session.ts'
import { TlsFailureLog } from './tls-failures.ts'

export type SmtpServer = Awaited<ReturnType<typeof startSmtp>>

const FAILURE_LOG_EVERY_MS = 10_000
/** A proxy that sends no header does so for every connection. */
const PROXY_LOG_EVERY_MS = 60_000

/**
 * Starts to listen on `config.smtpHost`:`config.smtpPort` (0: any free port). Disposing refuses new sessions, lets messages being received
 * finish for `drainMs`, then ends the rest.
 * @throws ConfigError when the operator's certificate cannot be used; the system's error when the port or the data folder cannot.
 */
export async function startSmtp(options: SmtpOptions) {
  const { config, clock, log, sharedLimits } = options
  const nowMs = () => performance.now()
  const limits = { ...SMTP_LIMITS, drainMs: config.shutdownDrainMs, ...options.limits }
  let tls = await loadSecureContext(config, clock)
  const starttls = (): StarttlsState => {
    const { names, isGenerated } = tls.facts
    return { ...starttlsOffer(config.smtpStarttls, tls.facts), names, isGenerated }
  }
  const context: SmtpContext = {
    ...options,
    limits,
    arriving: new ArrivingMessages({
      bytesMax: config.memory.arrivingBytesMax,
      messageBytesMax: config.messageBytesMax,
      smallMessageBytesMax: limits.smallMessageBytesMax,
    }),
    connectionBudget: connectionBudget(config, limits),
    operatorMail: operatorMailBudget(),
    unknownRecipients: new UnknownRecipientQuota(sharedLimits, nowMs),
    clients: new Clients(config.smtpTrusted),
    turns: new Turns(),
    atIntervals: createLogInterval(FAILURE_LOG_EVERY_MS),
    onUnnamedProxy: createLogInterval(Number.POSITIVE_INFINITY),
    tlsFailures: new TlsFailureLog(log, nowMs),
    starttls,
    nowMs,
  }
  const listener = new Listener(context, connectionsAllowed(config.smtpConnectionsMax).smtp, () => tls.secureContext)
  const fd = config.inheritedSockets.get(config.smtpPort)
  const port = await listener.listen(
    fd === undefined ? { port: config.smtpPort, host: config.smtpHost } : { fd },
    fd === undefined ? BACKLOG : INHERITED_BACKLOG,
  )
  let problem: string | undefined
  /** Reloads the certificate for new TLS sessions. One that cannot be used is logged and the old one kept. */
  const reloadCertificate = async () => {
    try {
      tls = await loadSecureContext(config, clock)
      problem = undefined
      log.info('Certificate read again')
    } catch (err) {
      problem = err instanceof ConfigError ? err.problems.join('; ') : String(err)
      log.error({ err }, 'Certificate cannot be used, the old one stays')
    }
  }
  const stopWatching = watchCertificate(config, limits.certificateCheckMs, () => void reloadCertificate())
  return {
    port,
    starttls,
    /** The certificate that STARTTLS presents now. `problem`: why the last one could not be used in its place. */
    certificate: () => ({ ...tls.facts, problem }),
    reloadCertificate,
    async [Symbol.asyncDispose]() {
      stopWatching()
      await listener.close()
    },
  }
}

async function loadSecureContext(config: Config, clock: Clock): Promise<{ secureContext: SecureContext; facts: CertificateFacts }> {
  const certificate = await loadCertificate(config, config.mailHosts, clock)
  return { secureContext: createTlsContext(certificate), facts: certificateFacts(certificate, config.mailHosts) }
}

function connectionBudget(config: Config, limits: SmtpLimits): ShareBudget {
  const shares = equalShares(connectionsAllowed(config.smtpConnectionsMax).smtp, 1, limits.networkConnectionsMin)
  const perHolderMax = Math.min(config.smtpConnectionsPerClientMax, shares.perHolderMax)
  return new ShareBudget({ ...shares, perHolderMax, reservePerHolderMax: limits.networkReservedConnectionsMax })
}

/** Connections that the kernel queues while the event loop is busy: 1,000 clients may arrive at once. */
const BACKLOG = 1024

type Admitted = { readonly client: Client; readonly lease: BudgetLease }
type Session = Yielding & { readonly connection: SmtpConnection }
type Refused = { readonly refusal: ConnectionRefusal; readonly fullShare?: string }

/** Accepts connections within the limits, and ends all sessions at shutdown. */
class Listener {
  readonly #context: SmtpContext
  readonly #connectionsMax: number
  readonly #secureContext: () => SecureContext
  readonly #proxies: IpRanges
  readonly #server: Server
  /** Connections from a proxy whose client is not known yet. */
  readonly #unidentified = new Set<Socket>()
  readonly #connections = new Set<SmtpConnection>()
  readonly #sessions: MostHeld<Session>
  /** How many are accepted but not greeted yet. */
  #ungreeted = 0
  readonly #noteProxy = createLogInterval(PROXY_LOG_EVERY_MS)
  readonly #deadlineTimer: NodeJS.Timeout
  #allClosed: (() => void) | undefined
  #isClosing = false

  constructor(context: SmtpContext, connectionsMax: number, secureContext: () => SecureContext) {
    this.#context = context
    this.#connectionsMax = connectionsMax
    this.#secureContext = secureContext
    this.#proxies = new IpRanges(context.config.proxyProtocolFrom)
    // allowHalfOpen: a client that closes its side after its last command still gets its replies.
    this.#server = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true }, socket => this.#accepted(socket))
    this.#server.maxConnections = Math.ceil(connectionsMax * (1 + REFUSALS_SHARE))
    this.#sessions = sessionsThatGiveWay(context.connectionBudget)
    this.#deadlineTimer = setInterval(() => this.#checkDeadlines(), context.limits.deadlineCheckMs)
  }

  /** Resolves to the port; rejects with the system's error. */
  listen(where: ListenOptions & { readonly fd?: number }, backlog?: number): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    this.#server.once('error', error => {
      clearInterval(this.#deadlineTimer)
      reject(error)
    })
    const opened = () => {
      // An error of a listening socket (a full descriptor table) affects one connection, never the server.
      this.#server.removeAllListeners('error').on('error', err => this.#context.log.error({ err }, 'A connection was lost'))
      const address = this.#server.address()
      resolve(typeof address === 'object' && address ? address.port : 0)
    }
    if (where.fd === undefined) this.#server.listen({ ...where, backlog }, opened)
    else this.#server.listen({ fd: where.fd }, backlog, opened)
    return promise
  }

  /** Refuses new sessions, waits for messages being received, then ends the rest. */
  async close(): Promise<void> {
    if (this.#isClosing) return
    this.#isClosing = true
    this.#server.close()
    const allClosed = new Promise<void>(resolve => {
      this.#allClosed = resolve
    })
    for (const socket of this.#unidentified) socket.destroy()
    for (const connection of this.#connections) connection.shutDown()
    this.#resolveWhenEmpty()
    const drained = setTimeout(() => this.#abortAll(), this.#context.limits.drainMs)
    await allClosed
    clearTimeout(drained)
    clearInterval(this.#deadlineTimer)
  }

  #accepted(socket: Socket): void {
    // The peer may reset the connection while it waits for its greeting, before a session listens. An unhandled error would end the
    // process.
    socket.on('error', () => undefined)
    const address = socket.remoteAddress ?? ''
    if (!this.#proxies.has(address)) {
      this.#connected(socket, address)
      return
    }
    this.#unidentified.add(socket)
    socket.once('close', () => this.#unidentified.delete(socket))
    readProxyHeader(socket, this.#context.limits.proxyHeaderMs, clientAddress => {
      this.#unidentified.delete(socket)
      if (clientAddress !== undefined) return this.#connected(socket, clientAddress)
      this.#noteProxy(() => this.#context.log.warn({ proxy: address }, 'PROXY_PROTOCOL_FROM names a proxy that sent no PROXY header'))
      this.#context.telemetry.connectionRefused('proxy_header_missing')
      refuse(socket, 'proxy_header_missing')
    })
  }

  #connected(socket: Socket, address: string): void {
    const { telemetry } = this.#context
    const client = this.#context.clients.identify(address)
    const admitted = this.#admit(client)
    if ('refusal' in admitted) {
      telemetry.connectionRefused(admitted.refusal)
      refuse(socket, admitted.refusal, admitted.fullShare)
      return
    }
    telemetry.connectionOpened()
    socket.once('close', () => {
      admitted.lease[Symbol.dispose]()
      telemetry.connectionClosed()
    })
    // The kernel hands over a burst of connections at once. Other mail is read between two turns.
    this.#ungreeted++
    this.#context.turns.push(client.networks, () => {
      this.#ungreeted--
      this.#greet(socket, admitted)
      this.#resolveWhenEmpty()
    })
  }

  #greet(socket: Socket, admitted: Admitted): void {
    if (socket.destroyed) return
    const session = new SmtpSession(this.#context, admitted.client)
    const connection = new SmtpConnection(socket, this.#context, session, this.#secureContext)
    const { client, lease } = admitted
    this.#connections.add(connection)
    const held = this.#sessions.add({ networks: client.networks, lease, connection, giveWay: () => connection.abort('too_busy') })
    if (this.#isClosing) connection.shutDown()
    socket.once('close', () => {
      this.#connections.delete(connection)
      held[Symbol.dispose]()
      this.#resolveWhenEmpty()
    })
  }

  /** Why this client may not connect now. Otherwise counts its connection until the lease is disposed of. */
  #admit(client: Client): Admitted | Refused {
    if (this.#isClosing) return { refusal: 'shutting_down' }
    if (!client.isTrusted && this.#context.rules.policy.blocksNetwork(client.address)) return { refusal: 'network_blocked' }
    const lease = this.#sessions.acquire(client.networks, 1)
    if (lease) return { client, lease }
    const fullShare = this.#context.connectionBudget.fullShare(client.networks, 1)
    return fullShare === undefined ? { refusal: 'too_busy' } : { refusal: 'too_many_connections', fullShare }
  }

  #checkDeadlines(): void {
    const now = this.#context.nowMs()
    const isStressed = this.#connections.size > this.#connectionsMax / 2
    for (const connection of this.#connections) connection.checkDeadlines(now, isStressed)
  }

  #abortAll(): void {
    for (const connection of this.#connections) connection.abort('shutting_down')
  }

  #resolveWhenEmpty(): void {
    if (this.#connections.size === 0 && this.#ungreeted === 0) this.#allClosed?.()
  }
}

/** The session that undoes least gives way first: one without an accepted recipient, and of these the one that waits longest. */
function sessionsThatGiveWay(budget: ShareBudget): MostHeld<Session> {
  return new MostHeld(budget, {
    keptMax: 1,
    mayGiveWay: ({ connection }) => connection.mayGiveWay,
    goesBefore: ({ connection: one }, { connection: other }) =>
      one.undone === other.undone ? one.sinceMs < other.sinceMs : one.undone < other.undone,
  })
}

function refuse(socket: Socket, reason: ConnectionRefusal, fullShare?: string): void {
  socket.on('error', () => undefined)
  socket.end(reply(reason, fullShare).text, 'latin1', () => socket.destroy())
}
