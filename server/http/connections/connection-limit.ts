/** Limits connections per client and in all, so that nobody uses up all file descriptors. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Server as SecureServer } from 'node:https'
import type { Socket } from 'node:net'
import { KIB } from '#contract/limits.ts'
import type { Config } from '#server/platform/config/config.ts'
import { type Clients, describeShare } from '#server/platform/limits/clients.ts'
import { connectionsAllowed } from '#server/platform/limits/file-descriptors.ts'
import { MostHeld, type Yielding } from '#server/platform/limits/most-held.ts'
import { equalShares, type Holder, ShareBudget } from '#server/platform/limits/share-budget.ts'
import { problemResponse } from '../responses/problem.ts'
import { onResponseEnd } from './response-budget.ts'

/** All clients together. */
const CONNECTIONS_MAX = 10_000
/** A request with the largest header and body takes a quarter of this, and most memory is for mail. */
const BYTES_PER_CONNECTION = 256 * KIB
const RETRY_SECONDS = 5
/** Connections of one client in the last eighth, and those that a network keeps whoever else comes: a browser opens six. */
const BROWSER_CONNECTIONS = 6

/** `requests`: under way. `sinceMs`: when the last one began or ended. */
type Connection = Yielding & { socket: Socket; requests: number; sinceMs: number }

type Limits = Pick<Config, 'memory' | 'smtpConnectionsMax' | 'httpConnectionsPerClientMax'>

/** One client has at most a quarter: otherwise one network could have all where memory or descriptors are few. */
export function connectionsMax(config: Limits): readonly [perClientMax: number, totalMax: number] {
  const memoryMax = Math.floor(config.memory.limitBytes / BYTES_PER_CONNECTION)
  const all = Math.min(CONNECTIONS_MAX, memoryMax, connectionsAllowed(config.smtpConnectionsMax).http)
  return [Math.min(config.httpConnectionsPerClientMax, Math.ceil(all / 4)), all]
}

export function connectionBudget(perClientMax: number, totalMax = CONNECTIONS_MAX): ShareBudget {
  return new ShareBudget({ ...equalShares(totalMax, 1), perHolderMax: perClientMax, reservePerHolderMax: BROWSER_CONNECTIONS })
}

/**
 * When all connections are used, the network that has most gives one to a network with none or far less: of its client that has most, one
 * that waits for a request, the longest first, and then the one whose request is under way for longest, which may be a body or a reader
 * that never ends.
 */
export class ConnectionLimit {
  readonly #clients: Clients
  readonly #connections: MostHeld<Connection>
  readonly #requestShares: ShareBudget
  readonly #requests: MostHeld<Yielding>

  /** `requests`: shares of the requests that come through trusted proxies, whose connections each serve one visitor at a time. */
  constructor(clients: Clients, budget: ShareBudget, requests: ShareBudget) {
    this.#clients = clients
    this.#requestShares = requests
    this.#requests = new MostHeld(requests, { keptMax: BROWSER_CONNECTIONS })
    const goesBefore = (one: Connection, other: Connection) =>
      (one.requests === 0) === (other.requests === 0) ? one.sinceMs < other.sinceMs : one.requests === 0
    this.#connections = new MostHeld(budget, { keptMax: BROWSER_CONNECTIONS, goesBefore })
  }

  /** Counts the connections of a server, which may be one of several. */
  limit(server: Server | SecureServer): void {
    const bySocket = new WeakMap<Socket, Connection>()
    /** Node does not tell which connection a TLS socket belongs to. */
    const byPeer = new Map<string, Connection>()
    server.on('connection', (socket: Socket) => {
      const connection = this.#open(socket)
      if (!connection) return
      bySocket.set(socket, connection)
      const peer = describePeer(socket)
      byPeer.set(peer, connection)
      socket.once('close', () => {
        // A client that came back from the same port may be there before the end of its former connection is noticed.
        if (byPeer.get(peer) === connection) byPeer.delete(peer)
      })
    })
    server.on('secureConnection', (socket: Socket) => {
      const connection = byPeer.get(describePeer(socket))
      if (!connection) return
      bySocket.set(socket, connection)
      connection.socket = socket
    })
    server.on('request', (incoming, outgoing: ServerResponse) => {
      const connection = bySocket.get(incoming.socket)
      if (!connection) return
      const change = (requests: number) => Object.assign(connection, { requests, sinceMs: performance.now() })
      change(connection.requests + 1)
      onResponseEnd({ incoming, outgoing }, () => change(connection.requests - 1))
    })
  }

  /** Who sent a request. Empty for trusted clients, which stand for many. */
  networksOf({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): Holder {
    const { remoteAddress = '' } = socket
    return this.#clients.identify(remoteAddress, headers['x-forwarded-for']?.toString()).networks
  }

  /**
   * Counts a request that came through a trusted proxy, until its response ends. Returns a refusal if its visitor has no more of them, and
   * ends the connection then, since a body that never comes would hold it.
   */
  refuse({ incoming, outgoing }: { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse }): Response | undefined {
    const { socket } = incoming
    if (!this.#clients.identify(socket.remoteAddress ?? '').isTrusted) return undefined
    const networks = this.networksOf(incoming)
    const lease = this.#requests.acquire(networks, 1)
    if (lease) {
      const held = this.#requests.add({ networks, lease, giveWay: () => socket.destroy() })
      onResponseEnd({ incoming, outgoing }, () => held[Symbol.dispose]())
      return undefined
    }
    outgoing.setHeader('connection', 'close')
    const fullShare = this.#requestShares.fullShare(networks, 1)
    const detail = `All requests of ${describeShare(fullShare)} that may be under way at once are in use.`
    return problemResponse(fullShare === undefined ? 'unavailable' : 'rate_limited', { retryAfterSeconds: RETRY_SECONDS, detail })
  }

  /** Resets the excess connection at once, because sending a response could block, and no browser opens that many. */
  #open(socket: Socket): Connection | undefined {
    const { networks } = this.#clients.identify(socket.remoteAddress ?? '')
    const lease = this.#connections.acquire(networks, 1)
    if (!lease) {
      socket.resetAndDestroy()
      return undefined
    }
    const giveWay = () => connection.socket.destroy()
    const connection: Connection = { networks, lease, giveWay, socket, requests: 0, sinceMs: performance.now() }
    const held = this.#connections.add(connection)
    socket.once('close', () => held[Symbol.dispose]())
    return connection
  }
}

const describePeer = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`
