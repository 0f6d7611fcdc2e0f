/** A small real DNS server on UDP (RFC 1035), for tests of misconfigured names. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import ipaddr from 'ipaddr.js'

/** By name in lower case and type: `{ 'x.example MX': ['mx.x.example'], 'x.example A': ['192.0.2.1'] }`. */
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
  [12, 'PTR'],
  [15, 'MX'],
  [16, 'TXT'],
  [28, 'AAAA'],
])
const NAME_ERROR = 3

/** Replies from `zone`, which the test may change at any time. Names that match `unanswered` get no reply. */
export async function startDnsServer(
  zone: Zone,
  { unanswered }: { readonly unanswered?: RegExp } = {},
): Promise<AsyncDisposable & { readonly address: string }> {
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    if (!unanswered?.test(questionOf(query).name)) socket.send(answer(query, zone), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    async [Symbol.asyncDispose]() {
      socket.close()
      await once(socket, 'close')
    },
  }
}

function questionOf(query: Buffer): { readonly name: string; readonly end: number } {
  let at = 12
  const labels: string[] = []
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), end: at }
}

function answer(query: Buffer, zone: Zone): Buffer {
  const { name, end: at } = questionOf(query)
  const type = query.readUInt16BE(at + 1)
  const question = query.subarray(12, at + 5)
  const values = zone[`${name} ${TYPES.get(type)}`] ?? []
  // A name exists when one below it does (RFC 8020).
  const isKnown = Object.keys(zone).some(key => `.${key}`.includes(`.${name} `))
  const header = Buffer.alloc(12)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x8180 | (isKnown ? 0 : NAME_ERROR), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(values.length, 6)
  return Buffer.concat([header, question, ...values.map(value => record(type, value))])
}

function record(type: number, value: string): Buffer {
  const data = recordData(type, value)
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(1, 6)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

function recordData(type: number, value: string): Buffer {
  if (type === 1) return Buffer.from(value.split('.').map(Number))
  if (type === 28) return Buffer.from(ipaddr.IPv6.parse(value).toByteArray())
  if (type === 16) return Buffer.concat([Buffer.of(value.length), Buffer.from(value)])
  const name = Buffer.concat([...value.split('.').map(label => Buffer.concat([Buffer.of(label.length), Buffer.from(label)])), Buffer.of(0)])
  return type === 15 ? Buffer.concat([Buffer.of(0, 10), name]) : name
}
