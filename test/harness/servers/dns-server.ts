/** A small real DNS server on UDP and TCP (RFC 1035), for tests of misconfigured names and of servers that fail. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * By name in lower case and type: `{ 'x.example MX': ['mx.x.example'], 'x.example A': ['192.0.2.1'] }`. A mail exchanger may have its
 * priority before it. Characters of a TXT record are bytes.
 */
export type Zone = Record<string, readonly string[]>

/** What the DNS of a deployment on this machine should hold: `host` receives the mail of `domain`, which sends none. */
export function healthyZone(domain: string, host: string): Zone {
  return {
    [`${domain} MX`]: [host],
    [`${host} A`]: ['127.0.0.1'],
    [`${domain} A`]: ['127.0.0.1'],
    '1.0.0.127.in-addr.arpa PTR': [host],
    [`${domain} TXT`]: ['v=spf1 -all'],
    [`_dmarc.${domain} TXT`]: ['v=DMARC1; p=reject'],
    [`key._domainkey.${domain} TXT`]: ['v=DKIM1; k=rsa; p=MIIB'],
    // What public lists always list.
    'dbltest.com.dbl.spamhaus.org A': ['127.0.1.2'],
    'surbl-org-permanent-test-point.com.multi.surbl.org A': ['127.0.0.254'],
    '2.0.0.127.zen.spamhaus.org A': ['127.0.0.2'],
    '2.0.0.127.bl.spamcop.net A': ['127.0.0.2'],
    '2.0.0.127.psbl.surriel.com A': ['127.0.0.2'],
  }
}

const TYPES = new Map([
  [1, 'A'],
  [5, 'CNAME'],
  [12, 'PTR'],
  [15, 'MX'],
  [16, 'TXT'],
  [28, 'AAAA'],
])
const SERVER_FAILURE = 2
const NAME_ERROR = 3
const REFUSED = 5
const TRUNCATED = 0x0200

/** The server does this instead of replying. `truncate` sends the answer over TCP only. */
export type DnsFault = 'silent' | 'SERVFAIL' | 'REFUSED' | 'truncate'

type Options = {
  /** By default a free one. */
  readonly port?: number
  /** Chosen for each query over UDP; `count` is how many have asked this name and type, this one included. */
  readonly fault?: (name: string, type: string, count: number) => DnsFault | undefined
  /** How long answers hold. */
  readonly ttlS?: number
}

/** Replies from `zone`, which the test may change at any time. */
export async function startDnsServer(
  zone: Zone,
  { port: wantedPort = 0, fault = () => undefined, ttlS = 1 }: Options = {},
): Promise<AsyncDisposable & { readonly address: string; readonly asked: readonly string[] }> {
  const asked: string[] = []
  const tcp = createServer(socket => answerOverTcp(socket, query => answer(query, zone, ttlS)))
  tcp.listen(wantedPort, '127.0.0.1')
  await once(tcp, 'listening')
  const listening = tcp.address()
  const port = typeof listening === 'object' && listening ? listening.port : 0
  const socket = createSocket('udp4')
  socket.on('message', (query, peer) => {
    const { name, type } = questionOf(query)
    asked.push(`${name} ${type}`)
    const found = fault(name, type, asked.filter(each => each === `${name} ${type}`).length)
    if (found !== 'silent') socket.send(found ? faultyAnswer(query, found) : answer(query, zone, ttlS), peer.port, peer.address)
  })
  socket.bind(port, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${port}`,
    asked,
    async [Symbol.asyncDispose]() {
      socket.close()
      tcp.close()
      await Promise.all([once(socket, 'close'), once(tcp, 'close')])
    },
  }
}

/** Each message follows its length (RFC 1035 section 4.2.2). */
function answerOverTcp(socket: Socket, answerTo: (query: Buffer) => Buffer): void {
  let heard = Buffer.alloc(0)
  socket.on('error', () => socket.destroy())
  socket.on('data', bytes => {
    heard = Buffer.concat([heard, bytes])
    while (heard.length >= 2 && heard.length >= 2 + heard.readUInt16BE(0)) {
      const end = 2 + heard.readUInt16BE(0)
      const reply = answerTo(heard.subarray(2, end))
      socket.write(Buffer.concat([Buffer.of(reply.length >> 8, reply.length & 255), reply]))
      heard = heard.subarray(end)
    }
  })
}

function faultyAnswer(query: Buffer, fault: Exclude<DnsFault, 'silent'>): Buffer {
  const { end } = questionOf(query)
  const reply = Buffer.concat([Buffer.alloc(12), query.subarray(12, end)])
  query.copy(reply, 0, 0, 2)
  reply.writeUInt16BE(0x8180 | { SERVFAIL: SERVER_FAILURE, REFUSED, truncate: TRUNCATED }[fault], 2)
  reply.writeUInt16BE(1, 4)
  return reply
}

/** `end` is that of the whole question. */
function questionOf(query: Buffer): { readonly name: string; readonly type: string; readonly end: number } {
  let at = 12
  const labels: string[] = []
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), type: TYPES.get(query.readUInt16BE(at + 1)) ?? 'other', end: at + 5 }
}

/** Follows one alias, as a resolver does that answers for others. */
function answer(query: Buffer, zone: Zone, ttlS: number): Buffer {
  const { name, type, end } = questionOf(query)
  const typeNumber = query.readUInt16BE(end - 4)
  const [alias] = type === 'CNAME' ? [] : (zone[`${name} CNAME`] ?? [])
  const owner = alias?.toLowerCase() ?? name
  const values = zone[`${owner} ${type}`] ?? []
  // A name exists when one below it does (RFC 8020).
  const isKnown = Object.keys(zone).some(key => `.${key}`.includes(`.${owner} `))
  const records = values.map(value => record(owner, typeNumber, value, ttlS))
  if (alias !== undefined) records.unshift(record(name, 5, alias, ttlS))
  // How long it is certain that there is nothing (RFC 2308 section 5).
  const authorities = values.length === 0 ? [record(owner, 6, '.', ttlS)] : []
  const header = Buffer.alloc(12)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x8180 | (isKnown ? 0 : NAME_ERROR), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records.length, 6)
  header.writeUInt16BE(authorities.length, 8)
  return Buffer.concat([header, query.subarray(12, end), ...records, ...authorities])
}

function record(owner: string, type: number, value: string, ttlS: number): Buffer {
  const data = type === 6 ? startOfAuthority(ttlS) : recordData(type, value)
  const head = Buffer.alloc(10)
  head.writeUInt16BE(type, 0)
  head.writeUInt16BE(1, 2)
  head.writeUInt32BE(ttlS, 4)
  head.writeUInt16BE(data.length, 8)
  return Buffer.concat([encodeName(owner), head, data])
}

/** The root, as in a null MX record (RFC 7505), is written as a dot. */
function encodeName(name: string): Buffer {
  const labels = name.split('.').filter(label => label !== '')
  return Buffer.concat([...labels.flatMap(label => [Buffer.of(label.length), Buffer.from(label, 'latin1')]), Buffer.of(0)])
}

/** Two names, and five numbers of which the last is the TTL of what there is not. */
function startOfAuthority(ttlS: number): Buffer {
  const data = Buffer.alloc(22)
  data.writeUInt32BE(ttlS, 18)
  return data
}

function recordData(type: number, value: string): Buffer {
  if (type === 1) return Buffer.from(value.split('.').map(Number))
  if (type === 28) return Buffer.from(ipaddr.IPv6.parse(value).toByteArray())
  if (type === 16) {
    const strings = value.match(/.{1,255}/gs) ?? ['']
    return Buffer.concat(strings.flatMap(text => [Buffer.of(text.length), Buffer.from(text, 'latin1')]))
  }
  const [, priority = '10', name = ''] = /^(?:(\d+) )?(.*)$/.exec(value) ?? []
  return type === 15 ? Buffer.concat([Buffer.of(0, Number(priority)), encodeName(name)]) : encodeName(value)
}
