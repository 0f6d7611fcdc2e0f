/** Runs the real process with its most verbose log: no secret is logged, and mail is on disk before the 250. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mailboxCreatedSchema, messageListSchema } from '#contract/mailbox.ts'
import { pathTo } from '#contract/path-to.ts'
import { routes } from '#contract/routes.ts'
import { deliver } from '../harness/clients/smtp-client.ts'
import { startServerProcess } from '../harness/mayfly/start-server-process.ts'

const env = { LOG_LEVEL: 'trace', BOT_CHECK: 'off', DNS_SERVERS: 'off' }
const MAIL = 'From: Ann <ann@secret-sender.test>\r\nSubject: a secret subject\r\n\r\nsecret body\r\n'

async function createMailbox(httpPort: number) {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`http://127.0.0.1:${httpPort}${routes.mailboxes}`, { method: 'POST', body: '{}', headers })
  return mailboxCreatedSchema.parse(await response.json())
}

test('no address, token, identifier, capability or content of a mail is in the log or the metrics', async () => {
  await using server = await startServerProcess({ env })
  const { email, token } = await createMailbox(server.httpPort)
  expect(await deliver(server.smtpPort, email, MAIL, 'ann@secret-sender.test')).toMatch(/^250/)
  const request = (path: string, init?: RequestInit) =>
    fetch(`http://127.0.0.1:${server.httpPort}${path}`, { ...init, headers: { authorization: `Bearer ${token}` } })
  const id = messageListSchema.parse(await (await request(routes.messages)).json()).messages[0]?.id ?? ''
  await request(pathTo(routes.raw, { id }))
  await request(pathTo(routes.attachmentLink, { id, index: 0 }), { method: 'POST' })
  await request(pathTo(routes.download, { capability: 'a-capability-that-somebody-guessed' }))
  await request(`${routes.wait}?subject=secret%20filter&timeoutSeconds=0`)
  await request(`${routes.mailbox}?token=${token}`)
  const watching = { authorization: `Bearer ${token},${token},${token}` }
  await (await fetch(`http://127.0.0.1:${server.httpPort}${routes.events}`, { headers: watching })).body?.cancel()
  const metrics = await (await request(routes.metrics)).text()
  await server.stop()
  expect(server.output()).toContain('"msg":"request"')
  const output = server.output() + metrics
  for (const secret of [email, email.split('@')[0] ?? '', token, token.slice(0, 22), id, 'secret', 'a-capability'])
    expect(output.includes(secret), secret.slice(0, 8)).toBe(false)
})

const strace = hasStrace()
test.skipIf(!strace)(`the bytes are on disk before the reply 250${strace ? '' : ' (needs strace and the right to trace)'}`, async () => {
  await using server = await startServerProcess({ env })
  const { email } = await createMailbox(server.httpPort)
  const file = join(server.dataDir, 'trace')
  const tracer = spawn('strace', ['-f', '-p', String(server.pid), '-e', 'trace=fsync,fdatasync,write,writev', '-s', '40', '-o', file])
  await once(tracer.stderr, 'data')
  expect(await deliver(server.smtpPort, email, MAIL)).toMatch(/^250/)
  tracer.kill('SIGINT')
  await once(tracer, 'close')
  const lines = (await readFile(file, 'utf8')).split('\n')
  const dataReply = lines.findIndex(line => line.includes('"354 '))
  const synced = lines.findIndex((line, index) => index > dataReply && /f(?:data)?sync.*= 0$/.test(line))
  const acknowledged = lines.findIndex(line => line.includes('250 2.0.0 Delivered'))
  expect(dataReply).toBeGreaterThan(-1)
  expect(synced).toBeGreaterThan(dataReply)
  expect(acknowledged).toBeGreaterThan(synced)
})

function hasStrace(): boolean {
  try {
    execFileSync('strace', ['-o', '/dev/null', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
