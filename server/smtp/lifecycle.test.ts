/** Start, failure and shutdown. */

import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { routes } from '#contract/routes.ts'
import { divideMemory } from '#server/platform/memory/memory-budget.ts'
import { createAddress } from '#test/harness/clients/mailbox-client.ts'
import { deliver, dotted, play, SmtpClient, type Step, sendAndSettle } from '#test/harness/clients/smtp-client.ts'
import { startServerProcess } from '#test/harness/mayfly/start-server-process.ts'
import { startTestSmtp } from '#test/harness/mayfly/start-smtp.ts'

const HELLO: Step = ['EHLO client.test', 250]
const MAIL: Step = ['MAIL FROM:<sender@elsewhere.test>', 250]

test('at shutdown idle sessions get 421, messages being sent are accepted, and new sessions are refused', async () => {
  await using stopped = await startTestSmtp()
  const address = await stopped.newAddress()
  await using idle = await SmtpClient.connect(stopped.port)
  await using sending = await SmtpClient.connect(stopped.port)
  await sending.play([HELLO, MAIL, [`RCPT TO:<${address.email}>`, 250], ['DATA', 354]])
  const ended = stopped.smtp[Symbol.asyncDispose]()
  expect(await idle.reply()).toMatch(/^421 4\.3\.2/)
  await idle.closed()
  await expect(SmtpClient.connect(stopped.port)).rejects.toThrow()
  await sending.play([[dotted('Subject: on its way\r\n\r\n'), '250 2.0.0']])
  expect(await sending.reply()).toMatch(/^421 4\.3\.2/)
  await ended
  expect(await address.raws()).toHaveLength(1)
})

test('at shutdown a session that has just begun goes on to the end of its first message', async () => {
  await using stopped = await startTestSmtp()
  const address = await stopped.newAddress()
  await using beginning = await SmtpClient.connect(stopped.port)
  const ended = stopped.smtp[Symbol.asyncDispose]()
  await beginning.play([HELLO, MAIL, [`RCPT TO:<${address.email}>`, 250], ['DATA', 354], [dotted('Subject: in time\r\n\r\n'), '250 2.0.0']])
  expect(await beginning.reply()).toMatch(/^421 4\.3\.2/)
  await ended
  expect(await address.raws()).toHaveLength(1)
})

test('a message that does not end in time gets a temporary refusal', async () => {
  await using stopped = await startTestSmtp({ limits: { drainMs: 100 } })
  const address = await stopped.newAddress()
  await using sending = await SmtpClient.connect(stopped.port)
  await sending.play([HELLO, MAIL, [`RCPT TO:<${address.email}>`, 250], ['DATA', 354]])
  sending.send('Subject: half\r\n')
  await stopped.smtp[Symbol.asyncDispose]()
  expect(await sending.reply()).toMatch(/^421 4\.3\.2/)
  expect(await address.raws()).toEqual([])
})

test('mail beyond the memory budget gets a temporary refusal', async () => {
  await using small = await startTestSmtp({
    env: { MESSAGE_BYTES_MAX: '60000' },
    config: { memory: divideMemory(2 ** 30, 60_000, 100_000) },
  })
  const address = await small.newAddress()
  const open = async (size: number) => {
    const client = await SmtpClient.connect(small.port)
    await client.play([HELLO, MAIL, [`RCPT TO:<${address.email}>`, 250], ['DATA', 354]])
    await sendAndSettle(client, small.port, 'x'.repeat(size))
    return client
  }
  await using first = await open(55_000)
  await using second = await open(55_000)
  await second.play([[Buffer.from('\r\n.\r\n'), '452 4.3.1']])
  // With a declared size the refusal comes before the sender starts.
  await play(small.port, [HELLO, ['MAIL FROM:<a@b.test> SIZE=55000', '452 4.3.1'], ['MAIL FROM:<a@b.test> SIZE=1000', 250]])
  await first.play([[Buffer.from('\r\n.\r\n'), '250 2.0.0']])
  expect(await deliver(small.port, address.email, 'y'.repeat(55_000))).toMatch(/^250/)
  expect(await address.raws()).toHaveLength(2)
})

test('a sender that disconnects frees its memory', async () => {
  await using small = await startTestSmtp({
    env: { MESSAGE_BYTES_MAX: '60000' },
    config: { memory: divideMemory(2 ** 30, 60_000, 60_000) },
  })
  const address = await small.newAddress()
  const broken = await SmtpClient.connect(small.port)
  await broken.play([HELLO, MAIL, [`RCPT TO:<${address.email}>`, 250], ['DATA', 354]])
  await sendAndSettle(broken, small.port, 'x'.repeat(55_000))
  broken.socket.resetAndDestroy()
  await broken.closed()
  await expect.poll(() => deliver(small.port, address.email, 'y'.repeat(55_000)), { timeout: 30_000 }).toMatch(/^250/)
})

test('a port in use rejects with the system’s error', async () => {
  await using first = await startTestSmtp()
  await expect(startTestSmtp({ env: { SMTP_PORT: String(first.port) } })).rejects.toMatchObject({ code: 'EADDRINUSE', syscall: 'listen' })
})

const hasPrlimit = spawnSync('prlimit', ['--version']).status === 0

test.skipIf(!hasPrlimit)(
  'with few file descriptors SMTP and HTTP leave some for each other, and both keep working (needs prlimit of util-linux)',
  async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'mayfly-'))
    const node = join(folder.path, 'node')
    await writeFile(node, `#!/bin/sh\nexec prlimit --nofile=256 '${process.execPath}' "$@"\n`, { mode: 0o700 })
    await using server = await startServerProcess({ node, env: { BOT_CHECK: 'off', DNS_SERVERS: 'off' } })
    const port = server.smtpPort
    const emails = await Promise.all([1, 2].map(async () => (await createAddress(server.httpPort)).email))
    const visitors = Array.from({ length: 400 }, () => connect(server.httpPort, '127.0.0.1').on('error', () => undefined))
    const waiting = () => visitors.filter(({ destroyed }) => !destroyed).length
    await expect.poll(waiting, { timeout: 30_000 }).toBeLessThanOrEqual(256 * 0.9 - Math.floor(256 * 0.6) * 1.1)
    const clients = Array.from({ length: 400 }, () => SmtpClient.open(port))
    const greetings = await Promise.all(clients.map(client => client.reply().catch(() => 'dropped')))
    const greeted = greetings.filter(greeting => greeting.startsWith('220')).length
    expect(greeted).toBe(Math.floor(256 * 0.6))
    expect(greetings.filter(greeting => !/^220|^421 4\.3\.2|^dropped/.test(greeting))).toEqual([])
    const first = clients[greetings.findIndex(greeting => greeting.startsWith('220'))]
    await first?.play([HELLO, MAIL, [`RCPT TO:<${emails[0]}>`, 250], ['DATA', 354], [dotted('Subject: still here\r\n\r\n'), '250 2.0.0']])
    const elsewhere = get({ port: server.httpPort, path: routes.healthz, localAddress: '127.0.9.1' })
    expect((await once(elsewhere, 'response'))[0]).toMatchObject({ statusCode: 200 })
    for (const visitor of visitors) visitor.destroy()
    await Promise.all(clients.map(client => client[Symbol.asyncDispose]()))
    const again = () => deliver(port, emails[1] ?? '', 'Subject: and again\r\n\r\n')
    await expect.poll(again, { timeout: 30_000 }).toBe('250 2.0.0 Delivered')
  },
)
