/** Attempts, and what follows from their outcome, with a push service on this machine. */

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '#server/platform/log.ts'
import type { MailboxId } from '#server/store/store.ts'
import { newBrowserKeys } from '#test/harness/clients/push-browser.ts'
import { testTelemetry } from '#test/harness/mayfly/test-telemetry.ts'
import { type PushEndpoint, startPushEndpoint } from '#test/harness/servers/push-endpoint.ts'
import { PushSender } from './push-sender.ts'
import { PushTargets, type Subscriber } from './push-subscriptions.ts'
import { openVapid } from './web-push.ts'

let service: PushEndpoint
beforeAll(async () => {
  service = await startPushEndpoint()
})
afterAll(() => service[Symbol.asyncDispose]())

const MAILBOX = 'm' as MailboxId
type Options = {
  services?: string[]
  expiresAt?: number
  pausesMs?: number[]
  endpoints?: string[]
  slowMsMin?: number
  waitingMax?: number
}
/** The browsers of `MAILBOX`; of a mailbox with a number, one of them. */
function open(path: string, options: Options = {}) {
  const {
    services = ['127.0.0.1'],
    expiresAt = Date.now() + 60_000,
    pausesMs = [10, 10],
    endpoints = [service.url + path],
    slowMsMin,
    waitingMax,
  } = options
  const removed: string[] = []
  const subscribers = endpoints.map((endpoint, n): Subscriber => {
    return { id: n === 0 ? path : `${path}-${n}`, endpoint, keys: newBrowserKeys().keys, expiresAt }
  })
  const of = async (mailboxId: MailboxId) => (mailboxId === MAILBOX ? subscribers : subscribers.slice(Number(mailboxId)).slice(0, 1))
  const subscriptions = { of, removeGone: async (id: string) => void removed.push(id) }
  const vapid = openVapid('a secret of a test, long enough', 'mailto:a@b.example')
  const logged: string[] = []
  const log = createLog('info', { terminal: { write: line => logged.push(line) } })
  const telemetry = testTelemetry()
  const deps = {
    subscriptions,
    services: new PushTargets(services),
    vapid,
    clock: Date.now,
    log,
    telemetry,
    restMs: 100,
    pausesMs,
    slowMsMin,
    waitingMax,
  }
  const sender = new PushSender(deps)
  return { sender, removed, logged, count: () => service.pushed.filter(one => one.path === path).length }
}

/** Takes connections on every loopback address and never responds. */
async function startSilent() {
  let requests = 0
  const server = createServer(() => {
    requests += 1
  })
  await once(server.listen(0, '0.0.0.0'), 'listening')
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { port: (server.address() as AddressInfo).port, requests: () => requests, [Symbol.dispose]: close }
}

test('an unreachable service is tried three times, a refusing one once, and redirects are not followed', async () => {
  for (const [path, status, attempts] of [
    ['/away', 503, 3],
    ['/busy', 429, 3],
    ['/refuses', 400, 1],
    ['/moved', 307, 1],
  ] as const) {
    service.status = status
    await using opened = open(path).sender
    await opened.mailStored(MAILBOX, [])
    const count = () => service.pushed.filter(one => one.path === path).length
    await expect.poll(count).toBe(attempts)
    await new Promise(resolve => setTimeout(resolve, 100))
    expect(count(), path).toBe(attempts)
  }
  expect(service.pushed.some(one => one.path === '/elsewhere')).toBe(false)
  service.status = 201
})

test('a browser that the service no longer knows is forgotten', async () => {
  service.status = 404
  const { sender, removed } = open('/gone')
  await sender.mailStored(MAILBOX, [])
  await expect.poll(() => removed).toEqual(['/gone'])
  await sender[Symbol.asyncDispose]()
  service.status = 201
})

test('private addresses are not connected to, and nothing is sent for an expired address', async () => {
  for (const options of [{ services: ['localhost.example'] }, { expiresAt: Date.now() }]) {
    const { sender, count } = open('/never', options)
    await sender.mailStored(MAILBOX, [])
    await sender[Symbol.asyncDispose]()
    expect(count()).toBe(0)
  }
})

test('of many mails during the pause a browser is notified once', async () => {
  const { sender, count } = open('/rest')
  for (let n = 0; n < 20; n++) await sender.mailStored(MAILBOX, [])
  await expect.poll(count).toBe(2)
  await new Promise(resolve => setTimeout(resolve, 300))
  expect(count()).toBe(2)
  await sender[Symbol.asyncDispose]()
})

test('browsers of unreachable hosts delay no other while they wait for their next attempt', async () => {
  const unreachable = Array.from({ length: 64 }, (_, n) => `http://127.0.1.${n + 1}:9/x`)
  const endpoints = [...unreachable, `${service.url}/honest`]
  await using opened = open('/unreachable', { services: ['127.0.0.0/8'], endpoints, pausesMs: [60_000] }).sender
  await opened.mailStored(MAILBOX, [])
  await expect.poll(() => service.pushed.some(({ path }) => path === '/honest')).toBe(true)
})

test('a silent service gets eight requests at a time on all of its hosts, delays no other, and does not delay a stop', async () => {
  using silent = await startSilent()
  const hosts = Array.from({ length: 40 }, (_, n) => `http://127.0.2.${n + 1}:${silent.port}/x`)
  const endpoints = [...hosts, `${service.url}/beside`]
  const { sender, logged } = open('/silent', { services: ['127.0.2.0/24', '127.0.0.1'], endpoints, slowMsMin: 60_000 })
  for (const mailbox of endpoints.keys()) await sender.mailStored(`${mailbox}` as MailboxId, [])
  await expect.poll(() => service.pushed.some(({ path }) => path === '/beside')).toBe(true)
  await expect.poll(silent.requests).toBe(8)
  // The requests would take as long as a test may.
  await sender[Symbol.asyncDispose]()
  expect(silent.requests()).toBe(8)
  expect(logged, 'being cut off is no failure of the service').toEqual([])
})

test('silent hosts of the same service delay no other: a slow request takes no place of the others', async () => {
  using silent = await startSilent()
  const hosts = Array.from({ length: 40 }, (_, n) => `http://127.0.0.${n + 10}:${silent.port}/x`)
  const endpoints = [...hosts, `${service.url}/same-service`]
  await using opened = open('/same', { services: ['127.0.0.0/24'], endpoints, slowMsMin: 200 }).sender
  for (const mailbox of endpoints.keys()) await opened.mailStored(`${mailbox}` as MailboxId, [])
  await expect.poll(() => service.pushed.some(({ path }) => path === '/same-service')).toBe(true)
})

test('a mailbox has two requests at once, so that its silent hosts delay no other mailbox', async () => {
  using silent = await startSilent()
  const endpoints = Array.from({ length: 5 }, (_, n) => `http://127.0.3.${n + 1}:${silent.port}/x`)
  await using opened = open('/two', { services: ['127.0.3.0/24'], endpoints, slowMsMin: 60_000 }).sender
  await opened.mailStored(MAILBOX, [])
  await expect.poll(silent.requests).toBe(2)
  await new Promise(resolve => setTimeout(resolve, 300))
  expect(silent.requests()).toBe(2)
})

test('hosts that were slow lately have half of the places of their service', async () => {
  let [running, mostRunning, answered] = [0, 0, 0]
  const slow = createServer((_request, response) => {
    running += 1
    mostRunning = Math.max(mostRunning, running)
    setTimeout(() => {
      running -= 1
      answered += 1
      response.writeHead(201).end()
    }, 300)
  })
  await once(slow.listen(0, '0.0.0.0'), 'listening')
  const { port } = slow.address() as AddressInfo
  const endpoints = Array.from({ length: 12 }, (_, n) => `http://127.0.4.${n + 1}:${port}/x`)
  const { sender } = open('/slow', { services: ['127.0.4.0/24'], endpoints, slowMsMin: 100 })
  const mailAll = async () => {
    for (const mailbox of endpoints.keys()) await sender.mailStored(`${mailbox}` as MailboxId, [])
  }
  await mailAll()
  await expect.poll(() => answered).toBe(12)
  await expect.poll(() => running).toBe(0)
  mostRunning = 0
  await mailAll()
  await expect.poll(() => answered).toBe(24)
  expect(mostRunning).toBe(4)
  await sender[Symbol.asyncDispose]()
  slow.close()
})

test('when too many wait, whoever has most waiting loses notifications, and not who comes last', async () => {
  using silent = await startSilent()
  const hosts = Array.from({ length: 40 }, (_, n) => `http://127.0.5.${n + 1}:${silent.port}/x`)
  const endpoints = [...hosts, `${service.url}/of-another`]
  const options = { services: ['127.0.5.0/24', '127.0.0.1'], endpoints, slowMsMin: 60_000, waitingMax: 10 }
  const { sender, logged } = open('/full', options)
  for (const mailbox of hosts.keys()) await sender.mailStored(`${mailbox}` as MailboxId, [`address ${mailbox}`, 'one network'])
  await sender.mailStored('40' as MailboxId, ['an address', 'another network'])
  await expect.poll(() => service.pushed.some(({ path }) => path === '/of-another')).toBe(true)
  await sender[Symbol.asyncDispose]()
  expect(logged.filter(line => line.includes('too many wait'))).toHaveLength(1)
})

test('a host that does not exist is tried once', async () => {
  // Longer than a name may be, so no resolver is asked.
  const host = `${'x'.repeat(64)}.push.example`
  const { sender, logged } = open('/no-host', { services: ['push.example'], endpoints: [`https://${host}/x`] })
  await sender.mailStored(MAILBOX, [])
  await expect.poll(() => logged.length).toBe(1)
  await new Promise(resolve => setTimeout(resolve, 200))
  expect(logged).toEqual([expect.stringContaining('enotfound')])
  await sender[Symbol.asyncDispose]()
})

test('nothing is sent to a service that the operator removed, and its subscriptions are removed', async () => {
  const { sender, removed, count } = open('/removed', { services: ['10.0.0.0/8', 'push.example'] })
  await sender.mailStored(MAILBOX, [])
  await expect.poll(() => removed).toEqual(['/removed'])
  await sender[Symbol.asyncDispose]()
  expect(count()).toBe(0)
})
