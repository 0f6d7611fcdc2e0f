/** A restart with listening sockets that stay open, as in an upgrade: nobody is refused in between. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { routes } from '#contract/routes.ts'
import { newFolder } from '#test/harness/until-end.ts'
import { siteBuilt } from '../harness/mayfly/build-server.ts'

const RESTARTS = 2
const CLIENTS = 8

/** `socket-holder.mjs` with the real server, and what they print. */
async function startHolder(dataDir: string, host: string) {
  await siteBuilt()
  const root = resolve(import.meta.dirname, '../..')
  const holder = spawn(
    process.execPath,
    [join(root, 'test/harness/mayfly/socket-holder.mjs'), process.execPath, join(root, 'dist/server/main.js')],
    {
      cwd: root,
      env: { PATH: process.env.PATH, DATA_DIR: dataDir, HOST: host, DNS_SERVERS: 'off', NETWORK_LIMIT_FACTOR: '1000' },
      stdio: ['ignore', 'pipe', host === '::' ? 'inherit' : 'pipe'],
    },
  )
  return { holder, said: linesOf(holder) }
}

/** Waits for the next line that matches. */
function linesOf({ stdout }: ChildProcess): (pattern: RegExp) => Promise<RegExpExecArray> {
  if (!stdout) throw new TypeError('stdout is a pipe')
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]()
  return async pattern => {
    for (;;) {
      const { value, done } = await lines.next()
      if (done) throw new Error(`it ended before it said ${pattern}`)
      const found = pattern.exec(value)
      if (found) return found
    }
  }
}

/** Over a new connection, as a visitor who just arrived. */
async function get(port: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const asked = request({ host: '127.0.0.1', port, path: routes.config, agent: false }, reply => {
    reply.resume().once('end', () => resolve(String(reply.statusCode)))
  })
  asked.once('error', reject).end()
  return await promise
}

/** The codes that a sender hears, up to the refusal of a recipient who does not exist. */
async function send(port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  const codes: string[] = []
  for (const line of ['EHLO sender.example', 'MAIL FROM:<a@sender.example>', 'RCPT TO:<nobody@in.example.com>', 'QUIT']) {
    const [reply] = await once(socket, 'data')
    codes.push(String(reply).slice(0, 3))
    socket.write(`${line}\r\n`)
  }
  socket.resume()
  await once(socket, 'close')
  return codes.join(' ')
}

test('who arrives while one process takes over from another gets an answer: none is refused and none hears 503 or 421', async () => {
  const dataDir = newFolder()
  const { holder, said } = await startHolder(dataDir, '::')
  let pid = Number((await said(/^pid (\d+)$/))[1])
  try {
    const ready = /"site":"http:[^"]*:(\d+)",.*"mail":"[^"]*:(\d+)"/
    const [, http = 0, smtp = 0] = (await said(ready)).map(Number)
    const heard = new Map<string, number>()
    let isOver = false
    const load = Array.from({ length: CLIENTS }, async (_, index) => {
      while (!isOver) {
        const answer = await (index % 2 === 0 ? get(http) : send(smtp)).catch((error: NodeJS.ErrnoException) => `${error.code}`)
        heard.set(answer, (heard.get(answer) ?? 0) + 1)
      }
    })
    for (let restarts = 0; restarts < RESTARTS; restarts++) {
      process.kill(pid, 'SIGTERM')
      pid = Number((await said(/^pid (\d+)$/))[1])
      await said(ready)
      const reached = heard.get('200') ?? 0
      await expect.poll(() => heard.get('200') ?? 0).toBeGreaterThan(reached + 100)
    }
    isOver = true
    await Promise.all(load)
    expect([...heard.keys()].toSorted(), JSON.stringify([...heard])).toEqual(['200', '220 250 250 550'])
  } finally {
    holder.kill('SIGKILL')
    process.kill(pid, 'SIGKILL')
  }
}, 120_000)

test('more than the 511 connections of Node wait at held ports while no process accepts', async () => {
  const dataDir = newFolder()
  const { holder, said } = await startHolder(dataDir, '::')
  const pid = Number((await said(/^pid (\d+)$/))[1])
  const sockets: Socket[] = []
  try {
    const ports = (await said(/"site":"http:[^"]*:(\d+)",.*"mail":"[^"]*:(\d+)"/)).slice(1).map(Number)
    process.kill(pid, 'SIGSTOP')
    for (const port of ports) {
      const waiting = Array.from({ length: 700 }, () => connect(port, '127.0.0.1'))
      sockets.push(...waiting)
      // A connection that finds the queue full is not refused: it tries again and again.
      await Promise.all(waiting.map(socket => once(socket, 'connect')))
    }
  } finally {
    for (const socket of sockets) socket.on('error', () => undefined).destroy()
    holder.kill('SIGKILL')
    process.kill(pid, 'SIGKILL')
  }
}, 60_000)

test('sockets that listen elsewhere than HOST says are refused, with the way to make them again', async () => {
  const dataDir = newFolder()
  const { holder } = await startHolder(dataDir, '127.0.0.1')
  const said = holder.stderr ? await text(holder.stderr) : ''
  expect(said).toMatch(/Port \d+ is to be at 127\.0\.0\.1, and systemd listens at ::: /)
  expect(said).toContain('run "mayfly setup" to write mayfly.socket again')
})
