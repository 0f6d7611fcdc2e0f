/** A stub resolver (RFC 1035). Node's tells no TTL and refuses names with `:` or `%`, which SPF may name (RFC 7208 section 7.1). */
import { randomInt } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { connect, isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { BoundedMap } from '../bounded-map.ts'

const TYPES = { A: 1, CNAME: 5, PTR: 12, MX: 15, TXT: 16, AAAA: 28 } as const
const SOA = 6
const OPT = 41
const CLASS_IN = 1
const CLASS_BYTES = 4
const HEADER_BYTES = 12
const TRUNCATED = 0x0200
const ID_MAX = 0x10000
/** What every path carries without fragments. */
const UDP_BYTES_MAX = 1232
const LABEL_BYTES_MAX = 63
const NAME_BYTES_MAX = 253
/** A name is at most 127 labels, and each pointer must lead to an earlier one. */
const POINTERS_MAX = 127
/** Records of one type in an answer: domains have some dozens. Names take longest to decode, 4 ms for so many of 111 labels. */
const RECORDS_MAX = 256

/** Queries of one socket. The next one has another port, which nobody else can guess. */
const QUERIES_MAX = 100

/** Answers that are kept. An answer has a few hundred bytes, and `ANSWER_BYTES_KEPT_MAX` at most. */
const KEPT_MAX = 2000
const ANSWER_BYTES_KEPT_MAX = 8 * 1024
/** An owner who mends a record is believed within the hour, whatever its TTL. */
const TTL_S_MAX = 3600

/** A record as Node returns it: an address, a name, the strings of a TXT record, or a mail exchanger. */
export type DnsRecord = string | string[] | { readonly exchange: string; readonly priority: number }
type Answer = { readonly records: readonly DnsRecord[]; readonly ttlS: number; readonly code?: string }
type Kept = { readonly answer: Answer; readonly until: number }
type Address = { readonly address: string; readonly port: number }
type Options = {
  /** `address` or `address:port`, asked in this order. */
  readonly servers: readonly string[]
  /** For one query to one server. */
  readonly timeoutMs: number
  /** Monotonic milliseconds. */
  readonly nowMs: () => number
}

/**
 * Looks up one record set. Rejects with `code` `ENOTFOUND` or `ENODATA` if there is none, `EBADNAME` for what cannot be a name in DNS, and
 * another one if no server had an answer. Answers are kept for as long as they hold; `noteUntil` is called with that time, also for the
 * answer that there is none.
 */
export type DnsResolve = (name: string, type: string, noteUntil?: (untilMs: number) => void) => Promise<readonly DnsRecord[]>

export function createDnsResolver({ servers, timeoutMs, nowMs }: Options): DnsResolve {
  const known = new BoundedMap<string, Kept>(KEPT_MAX)
  const asked = new Map<string, Promise<Answer>>()
  const all = servers.map(text => new DnsServer(parseServer(text), timeoutMs))
  // A single server is asked again: the query or its answer may be lost.
  const attempts = all.length === 1 ? [...all, ...all] : all

  async function ask(name: string, type: number): Promise<Answer> {
    let failure: unknown
    for (const [attempt, server] of attempts.entries()) {
      try {
        return decodeAnswer(await server.ask(name, type, attempt === 0), type, name)
      } catch (error) {
        failure = error
      }
    }
    throw failure ?? dnsError('ENOTINITIALIZED', name)
  }

  function lookUp(key: string, name: string, type: number): Promise<Answer> {
    const running = asked.get(key)
    if (running) return running
    const started = ask(name, type).finally(() => asked.delete(key))
    asked.set(key, started)
    return started
  }

  async function find(name: string, typeName: string): Promise<Kept> {
    const key = `${typeName} ${name.toLowerCase()}`
    const kept = known.get(key)
    if (kept && kept.until > nowMs()) return kept
    const answer = await lookUp(key, name, TYPES[typeName as keyof typeof TYPES])
    const found = { answer, until: nowMs() + Math.min(answer.ttlS, TTL_S_MAX) * 1000 }
    if (answer.ttlS > 0 && bytesOf(answer) <= ANSWER_BYTES_KEPT_MAX) known.set(key, found)
    return found
  }

  return async (name, typeName, noteUntil) => {
    const { answer, until } = await find(name, typeName)
    noteUntil?.(until)
    if (answer.code !== undefined) throw dnsError(answer.code, name)
    return answer.records
  }
}

const dnsError = (code: string, name: string): Error => Object.assign(new Error(`DNS: ${code} for ${name}`), { code })

function bytesOf({ records }: Answer): number {
  return records.flat().reduce((sum, record) => sum + (typeof record === 'string' ? record.length : record.exchange.length), 0)
}

function parseServer(text: string): Address {
  if (isIP(text) !== 0) return { address: text, port: 53 }
  const { address = '', port = '53' } = /^\[?(?<address>.*?)\]?:(?<port>\d+)$/.exec(text)?.groups ?? {}
  return { address, port: Number(port) }
}

type Waiting = { readonly question: Buffer; readonly resolve: (reply: Buffer) => void; readonly reject: (error: Error) => void }

class DnsServer {
  readonly #address: Address
  readonly #timeoutMs: number
  #channel: UdpChannel | undefined

  constructor(address: Address, timeoutMs: number) {
    this.#address = address
    this.#timeoutMs = timeoutMs
  }

  /** Resolves to the reply to one question, over TCP if it does not fit into a datagram. */
  async ask(name: string, type: number, hasExtension: boolean): Promise<Buffer> {
    const question = encodeQuestion(name, type)
    const query = encodeQuery(question, hasExtension)
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(dnsError('ETIMEOUT', name)), this.#timeoutMs)
    try {
      if (!this.#channel?.isOpen) this.#channel = new UdpChannel(this.#address)
      const reply = await this.#channel.ask(query, question, late.promise)
      return (reply.readUInt16BE(2) & TRUNCATED) === 0 ? reply : await overTcp(this.#address, query, question, late.promise)
    } finally {
      clearTimeout(timer)
    }
  }
}

/** A socket that is connected, so that only its server can answer, and so that a closed port is noticed. */
class UdpChannel {
  readonly #socket: Socket
  readonly #waiting = new Map<number, Waiting>()
  readonly #connected: Promise<void>
  #queriesLeft = QUERIES_MAX
  #isBroken = false

  constructor({ address, port }: Address) {
    this.#socket = createSocket(isIP(address) === 6 ? 'udp6' : 'udp4').unref()
    this.#connected = new Promise(resolve => this.#socket.once('connect', resolve))
    this.#socket.connect(port, address)
    this.#socket.on('message', reply => {
      const asked = this.#waiting.get(reply.length < HEADER_BYTES ? -1 : reply.readUInt16BE(0))
      if (asked && isReplyTo(reply, asked.question)) asked.resolve(reply)
    })
    this.#socket.on('error', () => {
      this.#isBroken = true
      for (const { reject } of this.#waiting.values()) reject(dnsError('ECONNREFUSED', address))
    })
  }

  get isOpen(): boolean {
    return !this.#isBroken && this.#queriesLeft > 0
  }

  /** Gives the query an id of its own. */
  async ask(query: Buffer, question: Buffer, late: Promise<never>): Promise<Buffer> {
    this.#queriesLeft--
    let id = randomInt(ID_MAX)
    while (this.#waiting.has(id)) id = randomInt(ID_MAX)
    query.writeUInt16BE(id, 0)
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
    this.#waiting.set(id, { question, resolve, reject })
    try {
      await Promise.race([this.#connected, promise, late])
      this.#socket.send(query)
      return await Promise.race([promise, late])
    } finally {
      this.#waiting.delete(id)
      if (this.#waiting.size === 0 && !this.isOpen) this.#socket.close()
    }
  }
}

function encodeQuestion(name: string, type: number): Buffer {
  const labels = name.split('.').map(label => Buffer.from(label, 'utf8'))
  if (labels.some(({ length }) => length === 0 || length > LABEL_BYTES_MAX) || Buffer.byteLength(name) > NAME_BYTES_MAX)
    throw dnsError('EBADNAME', name)
  return Buffer.concat([...labels.flatMap(label => [Buffer.of(label.length), label]), Buffer.of(0, 0, type, 0, CLASS_IN)])
}

/** With recursion desired, and an OPT record (RFC 6891) that allows answers of more than 512 bytes. */
function encodeQuery(question: Buffer, hasExtension: boolean): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt16BE(0x0100, 2)
  header.writeUInt16BE(1, 4)
  if (!hasExtension) return Buffer.concat([header, question])
  header.writeUInt16BE(1, 10)
  return Buffer.concat([header, question, Buffer.of(0, 0, OPT, UDP_BYTES_MAX >> 8, UDP_BYTES_MAX & 255, 0, 0, 0, 0, 0, 0)])
}

/** Names are compared without regard to case, which leaves the other bytes of a question as they are. */
function isReplyTo(reply: Buffer, question: Buffer): boolean {
  const asked = reply.subarray(HEADER_BYTES, HEADER_BYTES + question.length)
  const lower = (bytes: Buffer) => bytes.toString('latin1').toLowerCase()
  return (reply[2] ?? 0) >= 0x80 && (asked.equals(question) || lower(asked) === lower(question))
}

/** Each message follows its length (RFC 1035 section 4.2.2). */
function overTcp({ address, port }: Address, query: Buffer, question: Buffer, late: Promise<never>): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const socket = connect({ port, host: address, noDelay: true })
  let heard = Buffer.alloc(0)
  socket.on('error', () => reject(dnsError('ECONNREFUSED', address)))
  socket.on('close', () => reject(dnsError('EBADRESP', address)))
  socket.on('data', bytes => {
    heard = Buffer.concat([heard, bytes])
    if (heard.length < 2 || heard.length < 2 + heard.readUInt16BE(0)) return
    const reply = heard.subarray(2, 2 + heard.readUInt16BE(0))
    if (reply.length >= HEADER_BYTES && reply.readUInt16BE(0) === query.readUInt16BE(0) && isReplyTo(reply, question)) resolve(reply)
    else reject(dnsError('EBADRESP', address))
  })
  socket.write(Buffer.concat([Buffer.of(query.length >> 8, query.length & 255), query]))
  return Promise.race([promise, late]).finally(() => socket.destroy())
}

const FAILURES: Readonly<Record<number, string>> = { 1: 'EFORMERR', 2: 'ESERVFAIL', 4: 'ENOTIMP', 5: 'EREFUSED' }
const NAME_ERROR = 3

/** The records of the wanted type, whatever aliases led to them. Rejects what is no answer. */
function decodeAnswer(reply: Buffer, type: number, name: string): Answer {
  const code = (reply[3] ?? 0) & 15
  if (code !== 0 && code !== NAME_ERROR) throw dnsError(FAILURES[code] ?? 'EBADRESP', name)
  try {
    const { answers, authorities } = readSections(reply)
    const wanted = code === 0 ? answers.filter(each => each.type === type) : []
    if (wanted.length > RECORDS_MAX) throw new RangeError('more records than are decoded')
    const records = wanted.map(each => decodeRecord(reply, each))
    if (records.length > 0) return { records, ttlS: Math.min(...answers.map(({ ttlS }) => ttlS)) }
    return { records, ttlS: negativeTtl(reply, authorities), code: code === NAME_ERROR ? 'ENOTFOUND' : 'ENODATA' }
  } catch {
    throw dnsError('EBADRESP', name)
  }
}

type RawRecord = { readonly type: number; readonly ttlS: number; readonly start: number; readonly end: number }

function readSections(reply: Buffer): { readonly answers: readonly RawRecord[]; readonly authorities: readonly RawRecord[] } {
  let at = skipName(reply, HEADER_BYTES) + CLASS_BYTES
  const section = (count: number) =>
    Array.from({ length: count }, (): RawRecord => {
      const head = skipName(reply, at)
      const start = head + 10
      at = start + reply.readUInt16BE(head + 8)
      if (at > reply.length) throw new RangeError('the record is cut')
      return { type: reply.readUInt16BE(head), ttlS: reply.readInt32BE(head + 4), start, end: at }
    })
  return { answers: section(reply.readUInt16BE(6)), authorities: section(reply.readUInt16BE(8)) }
}

/** How long it is certain that there is nothing (RFC 2308 section 5). */
function negativeTtl(reply: Buffer, authorities: readonly RawRecord[]): number {
  const soa = authorities.find(({ type }) => type === SOA)
  return soa ? Math.min(soa.ttlS, reply.readInt32BE(soa.end - 4)) : 0
}

function decodeRecord(reply: Buffer, { type, start, end }: RawRecord): DnsRecord {
  const data = reply.subarray(start, end)
  if (type === TYPES.A || type === TYPES.AAAA) return ipaddr.fromByteArray([...data]).toString()
  if (type === TYPES.MX) return { priority: data.readUInt16BE(0), exchange: readName(reply, start + 2) }
  if (type !== TYPES.TXT) return readName(reply, start)
  const strings: string[] = []
  for (let at = 0; at < data.length; at += 1 + (data[at] ?? 0)) strings.push(data.toString('latin1', at + 1, at + 1 + (data[at] ?? 0)))
  return strings
}

/** Where a name ends. One with a pointer ends there (RFC 1035 section 4.1.4). */
function skipName(reply: Buffer, start: number): number {
  let at = start
  for (let length = reply.readUInt8(at); length > 0; length = reply.readUInt8(at)) {
    if (length >= 0xc0) return at + 2
    at += 1 + length
  }
  return at + 1
}

/** Follows pointers. A dot within a label is escaped. */
function readName(reply: Buffer, start: number): string {
  const labels: string[] = []
  let at = start
  for (let pointers = 0, length = reply.readUInt8(at); length > 0; length = reply.readUInt8(at)) {
    if (length < 0xc0) {
      labels.push(reply.toString('latin1', at + 1, at + 1 + length).replace(/[.\\]/g, '\\$&'))
      at += 1 + length
    } else {
      at = reply.readUInt16BE(at) & 0x3fff
      if (++pointers > POINTERS_MAX) throw new RangeError('pointers without an end')
    }
    if (labels.length > POINTERS_MAX) throw new RangeError('a name without an end')
  }
  return labels.join('.')
}
