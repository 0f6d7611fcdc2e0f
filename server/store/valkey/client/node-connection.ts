/**
 * One connection to one node. It never reconnects; callers open another. So everything tied to a connection (loaded scripts, the writes
 * that WAIT counts, subscriptions) ends with it and is never reused by mistake.
 */
import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import { Command, Redis } from 'ioredis'

const CONNECT_MS_MAX = 2000
/** A node that owes a reply and sends nothing for this long counts as dead. Longer than any `WAIT`. */
const SILENCE_MS_MAX = 2500

export type NodeAddress = { readonly host: string; readonly port: number }

export type ClusterAccess = {
  readonly username: string | undefined
  readonly password: string | undefined
  readonly isEncrypted: boolean
}

export const addressKey = ({ host, port }: NodeAddress) => `${host}:${port}`

/** A Lua script that the engine caches and runs atomically. All its keys are in the slot of the first. */
export type Script = { readonly lua: string; readonly sha1: string }

export function defineScript(lua: string): Script {
  return { lua, sha1: createHash('sha1').update(lua).digest('hex') }
}

/** Strings are returned as bytes. */
export type Reply = Buffer | number | null | Reply[]
export type Argument = string | number | Uint8Array

export class NodeConnection {
  readonly address: NodeAddress
  /** Resolves when the connection is closed, for any reason. */
  readonly ended: Promise<void>
  readonly #redis: Redis
  readonly #loaded = new Set<string>()
  #error: Error | undefined
  #isEnded = false
  #isCorked = false

  constructor(address: NodeAddress, access: ClusterAccess) {
    this.address = address
    this.#redis = new Redis({
      ...address,
      ...(access.username === undefined ? {} : { username: access.username }),
      ...(access.password === undefined ? {} : { password: access.password }),
      // A certificate for an address is checked against that, and RFC 6066 allows no address as the name that is asked for.
      ...(access.isEncrypted ? { tls: isIP(address.host) ? {} : { servername: address.host } } : {}),
      protocol: 2,
      connectTimeout: CONNECT_MS_MAX,
      socketTimeout: SILENCE_MS_MAX,
      retryStrategy: () => null,
      maxRetriesPerRequest: null,
      autoResubscribe: false,
      autoResendUnfulfilledCommands: false,
      enableReadyCheck: false,
      disableClientInfo: true,
    })
    this.#redis.on('error', (error: Error) => {
      this.#error ??= error
    })
    this.ended = new Promise(resolve => {
      this.#redis.once('end', () => {
        this.#isEnded = true
        resolve()
      })
    })
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  get name(): string {
    return addressKey(this.address)
  }

  /** Sends commands in the order of the calls. Rejects with the engine's error, or with the reason why the connection closed. */
  async call(name: string, ...args: readonly Argument[]): Promise<Reply> {
    // The client keeps subscriptions under the command's name in lower case.
    const command = new Command(name.toLowerCase(), args.map(portable), { replyEncoding: null })
    this.#cork()
    try {
      return (await this.#redis.sendCommand(command)) as Reply
    } catch (error) {
      throw isEngineError(error) ? error : (this.#error ?? error)
    }
  }

  /** What is sent in one turn of the event loop shares a packet, which is one call of the system here and one on the node. */
  #cork(): void {
    const { stream } = this.#redis
    if (this.#isCorked || !stream) return
    this.#isCorked = true
    stream.cork()
    setImmediate(() => {
      this.#isCorked = false
      stream.uncork()
    })
  }

  /** `isAsking`: the slot is moving to this node, which serves it only after ASKING. */
  run(script: Script, keys: readonly string[], args: readonly Argument[], isAsking = false): Promise<Reply> {
    if (!this.#loaded.has(script.sha1)) {
      this.#loaded.add(script.sha1)
      this.call('SCRIPT', 'LOAD', script.lua).catch(() => this.#loaded.delete(script.sha1))
    }
    if (isAsking) this.call('ASKING').catch(() => undefined)
    return this.call('EVALSHA', script.sha1, keys.length, ...keys, ...args).catch((error: unknown) => {
      // The engine dropped its scripts (SCRIPT FLUSH): the next try loads this one again.
      if (error instanceof Error && error.message.startsWith('NOSCRIPT')) this.#loaded.delete(script.sha1)
      throw error
    })
  }

  /** `onRing`: a message on a subscribed channel, with its text. `onMoved`: the node dropped a subscription because its slot moved. */
  listen(onRing: (channel: string, message: string) => void, onMoved: () => void): void {
    this.#redis.on('smessage', onRing)
    this.#redis.on('moved', onMoved)
  }

  close(): void {
    this.#redis.disconnect()
  }
}

/** An error that the engine sent, not one of the connection. */
export function isEngineError(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ReplyError'
}

function portable(value: Argument): string | number | Buffer {
  if (!(value instanceof Uint8Array)) return value
  return Buffer.isBuffer(value) ? value : Buffer.from(value.buffer, value.byteOffset, value.byteLength)
}
