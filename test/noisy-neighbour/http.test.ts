/** Each test has one shared resource, one attacker and one victim on the HTTP port. */

import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { KIB, MIB } from '#contract/limits.ts'
import * as mailboxApi from '#contract/mailbox.ts'
import { pathTo } from '#contract/path-to.ts'
import { routes } from '#contract/routes.ts'
import { connectionBudget } from '#server/http/connections/connection-limit.ts'
import { StreamLimit } from '#server/http/connections/stream-limit.ts'
import { createAuthenticator } from '#server/mail/authentication/authenticate.ts'
import { createLog } from '#server/platform/log.ts'
import { beside } from '../harness/beside.ts'
import { deliver } from '../harness/clients/smtp-client.ts'
import { startTestServer } from '../harness/mayfly/start-test-server.ts'
import { testTelemetry } from '../harness/mayfly/test-telemetry.ts'
import { withAuthors } from '../harness/mayfly/with-authors.ts'
import { startDnsServer } from '../harness/servers/dns-server.ts'
import { canMount, mountSmallDisk } from '../harness/small-disk.ts'
import { ask, messageIds, newMailbox, plant, slowReader, Victim } from './http-neighbours.ts'
import { ATTACKER, NOBODY_TRUSTED, percentile, ROUNDS, report, VICTIM } from './neighbours.ts'

/** Far above the goal, because other tests may run on this machine. */
const WAIT_MS_MAX = 10_000

// In memory if possible, so that other writes to the disk neither count nor delay.
beforeEach(() => {
  if (existsSync('/dev/shm')) vi.stubEnv('TMPDIR', '/dev/shm')
})
afterEach(() => vi.unstubAllEnvs())

/** The routes that send a whole mail or a part of it, which may have many MiB. A new one needs a path here. */
const wholeMails = Object.values<object>(mailboxApi).filter(
  value => 'response' in value && ['bytes', 'message', mailboxApi.messageSchema].some(whole => whole === value.response),
)

test('unread responses: whatever route sends them, a client has only one share, also after it disconnected early', async () => {
  await using server = await startTestServer({ env: NOBODY_TRUSTED, isClockRunning: true })
  await using victim = await Victim.enter(server)
  const { email, token } = await newMailbox(server, ATTACKER)
  // JSON writes a quotation mark as two characters.
  const lines = `${'"'.repeat(76)}\r\n`.repeat((11 * MIB) / 78)
  const part = (head: string) => `--b\r\nContent-Type: text/plain\r\n${head}\r\n${lines}`
  const parts = part('') + part('Content-Disposition: attachment; filename=a.txt\r\n')
  await plant(server, email, `Subject: large\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${parts}--b--\r\n`)
  const [id = ''] = await messageIds(server, ATTACKER, token)
  const { url } = JSON.parse((await ask(server, ATTACKER, pathTo(routes.attachmentLink, { id, index: '0' }), token, 'POST')).body)
  /** With how many responses fill the share of 64 MiB: the mail has 22 MiB, its attachment 11, and a long text is cut. */
  const paths = new Map<string, number>([
    [pathTo(routes.raw, { id }), 2],
    [pathTo(routes.attachment, { id, index: '0' }), 5],
    [url, 5],
    [pathTo(routes.message, { id }), 8],
    [routes.wait, 8],
  ])
  expect(paths.size).toBe(wholeMails.length)
  for (const [path, share] of paths) {
    for (let reader = 0; reader < 6; reader++) (await slowReader(server, ATTACKER, path, token)).socket.resetAndDestroy()
    await victim.lives()
    using held = new DisposableStack()
    const statuses: number[] = []
    for (let reader = 0; reader < 10; reader++) {
      const { status, socket } = await slowReader(server, ATTACKER, path, token)
      held.defer(() => socket.destroy())
      statuses.push(status)
    }
    await victim.lives()
    const granted = statuses.filter(status => status === 200).length
    victim.report('memory for responses', `after 6 that left early, ${granted} of 10 slow readers of ${path} were served`)
    expect(granted, path).toBe(share)
    expect(statuses.filter(status => status === 429)).toHaveLength(10 - share)
  }
})

test('pipelined requests: of a client that does not read its responses no more are read', async () => {
  await using server = await startTestServer({ env: NOBODY_TRUSTED, isClockRunning: true })
  await using victim = await Victim.enter(server)
  const { email, token } = await newMailbox(server, ATTACKER)
  for (let mail = 0; mail < 20; mail++) await plant(server, email, `Subject: ${mail}\r\n\r\n`)
  const socket = connect({ host: '127.0.0.1', port: server.app.httpPort, ...ATTACKER })
  socket.on('error', () => undefined)
  const ahead = Buffer.from(`GET ${routes.messages} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`.repeat(300_000))
  socket.write(ahead)
  for (let round = 0; round < 5 * ROUNDS; round++) await victim.lives()
  const unread = socket.writableLength / ahead.length
  victim.report('requests sent ahead', `${(unread * 100).toFixed(0)} % of ${(ahead.length / MIB).toFixed(0)} MiB were not taken`)
  // The system's buffers take some MiB.
  expect(unread).toBeGreaterThan(0.5)
  socket.destroy()
})

/** A mail with 999 attachments, or with as many as fit into its structure. */
const crowded = (subject: number) =>
  `Subject: ${subject}\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\nContent-Disposition: attachment\r\n\r\nx\r\n'.repeat(999)}--b--\r\n`

test('inbox lists: a row lists 20 attachments, and a hundred lists at once delay nobody', async () => {
  await using server = await startTestServer({ env: NOBODY_TRUSTED, isClockRunning: true })
  await using victim = await Victim.enter(server)
  const { email, token } = await newMailbox(server, ATTACKER)
  for (let mail = 0; mail < 10; mail++) await plant(server, email, crowded(mail))
  const { body } = await ask(server, ATTACKER, routes.messages, token)
  const { messages } = mailboxApi.messageListSchema.parse(JSON.parse(body))
  using held = new DisposableStack()
  const readers = Array.from({ length: 100 }, async () => {
    const { socket, status } = await slowReader(server, ATTACKER, routes.messages, token)
    held.defer(() => socket.destroy())
    return status
  })
  for (let round = 0; round < 3 * ROUNDS; round++) await victim.lives()
  const refused = (await Promise.all(readers)).filter(status => status === 429).length
  victim.report('inbox lists', `10 mails of 999 attachments are ${(body.length / 1024).toFixed(0)} KiB, ${refused} of 100 lists refused`)
  expect(messages.map(({ attachments, attachmentCount }) => [attachments.length, attachmentCount])).toEqual(Array(10).fill([20, 999]))
  expect(body.length).toBeLessThan(10 * 8 * KIB)
  expect(refused).toBeGreaterThan(0)
})

test('processor time: reading expensive messages in a loop delays nobody', async () => {
  await using server = await startTestServer({ env: NOBODY_TRUSTED, isClockRunning: true })
  await using victim = await Victim.enter(server)
  const paths: { path: string; token: string }[] = []
  for (let mailbox = 0; mailbox < 4; mailbox++) {
    const { email, token } = await newMailbox(server, ATTACKER)
    await plant(server, email, `Subject: heavy\r\nContent-Type: text/html\r\n\r\n${'<div>'.repeat(300_000)}`)
    const [id = ''] = await messageIds(server, ATTACKER, token)
    paths.push({ path: pathTo(routes.message, { id }), token })
  }
  let reads = 0
  const loops = [...paths, ...paths].map(({ path, token }) => async (signal: AbortSignal) => {
    while (!signal.aborted) {
      await ask(server, ATTACKER, path, token)
      reads += 1
    }
  })
  await beside(loops, async () => {
    for (let round = 0; round < 5 * ROUNDS; round++) await victim.lives()
  })
  victim.report('processor time', `${reads} expensive reads of four mailboxes of one network meanwhile`)
  expect(reads).toBeGreaterThan(0)
  expect(percentile(victim.waits.streamed, 0.99)).toBeLessThan(WAIT_MS_MAX)
})

test.skipIf(!canMount)('the disk: one network with many mailboxes cannot fill it (needs root that may mount)', async () => {
  const folder = join(tmpdir(), `mayfly-small-disk-${process.pid}`)
  using _disk = mountSmallDisk(folder, 112 * MIB)
  const env = { ...NOBODY_TRUSTED, DATA_DIR: folder }
  await using server = await startTestServer({ env, isClockRunning: true })
  server.heardLog.allow(/has used the eighth/)
  await using victim = await Victim.enter(server)
  const replies: string[] = []
  for (let mailbox = 0; mailbox < 5; mailbox++) {
    const { email } = await newMailbox(server, ATTACKER)
    for (let mail = 0; mail < 8; mail++) {
      replies.push(await deliver(server.app.smtpPort, email, `Subject: ${mail}\r\n\r\n${'x'.repeat(MIB)}`, 'a@b.test', ATTACKER))
    }
  }
  for (let round = 0; round < 5 * ROUNDS; round++) await victim.lives()
  const taken = replies.filter(reply => reply.startsWith('250')).length
  victim.report('the disk', `${taken} of 40 MiB to five mailboxes of one network were taken, with room for about 24`)
  expect(taken).toBeGreaterThanOrEqual(3)
  expect(taken).toBeLessThanOrEqual(16)
  expect(replies.at(-1)).toMatch(/^452 4\.3\.1/)
})

test('event streams: each network gets its share, and a new one takes from the one with most until it has half as many', () => {
  const streams = new StreamLimit(40, 80)
  const ended: string[] = []
  const count = (network: string) => {
    let held = 0
    for (let mailbox = 0; mailbox < 50; mailbox++) {
      try {
        streams.acquire(`${network} ${mailbox}`, [network], () => ended.push(`${network} ${mailbox}`))
        held += 1
      } catch {
        // refused, so not counted
      }
    }
    return held
  }
  const [first, second, third] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map(count)
  const endedOf = (network: string) => ended.filter(stream => stream.startsWith(`${network} `))
  const held = [(first ?? 0) - endedOf('192.0.2.1').length, (second ?? 0) - endedOf('192.0.2.2').length, third]
  report('event streams', `three networks that want 50 each get ${first}, ${second}, ${third} and hold ${held.join(', ')} of 80`)
  expect([first, second]).toEqual([40, 36])
  expect(held).toEqual([32, 32, 16])
  expect(endedOf('192.0.2.1')[0]).toBe('192.0.2.1 0')
})

type Sent = readonly [clientAddress: string, domain: string, bytes?: number, author?: string]
const many = (count: number, mail: (at: number) => Sent) => Array.from({ length: count }, (_, at) => mail(at))

test.each<[who: string, mails: readonly Sent[]]>([
  ['one address', many(200, at => ['192.0.2.1', `silent${at}.test`])],
  ['one IPv6 line', many(200, at => [`2001:db8:66:aa${10 + (at % 90)}::1`, `silent${at}.test`])],
  ['one domain from everywhere', many(200, at => [`10.0.${at}.1`, 'silent.test'])],
  ['eight addresses with subdomains of one domain', many(200, at => [`10.0.${at % 8}.1`, `d${at}.silent.test`])],
  ['eight addresses with five domains', many(200, at => [`10.0.${at % 8}.1`, `silent${at % 5}.test`])],
  ['eight addresses with a domain for each mail', many(200, at => [`10.0.${at % 8}.1`, `silent${at}.test`])],
  ['eight addresses that forge the envelope', many(200, at => [`10.0.${at % 8}.1`, 'shop.test', 0, `silent${at}.test`])],
  ['three addresses with large mail', many(9, at => [`10.0.${at % 3}.1`, `silent${at}.test`, 25 * MIB])],
])('checks of senders: mail from %s whose name servers are silent keeps nobody else from theirs', async (_, mails) => {
  const zone = { 'shop.test TXT': ['v=spf1 ip4:198.51.100.0/24 -all'], '_dmarc.shop.test TXT': ['v=DMARC1; p=reject'] }
  await using dns = await startDnsServer(zone, { fault: name => (name.endsWith('shop.test') ? undefined : 'silent') })
  const log = createLog('silent')
  await using authenticator = createAuthenticator({ dnsServers: [dns.address], log, telemetry: testTelemetry() })
  const check = (...[clientAddress, domain, bytes = 0, author = domain]: Sent) => {
    const connection = { clientAddress, helo: `mx.${domain}`, from: `a@${domain}` }
    return authenticator.authenticate(connection, withAuthors(Buffer.from(`From: a@${author}\r\n\r\n${'x'.repeat(bytes)}`)))
  }
  // All come at once, before any has an answer.
  const flood = mails.map(mail => check(...mail))
  const victims = many(6, at => [`198.51.100.${at}`, 'shop.test', at === 0 ? MIB : 0]).map(mail => check(...mail))
  for (const results of await Promise.all(victims)) expect(results).toMatchObject({ spf: 'pass', dmarc: 'pass' })
  for (const results of await Promise.all(flood)) expect(results?.dmarc).toBe('temperror')
})

test('HTTP connections: one network gets its share, and the last ones are reserved for networks with few', async () => {
  const connections = connectionBudget(40, 80)
  const count = (client: string) => Array.from({ length: 50 }, () => connections.acquire([client], 1)).filter(Boolean).length
  const [first, second] = [count('192.0.2.1'), count('192.0.2.2')]
  report('HTTP connections', `two networks ${first} and ${second} of 80, a third ${count('192.0.2.3')}`)
  expect([first, second]).toEqual([40, 36])
})

const CHUNKED = 'POST /api/mailboxes HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'

test.each([
  ['', '1\r\nx\r\n'.repeat(11_000), '400'],
  [' with extensions', `1;a=${'b'.repeat(9)}\r\nx\r\n`.repeat(4000), '400'],
  [', and of more bytes than any request has', `50\r\n${'x'.repeat(80)}\r\n`.repeat(1000), '413'],
])('the main thread: bodies of tiny chunks%s are read in turn and refused, while another is answered', async (_, chunks, status) => {
  await using server = await startTestServer({ env: NOBODY_TRUSTED })
  const sockets = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const socket = connect({ host: '127.0.0.1', port: server.app.httpPort, ...ATTACKER })
      await once(socket, 'connect')
      return socket.on('error', () => undefined)
    }),
  )
  const attacks = sockets.map(async socket => {
    // The response comes though all of this is never parsed, and then the connection ends, however much follows.
    socket.write(CHUNKED + chunks.repeat(20))
    const [head] = await once(socket, 'data')
    return String(head).slice(9, 12)
  })
  expect((await ask(server, VICTIM, routes.config)).status).toBe(200)
  expect(new Set(await Promise.all(attacks))).toEqual(new Set([status]))
  await Promise.all(sockets.map(socket => socket.closed || once(socket.resume(), 'close')))
})
