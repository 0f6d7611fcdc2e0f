/**
 * One connection to one node. It never reconnects: whoever needs the node again opens another. So everything that is known about a
 * connection (the scripts it loaded, the writes that WAIT counts, its subscriptions) ends with it and is never taken over by mistake.
 */
import { Command, Redis } from 'ioredis'
import { type Access, addressKey, type NodeAddress } from './address.ts'
import type { Script } from './script.ts'

const CONNECT_MS_MAX = 2000
/** A node that owes a reply and sends nothing for this long is taken for dead. Longer than any `WAIT`. */
const SILENCE_MS_MAX = 2500

/** Strings are bytes. */
export type Reply = Buffer | number | null | Reply[]
export type Argument = string | number | Uint8Array

export class NodeConnection {
  readonly address: NodeAddress
  /** Resolves once the connection is closed, for whatever reason. */
  readonly ended: Promise<void>
  readonly #redis: Redis
  readonly #loaded = new Set<string>()
  #error: Error | undefined
  #isEnded = false

  constructor(address: NodeAddress, access: Access) {
    this.address = address
    this.#redis = new Redis({
      ...address,
      ...(access.username === undefined ? {} : { username: access.username }),
      ...(access.password === undefined ? {} : { password: access.password }),
      ...(access.isEncrypted ? { tls: { servername: address.host } } : {}),
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

  /** Commands are sent in the order of the calls. Rejects with the engine's error, or with the reason why the connection is gone. */
  async call(name: string, ...args: readonly Argument[]): Promise<Reply> {
    // The client keeps subscriptions by the command's name in small letters.
    const command = new Command(name.toLowerCase(), args.map(portable), { replyEncoding: null })
    try {
      return (await this.#redis.sendCommand(command)) as Reply
    } catch (error) {
      throw isEngineError(error) ? error : (this.#error ?? error)
    }
  }

  /** `isAsking`: the slot is on its way to this node, which serves it only to those who say that they know. */
  run(script: Script, keys: readonly string[], args: readonly Argument[], isAsking = false): Promise<Reply> {
    if (!this.#loaded.has(script.sha1)) {
      this.#loaded.add(script.sha1)
      this.call('SCRIPT', 'LOAD', script.lua).catch(() => this.#loaded.delete(script.sha1))
    }
    if (isAsking) this.call('ASKING').catch(() => undefined)
    return this.call('EVALSHA', script.sha1, keys.length, ...keys, ...args).catch((error: unknown) => {
      // The engine forgot its scripts (SCRIPT FLUSH): the next try loads this one again.
      if (error instanceof Error && error.message.startsWith('NOSCRIPT')) this.#loaded.delete(script.sha1)
      throw error
    })
  }

  /** `onRing`: a message on a subscribed channel, and what it says. `onMoved`: the node dropped a subscription, because its slot went elsewhere. */
  listen(onRing: (channel: string, message: string) => void, onMoved: () => void): void {
    this.#redis.on('smessage', onRing)
    this.#redis.on('moved', onMoved)
  }

  close(): void {
    this.#redis.disconnect()
  }
}

/** An error the engine sent, and not one of the connection. */
export function isEngineError(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ReplyError'
}

function portable(value: Argument): string | number | Buffer {
  if (!(value instanceof Uint8Array)) return value
  return Buffer.isBuffer(value) ? value : Buffer.from(value.buffer, value.byteOffset, value.byteLength)
}
