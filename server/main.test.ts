/** The real process: how it starts, what it says when it cannot, how it stops. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposable, readdir, writeFile } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import { routes } from '#contract/routes.ts'
import { deliver, dotted, play, SmtpClient } from '#test/harness/clients/smtp-client.ts'
import { serverBuilt } from '#test/harness/mayfly/build-server.ts'
import { startServerProcess } from '#test/harness/mayfly/start-server-process.ts'
import { saidBy } from '#test/harness/said-by.ts'
import { newFolder } from '#test/harness/until-end.ts'

const root = resolve(import.meta.dirname, '..')

beforeAll(serverBuilt)

/** Starts with `env` and expects the process to end; resolves to its code and its output on stderr. */
async function failing(env: Record<string, string>) {
  const child = spawn(process.execPath, ['dist/server/main.js'], { cwd: root, env: { PATH: process.env.PATH, LOG_LEVEL: 'warn', ...env } })
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  return { code, said }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('a port in use and an impossible data folder are reported with their remedy', async () => {
  const folder = newFolder()
  const squatter = createServer().listen(0, '127.0.0.1')
  await once(squatter, 'listening')
  const address = squatter.address()
  const port = typeof address === 'object' ? String(address?.port) : ''
  try {
    const base = { HOST: '127.0.0.1', HTTP_PORT: '0', SMTP_PORT: '0', DATA_DIR: folder }
    for (const variable of ['HTTP_PORT', 'SMTP_PORT']) {
      const { code, said } = await failing({ ...base, [variable]: port })
      expect([code, said]).toEqual([1, expect.stringContaining(port)])
      expect(said).toContain(variable)
      expect(said).not.toContain('    at ')
    }
    await writeFile(join(folder, 'file'), '')
    const { code, said } = await failing({ ...base, DATA_DIR: join(folder, 'file', 'data') })
    expect([code, said]).toEqual([1, expect.stringContaining('DATA_DIR')])
  } finally {
    squatter.close()
  }
})

test('SIGTERM ends open streams and the process with code 0', async () => {
  await using server = await startServerProcess({ env: { BOT_CHECK: 'off' } })
  const url = `http://127.0.0.1:${server.httpPort}`
  const created = await fetch(url + routes.mailboxes, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })
  const { token } = await created.json()
  const stream = await fetch(url + routes.events, { headers: { authorization: `Bearer ${token}` } })
  const heard = stream.text()
  expect(await server.stop()).toBe(0)
  expect(await heard).toContain(':\n\n')
})

test('each mail is one line of JSON from the first line on; tokens, addresses and probes are in none', async () => {
  await using server = await startServerProcess({ env: { BOT_CHECK: 'off', LOG_LEVEL: 'info', MESSAGE_BYTES_MAX: '20000' } })
  const url = `http://127.0.0.1:${server.httpPort}`
  const created = await fetch(url + routes.mailboxes, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })
  const { token, email } = await created.json()
  expect(await deliver(server.smtpPort, email, 'Subject: hello\r\n\r\n')).toBe('250 2.0.0 Delivered')
  const unknown = `nobody${email}`
  await play(server.smtpPort, [
    ['EHLO client.test', 250],
    ['MAIL FROM:<ann@sender.test>', 250],
    [`RCPT TO:<${unknown}>`, 550],
    ['RCPT TO:<x@elsewhere.test>', 550],
    [`RCPT TO:<${email}>`, 250],
    ['DATA', 354],
    // Refused before its end, since it is over ten times the maximum.
    ['x'.repeat(250_000), 552],
  ])
  for (const path of [routes.healthz, routes.readyz]) expect((await fetch(url + path)).status).toBe(200)
  expect((await fetch(url + routes.messages, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200)
  const metrics = await (await fetch(url + routes.metrics)).text()
  expect(metrics).toContain('mayfly_http_request_seconds')
  expect(await server.stop()).toBe(0)
  for (const secret of [token, email, 'sender.test', 'elsewhere.test']) expect(server.output() + metrics).not.toContain(secret)
  const lines: Record<string, unknown>[] = server
    .output()
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  const domain = email.slice(email.indexOf('@') + 1)
  const network = '127.0.0.0/24'
  expect(lines.filter(({ msg }) => String(msg).startsWith('Mail ')).map(({ time, ...facts }) => facts)).toEqual([
    { level: 30, network, domain, bytes: 18, recipients: 1, msg: 'Mail accepted' },
    { level: 30, network, domain, reason: 'mailbox_not_found', msg: 'Mail refused' },
    { level: 30, network, reason: 'domain_not_served', msg: 'Mail refused' },
    { level: 30, network, domain, bytes: expect.any(Number), reason: 'message_too_large', msg: 'Mail refused' },
  ])
  const asked = lines.map(({ route }) => route)
  expect(asked).toContain(routes.messages)
  for (const probe of [routes.healthz, routes.readyz, routes.metrics]) expect(asked).not.toContain(probe)
})

test.for([{ npm_lifecycle_event: 'start' }, { npm_lifecycle_event: 'start', npm_config_loglevel: 'silent' }])(
  'in a file, the addresses stand beside the JSON under npm start, unless npm is silent: %o',
  async env => {
    await using server = await startServerProcess({ env })
    expect(await server.stop()).toBe(0)
    const isSilent = 'npm_config_loglevel' in env
    const lines = server.output().trim().split('\n')
    expect(lines.includes(`Site:  http://localhost:${server.httpPort}`)).toBe(!isSilent)
    expect(lines.every(line => line.startsWith('{'))).toBe(isSilent)
  },
)

const FILES_MAX = 80
const hasPrlimit = spawnSync('prlimit', ['--version']).status === 0

test.skipIf(!hasPrlimit)('a page that cannot be drawn without a file descriptor is refused, and later drawn (needs prlimit)', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'mayfly-main-'))
  const node = join(folder.path, 'node')
  await writeFile(node, `#!/bin/sh\nexec prlimit --nofile=${FILES_MAX} '${process.execPath}' "$@"\n`, { mode: 0o700 })
  await using server = await startServerProcess({ node, env: { BOT_CHECK: 'off' }, allowLog: [/EMFILE/] })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const status = async (path: string) => {
    const [response] = await once(get({ port: server.httpPort, path, agent }), 'response')
    response.resume()
    await once(response, 'end')
    return response.statusCode
  }
  expect(await status(routes.healthz)).toBe(200)
  const ports = [server.httpPort, server.smtpPort].flatMap(port => Array(FILES_MAX).fill(port))
  const others = ports.map(port => connect(port).on('error', () => undefined))
  await expect.poll(async () => (await readdir(`/proc/${server.pid}/fd`)).length).toBeGreaterThanOrEqual(FILES_MAX)
  expect(await status(routes.docs)).toBe(500)
  for (const socket of others) socket.destroy()
  await expect.poll(() => status(routes.docs)).toBe(200)
  agent.destroy()
})

test('several signals at once, as npm and a terminal send them, stop it once and cleanly', async () => {
  await using server = await startServerProcess()
  for (const signal of ['SIGINT', 'SIGINT', 'SIGTERM'] as const) process.kill(server.pid, signal)
  expect(await server.stop()).toBe(0)
  expect(server.output()).toMatch(/"Stopping …"\}\n\{.*"Stopped\."\}\n$/)
})

test('it stops when the process that started it is killed', async () => {
  const folder = newFolder()
  const env = { PATH: process.env.PATH, HOST: '127.0.0.1', HTTP_PORT: '0', SMTP_PORT: '0', DATA_DIR: folder }
  const code = `import { spawnServer } from './scripts/server-process.mjs'
    console.log(spawnServer(process.execPath, { env: process.env, stdio: ['ignore', 'inherit', 'inherit'] }).pid)`
  const starter = spawn(process.execPath, ['--input-type=module', '-e', code], { cwd: root, env })
  const output = saidBy(starter.stdout)
  await expect.poll(output, { timeout: 30_000 }).toContain('npm run send-test')
  starter.kill('SIGKILL')
  await expect.poll(output, { timeout: 15_000 }).toContain('Stopped.')
  const pid = Number(output().split('\n')[0])
  await expect.poll(() => isAlive(pid)).toBe(false)
})

test('a terminal gets lines for people, and Ctrl-C is confirmed at once', async () => {
  const folder = newFolder()
  const env = { PATH: process.env.PATH, HOST: '127.0.0.1', HTTP_PORT: '0', SMTP_PORT: '0', DATA_DIR: folder }
  // util-linux's script(1) provides a terminal.
  const terminal = spawn('script', ['-qfec', `exec '${process.execPath}' dist/server/main.js`, '/dev/null'], { cwd: root, env })
  const output = saidBy(terminal.stdout)
  const ended = once(terminal, 'exit')
  try {
    await expect.poll(output, { timeout: 30_000 }).toContain('npm run send-test')
    const [site = ''] = /http:\S+/.exec(output()) ?? []
    expect((await fetch(`${site}/healthz`)).status).toBe(200)
    terminal.stdin.write('\u0003')
    expect(await ended).toEqual([0, null])
    expect(output()).toMatch(/Stopping …\r\nStopped\.\r\n$/)
    expect(output()).not.toContain('{')
  } finally {
    terminal.kill('SIGKILL')
  }
})

test('SIGTERM lets a running message finish, and SIGHUP before it does not disturb', async () => {
  await using server = await startServerProcess({ env: { LOG_LEVEL: 'info' } })
  await using client = await SmtpClient.connect(server.smtpPort)
  process.kill(server.pid, 'SIGHUP')
  await expect.poll(() => server.output(), { timeout: 30_000 }).toContain('Certificate read again')
  await client.beginMail('postmaster@in.example.com', '')
  const stopped = server.stop()
  client.send(dotted('Subject: late\r\n\r\nstill taken\r\n'))
  expect(await client.reply()).toMatch(/^250 /)
  expect(await stopped).toBe(0)
})
