// New connections to the site and to the mail port, ten a second each, until told to stop; then what they met. Anything but an answer is a
// failure: a visitor or a sender who arrived at that moment was turned away.
import { existsSync } from 'node:fs'
import { request } from 'node:https'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const STOP = '/root/arrivals.stop'
const PAUSE_MS = 100
const heard = {}
let slowestMs = 0

function visit() {
  return new Promise((resolve, reject) => {
    const asked = request('https://mayfly.example/api/config', { agent: false }, reply =>
      reply.resume().once('end', () => resolve(reply.statusCode)),
    )
    asked.once('error', reject).end()
  })
}

function greet() {
  return new Promise((resolve, reject) => {
    const socket = connect(25, '203.0.113.5')
    socket.once('error', reject).once('data', data => {
      socket.end('QUIT\r\n')
      resolve(String(data).slice(0, 3))
    })
  })
}

async function arrive(kind, come) {
  const startedMs = performance.now()
  const answer = await come().catch(error => error.code ?? error.message)
  heard[`${kind} ${answer}`] = (heard[`${kind} ${answer}`] ?? 0) + 1
  slowestMs = Math.max(slowestMs, performance.now() - startedMs)
}

const arriving = []
while (!existsSync(STOP)) {
  arriving.push(arrive('site', visit), arrive('mail', greet))
  await sleep(PAUSE_MS)
}
await Promise.all(arriving)
console.log(`arrivals: ${JSON.stringify(heard)}, the slowest took ${(slowestMs / 1000).toFixed(1)} s`)
if (Object.keys(heard).some(answer => !['site 200', 'mail 220'].includes(answer))) process.exit(1)
