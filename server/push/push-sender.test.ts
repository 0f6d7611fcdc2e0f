/** Attempts, and what follows from their outcome, with a push service on this machine. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '#server/log.ts'
import type { MailboxId } from '#server/store/store.ts'
import { newBrowserKeys } from '#test/push-browser.ts'
import { type PushEndpoint, startPushEndpoint } from '#test/push-endpoint.ts'
import { PushSender } from './push-sender.ts'
import { PushTargets } from './push-targets.ts'
import type { Subscriber } from './subscriptions.ts'
import { openVapid } from './vapid.ts'

let service: PushEndpoint
beforeAll(async () => {
  service = await startPushEndpoint()
})
afterAll(() => service[Symbol.asyncDispose]())

const MAILBOX = 'm' as MailboxId
function open(path: string, { services = ['127.0.0.1'], expiresAt = Date.now() + 60_000, pausesMs = [10, 10] } = {}) {
  const removed: string[] = []
  const subscriber: Subscriber = { id: path, endpoint: service.url + path, keys: newBrowserKeys().keys, expiresAt }
  const subscriptions = { of: async () => [subscriber], removeGone: async (id: string) => void removed.push(id) }
  const vapid = openVapid(Buffer.alloc(32, 7), 'mailto:a@b.example')
  const deps = {
    subscriptions,
    services: new PushTargets(services),
    vapid,
    clock: Date.now,
    log: createLog('silent'),
    restMs: 100,
    pausesMs,
  }
  const sender = new PushSender(deps)
  return { sender, removed, count: () => service.pushed.filter(one => one.path === path).length }
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
    await opened.mailArrived(MAILBOX)
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
  await sender.mailArrived(MAILBOX)
  await expect.poll(() => removed).toEqual(['/gone'])
  await sender[Symbol.asyncDispose]()
  service.status = 201
})

test('private addresses are not connected to, and nothing is sent for an expired address', async () => {
  for (const options of [{ services: ['localhost.example'] }, { expiresAt: Date.now() }]) {
    const { sender, count } = open('/never', options)
    await sender.mailArrived(MAILBOX)
    await sender[Symbol.asyncDispose]()
    expect(count()).toBe(0)
  }
})

test('of many mails during the pause a browser is notified once', async () => {
  const { sender, count } = open('/rest')
  for (let n = 0; n < 20; n++) await sender.mailArrived(MAILBOX)
  await expect.poll(count).toBe(2)
  await new Promise(resolve => setTimeout(resolve, 300))
  expect(count()).toBe(2)
  await sender[Symbol.asyncDispose]()
})
