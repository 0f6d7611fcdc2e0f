import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { startDnsServer } from '#test/harness/servers/dns-server.ts'
import { createDnsResolver } from './dns-resolver.ts'

const ZONE = {
  'shop.test A': ['192.0.2.1', '192.0.2.2'],
  'shop.test AAAA': ['2001:db8::1'],
  'shop.test MX': ['5 mx.shop.test', '.'],
  'shop.test TXT': ['one', `${'long '.repeat(100)}`],
  '1.2.0.192.in-addr.arpa PTR': ['shop.test'],
  'www.shop.test CNAME': ['shop.test'],
  'a:b/c%d e.shop.test A': ['192.0.2.3'],
  'many.test A': Array.from({ length: 256 }, (_, i) => `192.0.2.${i}`),
  'more.test A': Array.from({ length: 257 }, (_, i) => `192.0.${i >> 8}.${i & 255}`),
}
const resolverOf = (servers: readonly string[], nowMs = () => 0) => createDnsResolver({ servers, timeoutMs: 300, nowMs })

test('each type is read as Node reads it, and aliases are followed', async () => {
  await using dns = await startDnsServer(ZONE)
  const resolve = resolverOf([dns.address])
  expect(await resolve('shop.test', 'A')).toEqual(['192.0.2.1', '192.0.2.2'])
  expect(await resolve('SHOP.test', 'AAAA')).toEqual(['2001:db8::1'])
  expect(await resolve('shop.test', 'MX')).toEqual([
    { priority: 5, exchange: 'mx.shop.test' },
    { priority: 10, exchange: '' },
  ])
  expect(await resolve('shop.test', 'TXT')).toEqual([['one'], [expect.stringMatching(/^(?:long ){51}$/), expect.any(String)]])
  expect(await resolve('1.2.0.192.in-addr.arpa', 'PTR')).toEqual(['shop.test'])
  expect(await resolve('www.shop.test', 'A')).toEqual(['192.0.2.1', '192.0.2.2'])
  expect(await resolve('www.shop.test', 'CNAME')).toEqual(['shop.test'])
})

test('a name may hold any character, but no label of 64 bytes', async () => {
  await using dns = await startDnsServer(ZONE)
  const resolve = resolverOf([dns.address])
  expect(await resolve('a:b/c%d e.shop.test', 'A')).toEqual(['192.0.2.3'])
  for (const name of [`${'a'.repeat(64)}.test`, 'a..test', `${'a.'.repeat(127)}test`])
    await expect(resolve(name, 'A')).rejects.toMatchObject({ code: 'EBADNAME' })
})

test('no such name and no such record are told apart from no answer', async () => {
  await using dns = await startDnsServer(ZONE, { fault: name => (name === 'broken.test' ? 'SERVFAIL' : undefined) })
  const resolve = resolverOf([dns.address])
  await expect(resolve('none.test', 'A')).rejects.toMatchObject({ code: 'ENOTFOUND' })
  await expect(resolve('shop.test', 'PTR')).rejects.toMatchObject({ code: 'ENODATA' })
  await expect(resolve('broken.test', 'A')).rejects.toMatchObject({ code: 'ESERVFAIL' })
  await expect(resolverOf(['127.0.0.1:1'])('shop.test', 'A')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})

test('an answer that does not fit is asked for over TCP, and the next server if one is silent', async () => {
  await using silent = await startDnsServer(ZONE, { fault: () => 'silent' })
  await using dns = await startDnsServer(ZONE, { fault: () => 'truncate' })
  expect(await resolverOf([silent.address, dns.address])('shop.test', 'A')).toHaveLength(2)
})

test('an answer of more records than any domain has is none: reading it would take up the thread', async () => {
  await using dns = await startDnsServer(ZONE, { fault: () => 'truncate' })
  expect(await resolverOf([dns.address])('many.test', 'A')).toHaveLength(256)
  await expect(resolverOf([dns.address])('more.test', 'A')).rejects.toMatchObject({ code: 'EBADRESP' })
})

test('an answer is kept for as long as it holds, and one that is being asked for is asked for once', async () => {
  let now = 0
  await using dns = await startDnsServer(ZONE, { ttlS: 60 })
  const resolve = resolverOf([dns.address], () => now)
  await Promise.all(Array.from({ length: 5 }, () => resolve('shop.test', 'A')))
  now = 59_000
  await resolve('Shop.test', 'A')
  expect(dns.asked).toEqual(['shop.test A'])
  now = 61_000
  await resolve('shop.test', 'A')
  expect(dns.asked).toHaveLength(2)
})

test.each([
  ['another id', (reply: Buffer) => reply.writeUInt16BE((reply.readUInt16BE(0) + 1) & 0xffff, 0)],
  ['another question', (reply: Buffer) => reply.write('x', 13)],
  ['a query', (reply: Buffer) => reply.writeUInt8(0, 2)],
])('%s is no answer', async (_, change) => {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  socket.on('message', (query, peer) => {
    const reply = Buffer.from(query)
    reply.writeUInt16BE(0x8183, 2)
    change(reply)
    socket.send(reply, peer.port, peer.address)
  })
  await expect(resolverOf([`127.0.0.1:${socket.address().port}`])('shop.test', 'A')).rejects.toMatchObject({ code: 'ETIMEOUT' })
  socket.close()
})

test('an answer with pointers that lead to each other, or that is cut, is none', async () => {
  for (const data of [
    Buffer.of(0xc0, 0x0c, 0, 12, 0, 1, 0, 0, 0, 1, 0, 2, 0xc0, 0x27),
    Buffer.of(0xc0, 0x0c, 0, 12, 0, 1, 0, 0, 0, 1, 0, 9, 1),
  ]) {
    const socket = createSocket('udp4').bind(0, '127.0.0.1')
    await once(socket, 'listening')
    socket.on('message', (query, peer) => {
      const reply = Buffer.concat([query.subarray(0, 27), data])
      reply.writeUInt16BE(0x8180, 2)
      reply.writeUInt16BE(1, 6)
      reply.writeUInt16BE(0, 10)
      socket.send(reply, peer.port, peer.address)
    })
    await expect(resolverOf([`127.0.0.1:${socket.address().port}`])('shop.test', 'PTR')).rejects.toMatchObject({ code: 'EBADRESP' })
    socket.close()
  }
})
