/**
 * One connection to one node, by RESP 2 (redis.io/docs/latest/develop/reference/protocol-spec). It never reconnects; callers open another.
 * So what is tied to a connection (loaded scripts, the writes that WAIT counts, subscriptions) ends with it and is never reused by mistake.
 */
import { createHash } from 'node:crypto'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls, TLSSocket } from 'node:tls'
import { certificateRemedy } from '#server/platform/net/encrypted-stream.ts'
import { EngineError, type EngineReply, NOT_OURS, ReplyReader } from './reply-reader.ts'

/** A node that owes a reply and sends nothing for as long as `silenceMsMax` counts as dead. It is longer than any `WAIT`. */
const PATIENCE = { connectMsMax: 2000, silenceMsMax: 2500 }
/** How long a node may take to send what it still owes, and to hang up. */
const CLOSE_MS_MAX = 2000

export type NodeAddress = { readonly host: string; readonly port: number }

export type ClusterAccess = { readonly username: string | undefined; readonly password: string | undefined; readonly isEncrypted: boolean }

const cli = (isEncrypted: boolean) => `redis-cli${isEncrypted ? ' --tls --cacert ca.pem' : ''}`

/** Returns the command that runs a step of `redis-cli --cluster` at a node. */
export const clusterCommand = (step: string, name: string, isEncrypted: boolean) => `${cli(isEncrypted)} --cluster ${step} ${name}`

/** Returns what an operator types to run a command at a node. */
export const nodeCommand = (command: string, name: string, isEncrypted: boolean) => `${cli(isEncrypted)} ${atNode(name)} ${command}`

const atNode = (name: string) => `-h ${name.slice(0, name.lastIndexOf(':'))} -p ${name.slice(name.lastIndexOf(':') + 1)}`

export const addressKey = ({ host, port }: NodeAddress) => `${host}:${port}`

/** A Lua script that the engine caches and runs atomically. All its keys are in the slot of the first. */
export type Script = {
  readonly lua: string
  readonly sha1: string
  /** Repeating it does no harm, so it is retried when a connection breaks before the reply. */
  readonly isRepeatable: boolean
  /** Its reply counts only when the configured number of replicas has what it wrote. */
  readonly isReplicated: boolean
  /** It writes nothing, so it is answered wherever a node answers at all: where none came, others need not wait for one too. */
  readonly isRead?: boolean
  /** It stores something that was promised to somebody: it is refused where a node of the shard may lose it. */
  readonly mustBeKept?: boolean
}

export type ScriptFlags = Pick<Script, 'isRepeatable' | 'isReplicated' | 'isRead' | 'mustBeKept'>

/** In two calls, so that its flags stand above its text. */
export const defineScript =
  (flags: ScriptFlags) =>
  (lua: string): Script => ({ lua, sha1: createHash('sha1').update(lua).digest('hex'), ...flags })

export type Argument = string | number | Uint8Array

/** There was never a connection, so nothing was executed. */
export class NotConnected extends Error {}

const HUNG_UP = 'it hung up without a reply'
const HUNG_UP_UNSEEN = 'it hung up before the TLS handshake'
const CLOSED = 'the connection is closed'

/** How a user of a node gets its rights, and keeps them. */
export const USER_SECTION = 'deploy/cluster/README.md#a-user-with-few-rights'

const IF_SHUT = 'If redis-cli is refused too, type "cluster failover" at its replica if it is a master,'

const DEFAULT_USER = `. If it names none, that is "default": type "acl setuser default on '>PASSWORD'" there. ${IF_SHUT} and restart it.`

const FULL_REMEDY = `Raise "maxclients" there. ${IF_SHUT} raise it in its configuration, and restart it.`

/**
 * Errors of an engine by their first word, with cause and remedy. `means`: what becomes of the command; without it, it is
 * refused, and a retry would be too. `isFinal`: the node closes the connection after it.
 */
const REFUSALS: readonly { reply: RegExp; fact: string; remedy: string; means?: Meaning; isFinal?: true }[] = [
  {
    reply: /^(WRONGPASS|NOAUTH|ERR invalid password|ERR AUTH)/,
    fact: 'does not let us in',
    remedy: `Correct the user and the password in MAIL_STORE_URL if every node says so. Else give the user back there: ${USER_SECTION}${DEFAULT_USER}`,
  },
  {
    reply: /^(NOPERM|ERR The user executing the script can't|ERR ACL failure in script)/,
    fact: 'does not give this user the rights it needs',
    remedy: `Grant what "mayfly mail-store-rights" prints: ${USER_SECTION}.`,
  },
  {
    reply: /^DENIED/,
    fact: 'lets in its own machine only',
    remedy: 'Give it a password, or set "protected-mode no" there.',
    isFinal: true,
  },
  { reply: /max number of clients/, fact: 'takes no more connections', remedy: FULL_REMEDY, means: 'not_now', isFinal: true },
  {
    reply: /^BUSY/,
    fact: 'is kept busy',
    // The reply says which.
    remedy: 'Type "script kill" or "function kill" there. If it is refused, type "cluster failover force" at its replica.',
    means: 'not_now',
  },
  { reply: /^OOM/, fact: 'has no memory left', remedy: 'Raise its "maxmemory", or move slots to another shard.', means: 'full' },
  {
    reply: /^MISCONF.*\bAOF\b/,
    fact: 'takes no writes, since its disk does not',
    remedy: 'Make room there, or type "cluster failover" at its replica.',
    means: 'unwritable',
  },
  {
    reply: /^MISCONF/,
    fact: 'takes no writes, since it could not save a snapshot',
    remedy:
      'Its log says why the snapshot failed: make room, or put right what "config get dir" and "config get dbfilename" name there, ' +
      'then type "bgsave". Mail needs no snapshots: \'config set save ""\' ends them, and in its configuration.',
  },
  { reply: /^LOADING/, fact: 'is starting', remedy: 'It serves once it has read its file.', means: 'not_now' },
  { reply: /^MASTERDOWN/, fact: 'is a replica without its master', remedy: 'Start its master, or mend the link.', means: 'not_now' },
  {
    reply: /^READONLY/,
    fact: 'takes no writes, since it is a replica',
    remedy: 'It does once all nodes agree which is the master: type "cluster nodes" at each.',
    means: 'not_now',
  },
  { reply: /^(MOVED|ASK)\b/, fact: 'has not the slot that other nodes say it has', remedy: '"mayfly doctor" says what to type.' },
  {
    reply: /^TRYAGAIN/,
    fact: 'has only some keys of a slot',
    remedy: 'Let the move of slots end; "mayfly doctor" says what to type if it was interrupted.',
    means: 'not_now',
  },
  {
    reply: /^CLUSTERDOWN Hash slot/,
    fact: 'does not serve each of its slots',
    remedy: '"mayfly doctor" says what to type.',
    means: 'not_now',
  },
  {
    reply: /^CLUSTERDOWN/,
    fact: 'takes no writes',
    remedy:
      'It does once it hears most masters, and each slot has one; with "cluster-require-full-coverage no" there, slots that have one do not wait for the others.',
    means: 'not_now',
  },
  {
    reply: /^NOREPLICAS/,
    fact: 'takes no writes',
    remedy: 'Start its replicas, or set "min-replicas-to-write 0" there.',
    means: 'not_now',
  },
  {
    reply: /^ERR unknown (\w+ )?command/i,
    fact: 'does not know a command that is needed',
    remedy: 'Take "rename-command" out of its configuration, or upgrade it.',
  },
  { reply: /^(NOSCRIPT|UNBLOCKED|-?FAILOVER)/, fact: 'refuses a command', remedy: 'Its log may say why.', means: 'not_now' },
]

/** `not_now`: the same node may execute the command in a moment. `full`: its memory has no room for it. `unwritable`: its disk has none. */
type Meaning = 'not_now' | 'full' | 'unwritable'

export const meaningOf = (error: EngineError): Meaning | undefined => findRefusal(error)?.means

export type Lack = Exclude<Meaning, 'not_now'>

/** Names the part of a node that has no room for a command which it refused. */
export function lackOf(error: unknown): Lack | undefined {
  const means = error instanceof EngineError ? meaningOf(error) : undefined
  return means === 'not_now' ? undefined : means
}

const findRefusal = ({ message }: Error) => REFUSALS.find(({ reply }) => reply.test(message))

/** The first sentence of a reply. The second of a node that is busy says what it still does. */
const shortReply = ({ message }: Error) => withoutFullStop(message.startsWith('BUSY') ? message : message.replace(/\. .*$/s, ''))

/** Why a node refuses a command, and the remedy. */
export function describeRefusal(name: string, error: Error): { readonly fact: string; readonly remedy: string } {
  const { fact, remedy } = findRefusal(error) ?? { fact: 'cannot be used', remedy: 'Its log may say why.' }
  // Behind a password that is wrong the reply is another.
  const why = error.message.startsWith('NOAUTH') ? 'it asks for a password' : shortReply(error)
  return { fact: `The mail store at ${name} ${fact}: ${why}.`, remedy }
}

/** Why a connection failed, on one line without the address. */
export function connectionReason(error: unknown): string {
  const reason = error instanceof NotConnected ? error.cause : error
  // One for each address of a name.
  if (reason instanceof AggregateError) return connectionReason(reason.errors[0])
  if (!(reason instanceof Error)) return String(reason)
  if (reason instanceof EngineError) return shortReply(reason)
  // The message of OpenSSL begins with a number and a place in its source.
  if (isOfOpenssl(reason) && 'reason' in reason) return String(reason.reason)
  const place = 'address' in reason && 'port' in reason ? ` ${reason.address}:${reason.port}` : ''
  // Node.js adds advice of its own, which is not that of `connectionRemedy`.
  return withoutFullStop(reason.message.replace(place, '').replace(/; if the root CA is installed locally.*$/s, ''))
}

/** For a text that goes on behind it. */
export const withoutFullStop = (text: string) => text.replace(/\.$/, '')

const isOfOpenssl = (error: Error) => 'code' in error && String(error.code).startsWith('ERR_SSL_')

/** A node that ran hung up in the middle of a conversation, as it does where more waits for us than it allows. */
export const isCut = (error: unknown): error is Error => error instanceof Error && error.message === CLOSED

const RAISE_LIMITS = 'If it runs, raise "client-output-buffer-limit" there, "maxmemory-clients", or the limit that its log names.'

/** What to change where the reason of a failed connection to a node shows it. */
export function connectionRemedy(error: unknown, name: string): string | undefined {
  const reason = error instanceof NotConnected ? error.cause : error
  if (!(reason instanceof Error)) return undefined
  if (reason instanceof EngineError) return findRefusal(reason)?.remedy
  if (reason.message === NOT_OURS || reason.message === HUNG_UP)
    return `If it speaks TLS, write rediss:// in MAIL_STORE_URL.${reason.message === HUNG_UP ? ` ${RAISE_LIMITS}` : ''}`
  // An engine that takes no more connections cannot say so before the handshake.
  if (reason.message === HUNG_UP_UNSEEN) return `If it runs, it takes no more connections. ${FULL_REMEDY}`
  if (reason.message === CLOSED) return RAISE_LIMITS
  if (isOfOpenssl(reason) && /certificate required$/.test(connectionReason(reason)))
    return (
      'If the port in MAIL_STORE_URL is right, let it ask for none, with one of your own: ' +
      `type "${cli(true)} --cert cert.pem --key key.pem ${atNode(name)} config set tls-auth-clients no".`
    )
  // An alert comes from a node that speaks TLS. Before version 1.3 it does not say that it wants a certificate.
  if (isOfOpenssl(reason) && /alert|protocol/.test(connectionReason(reason)))
    return 'Restart it with the "tls-protocols", "tls-ciphers" and "tls-ciphersuites" of the other nodes, and with "tls-auth-clients no".'
  if (isOfOpenssl(reason)) return 'If it does not speak TLS, write redis:// in MAIL_STORE_URL.'
  return certificateRemedy(reason)
}

type Pending = {
  readonly resolve: (reply: EngineReply) => void
  readonly reject: (error: Error) => void
  /** The channel that it unsubscribes. */
  readonly left: string | undefined
}

/** `onRing`: a message on a subscribed channel, with its text. `onDropped`: the node ended a subscription because its slot moved. */
type Listener = { readonly onRing: (channel: string, message: string) => void; readonly onDropped: (channel: string) => void }

export class NodeConnection {
  readonly address: NodeAddress
  /** Resolves when the connection is closed, for any reason. */
  readonly ended: Promise<void>
  /** The end of the node's certificate; `undefined` without TLS, and before the handshake. */
  certificateExpiresAt: number | undefined
  readonly access: ClusterAccess
  readonly #silenceMsMax: number
  readonly #socket: Socket
  readonly #replies = new ReplyReader()
  /** Commands without a reply, in their order. */
  readonly #pending: Pending[] = []
  readonly #loaded = new Set<string>()
  #unsent: (string | Uint8Array)[] = []
  #isFlushing = false
  #missing: 'address of its name' | 'connection' | 'TLS handshake' | 'reply' = 'address of its name'
  #isReady = false
  #isEnded = false
  #hasReplied = false
  #error: Error | undefined
  #listener: Listener | undefined
  #heardAtMs = 0
  #timer: NodeJS.Timeout | undefined

  constructor(address: NodeAddress, access: ClusterAccess, { connectMsMax, silenceMsMax } = PATIENCE) {
    const { username, password, isEncrypted } = access
    this.address = address
    this.access = access
    this.#silenceMsMax = silenceMsMax
    const { host } = address
    this.#socket = isEncrypted
      ? // A certificate for an address is checked against that, and RFC 6066 allows no address as the name that is asked for.
        connectTls({ ...address, ...(isIP(host) ? {} : { servername: host }) })
      : connect(address)
    this.#socket.setNoDelay()
    const { promise, resolve } = Promise.withResolvers<void>()
    this.ended = promise
    if (isIP(host)) this.#missing = 'connection'
    else this.#socket.once('lookup', error => (this.#missing = error ? this.#missing : 'connection'))
    if (isEncrypted) this.#socket.once('connect', () => (this.#missing = 'TLS handshake'))
    this.#timer = setTimeout(() => this.#end(new Error(`no ${this.#missing} within ${connectMsMax} ms`)), connectMsMax)
    // TLS may report several, such as a certificate that has expired and what the other side says of the end.
    this.#socket.on('error', error => {
      this.#error ??= error
    })
    this.#socket.on('data', bytes => this.#hear(bytes))
    this.#socket.once(isEncrypted ? 'secureConnect' : 'connect', () => this.#begin())
    this.#socket.once('close', () => {
      // As a node does that expects TLS.
      const isHungUp = this.#isReady && !this.#isEnded && !this.#hasReplied && !isEncrypted
      if (isHungUp && (this.#error === undefined || isReset(this.#error))) this.#error = new Error(HUNG_UP)
      if (!this.#isReady && this.#missing === 'TLS handshake' && this.#error && isReset(this.#error))
        this.#error = new Error(HUNG_UP_UNSEEN)
      this.#settleAll()
      resolve()
    })
    if (password === undefined) return
    this.#pending.push({ resolve: () => undefined, reject: error => this.#end(error), left: undefined })
    this.#write(['AUTH', ...(username === undefined ? [] : [username]), password])
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  get name(): string {
    return addressKey(this.address)
  }

  get isEncrypted(): boolean {
    return this.access.isEncrypted
  }

  /** The next that is waited for. */
  get missing(): string {
    return this.#missing
  }

  /** Sends commands in the order of the calls. Rejects with the engine's error, or with the reason why the connection closed. */
  call(...words: readonly [name: string, ...args: Argument[]]): Promise<EngineReply> {
    return new Promise((resolve, reject) => {
      if (this.#isEnded) return reject(this.#reason())
      this.#pending.push({ resolve, reject, left: words[0] === 'SUNSUBSCRIBE' ? String(words[1]) : undefined })
      this.#write(words)
    })
  }

  /** `isAsking`: the slot is moving to this node, which serves it only after ASKING. */
  run(script: Script, keys: readonly string[], args: readonly Argument[], isAsking = false): Promise<EngineReply> {
    if (!this.#loaded.has(script.sha1)) {
      this.#loaded.add(script.sha1)
      this.call('SCRIPT', 'LOAD', script.lua).catch(() => this.#loaded.delete(script.sha1))
    }
    if (isAsking) this.call('ASKING').catch(() => undefined)
    return this.call('EVALSHA', script.sha1, keys.length, ...keys, ...args)
  }

  listen(listener: Listener): void {
    this.#listener = listener
  }

  /** What was sent may still be replied to. */
  close(): void {
    if (!this.#isReady) this.#socket.destroy()
    if (this.#isEnded) return
    this.#isEnded = true
    this.#flush()
    this.#socket.end()
    setTimeout(() => this.#socket.destroy(), CLOSE_MS_MAX).unref()
  }

  #begin(): void {
    // A connection that is closed shows it no more.
    if (this.#socket instanceof TLSSocket) this.certificateExpiresAt = Date.parse(this.#socket.getPeerCertificate().valid_to)
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isReady = true
    this.#missing = 'reply'
    this.#heardAtMs = performance.now()
    this.#flush()
    this.#expectReply(this.#silenceMsMax)
  }

  #write(words: readonly Argument[]): void {
    let text = `*${words.length}\r\n`
    for (const word of words) {
      if (word instanceof Uint8Array) {
        this.#unsent.push(`${text}$${word.byteLength}\r\n`, word)
        text = '\r\n'
      } else {
        text += `$${typeof word === 'string' ? Buffer.byteLength(word) : `${word}`.length}\r\n${word}\r\n`
      }
    }
    this.#unsent.push(text)
    if (this.#isFlushing || !this.#isReady) return
    this.#isFlushing = true
    // What is sent in one turn of the event loop shares a packet, which is one call of the system here and one on the node.
    setImmediate(() => {
      this.#isFlushing = false
      this.#flush()
    })
    if (this.#timer !== undefined) return
    this.#heardAtMs = performance.now()
    this.#expectReply(this.#silenceMsMax)
  }

  #flush(): void {
    if (this.#unsent.length === 0) return
    const parts = this.#unsent
    this.#unsent = []
    let length = 0
    for (const part of parts) length += typeof part === 'string' ? Buffer.byteLength(part) : part.byteLength
    const packet = Buffer.allocUnsafe(length)
    let at = 0
    for (const part of parts) {
      if (typeof part === 'string') {
        at += packet.write(part, at)
      } else {
        packet.set(part, at)
        at += part.byteLength
      }
    }
    this.#socket.write(packet)
  }

  #hear(bytes: Buffer): void {
    this.#heardAtMs = performance.now()
    try {
      this.#replies.read(bytes, reply => this.#settle(reply))
    } catch (error) {
      this.#end(error as Error)
    }
  }

  #settle(reply: EngineReply | EngineError): void {
    this.#hasReplied = true
    if (this.#listener && Array.isArray(reply) && this.#isPush(reply, this.#listener)) return
    if (reply instanceof EngineError && findRefusal(reply)?.isFinal) {
      this.#end(reply)
      return
    }
    const pending = this.#pending.shift()
    if (!pending) throw new Error('the node replied to nothing')
    // Behind an AUTH that was refused a command may be executed by another user, who may need no password.
    if (this.#error) {
      pending.reject(this.#error)
      return
    }
    if (!(reply instanceof EngineError)) {
      pending.resolve(reply)
      return
    }
    // The engine dropped its scripts (SCRIPT FLUSH): the next tries load them again.
    if (reply.message.startsWith('NOSCRIPT')) this.#loaded.clear()
    pending.reject(reply)
  }

  /** Whether a node sent it by itself. */
  #isPush([kind, channel, message]: readonly EngineReply[], { onRing, onDropped }: Listener): boolean {
    const name = String(kind)
    if (name === 'smessage') onRing(String(channel), String(message))
    else if (name === 'sunsubscribe' && this.#pending[0]?.left !== String(channel)) onDropped(String(channel))
    else return false
    return true
  }

  #expectReply(ms: number): void {
    // What came during a stall of this process is read before the check.
    this.#timer = setTimeout(() => setImmediate(() => this.#checkSilence()), ms).unref()
  }

  #checkSilence(): void {
    this.#timer = undefined
    if (this.#pending.length === 0 || this.#isEnded) return
    const leftMs = this.#silenceMsMax - (performance.now() - this.#heardAtMs)
    if (leftMs > 0) this.#expectReply(leftMs)
    else this.#end(new Error(`no reply within ${this.#silenceMsMax} ms`))
  }

  #end(error: Error): void {
    this.#error ??= error
    this.#socket.destroy()
  }

  #settleAll(): void {
    this.#isEnded = true
    clearTimeout(this.#timer)
    for (const { reject } of this.#pending.splice(0)) reject(this.#reason())
  }

  #reason(): Error {
    const error = this.#error ?? new Error(CLOSED)
    // It may refuse our part of the handshake when we have taken its own.
    const isConnected = this.#isReady && (this.#hasReplied || !isOfOpenssl(error))
    return isConnected ? error : new NotConnected(error.message, { cause: error })
  }
}

const isReset = (error: Error) => 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
