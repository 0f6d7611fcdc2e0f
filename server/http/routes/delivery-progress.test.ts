import { createTransport } from 'nodemailer'
import { afterEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { readEventStream } from '#contract/event-stream.ts'
import { type DeliveryProgress, mailboxCreatedSchema, streamEventSchema } from '#contract/mailbox.ts'
import { routes } from '#contract/routes.ts'
import { startApp } from '#server/app.ts'
import { type Config, readConfig } from '#server/platform/config/config.ts'
import { divideMemory } from '#server/platform/memory/memory-budget.ts'
import { SmtpClient } from '#test/harness/clients/smtp-client.ts'
import { HeardLog } from '#test/harness/heard-log.ts'
import { newFolder } from '#test/harness/until-end.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function start(env: Record<string, string> = {}, config: Partial<Config> = {}, allowLog: readonly RegExp[] = []) {
  const folder = newFolder()
  const base = { HTTP_PORT: '0', SMTP_PORT: '0', HOST: '127.0.0.1', DATA_DIR: folder, BOT_CHECK: 'off', DNS_SERVERS: 'off' }
  const heardLog = new HeardLog(allowLog)
  const app = await startApp({ ...readConfig({ ...base, ...env }), ...config }, { log: heardLog.log, siteFolder: folder })
  closing.push(async () => {
    await app[Symbol.asyncDispose]()
    heardLog.check()
  })
  return app
}
type App = Awaited<ReturnType<typeof start>>

/** A new address, and the delivery steps that its stream sends, in order. */
async function waitingAddress(app: App, proxied: Record<string, string> = {}) {
  const ask = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${app.httpPort}${path}`, init)
  const created = await ask(routes.mailboxes, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })
  const { email, token } = z.parse(mailboxCreatedSchema, await created.json())
  const left = new AbortController()
  closing.push(() => left.abort())
  const stream = await ask(routes.events, { headers: { ...proxied, authorization: `Bearer ${token}` }, signal: left.signal })
  const seen: Omit<DeliveryProgress, 'type'>[] = []
  const read = async () => {
    if (!stream.body) return
    for await (const { id, data } of readEventStream(stream.body, () => undefined)) {
      const event = z.parse(streamEventSchema, JSON.parse(data))
      if (event.type !== 'delivery') continue
      expect(id, 'nothing to come back to').toBeUndefined()
      const { type: _, ...step } = event
      seen.push(step)
    }
  }
  read().catch(() => undefined)
  return { email, seen }
}

const send = (app: App, to: string, mail: object, options: object = {}) =>
  createTransport({
    host: '127.0.0.1',
    port: app.smtpPort,
    name: 'mx.sender.test',
    tls: { rejectUnauthorized: false },
    ...options,
  }).sendMail({
    from: 'ada@sender.test',
    to,
    ...mail,
  })

test('readers of this address see the server connect, send and be accepted, and others do not', async () => {
  const app = await start()
  const [one, other] = [await waitingAddress(app), await waitingAddress(app)]
  await send(app, one.email, { subject: 'a secret subject', text: `${'x'.repeat(99)}\n`.repeat(430) }, { ignoreTLS: true })
  await expect.poll(() => one.seen.map(({ step }) => step)).toEqual(['connected', 'receiving', 'accepted'])
  const [connected, , accepted] = one.seen
  expect(connected).toEqual({ step: 'connected', server: 'mx.sender.test', encrypted: false })
  expect(accepted?.bytes).toBeGreaterThan(43_000)
  expect(JSON.stringify(one.seen)).not.toMatch(/secret|ada@/)
  expect(other.seen).toEqual([])
})

test('an encrypted connection is shown as encrypted', async () => {
  const app = await start({ SMTP_STARTTLS: 'always' })
  const { email, seen } = await waitingAddress(app)
  await send(app, email, { text: 'Hello' }, { requireTLS: true })
  await expect.poll(() => seen.at(-1)).toMatchObject({ step: 'accepted', encrypted: true })
})

test('a refusal shows its reason: too large, or mailbox full', async () => {
  const app = await start({ MESSAGE_BYTES_MAX: '65536', MAILBOX_MESSAGES_MAX: '1' })
  const { email, seen } = await waitingAddress(app)
  await send(app, email, { text: 'The one there is room for' })
  await expect(send(app, email, { text: 'One more' })).rejects.toMatchObject({ responseCode: 452 })
  await expect.poll(() => seen.at(-1)).toMatchObject({ step: 'refused', reason: 'mailbox_full' })
  const large = `${'x'.repeat(99)}\n`.repeat(1000)
  await expect(send(app, email, { raw: `Subject: large\r\n\r\n${large}` })).rejects.toMatchObject({ responseCode: 552 })
  await expect.poll(() => seen.at(-1)).toMatchObject({ step: 'refused', reason: 'too_large' })
})

test('a message whose declared size is too large is refused before it is sent, and its reader sees why', async () => {
  const app = await start({ MESSAGE_BYTES_MAX: '65536' }, { memory: divideMemory(2 ** 30, 65_536, 100_000) })
  const [one, other] = [await waitingAddress(app), await waitingAddress(app)]
  await using client = await SmtpClient.connect(app.smtpPort)
  // More than all messages in flight may hold, too: trying again later would not help.
  await client.play([
    ['EHLO mx.sender.test', 250],
    ['MAIL FROM:<ada@sender.test> SIZE=200000', 250],
    [`RCPT TO:<${one.email}>`, '552 5.3.4'],
    ['DATA', '554 5.5.1'],
  ])
  await expect.poll(() => one.seen).toEqual([{ step: 'refused', reason: 'too_large', server: 'mx.sender.test', encrypted: false }])
  expect(other.seen).toEqual([])
})

test('a connection that ends inside the message ends its step', async () => {
  const app = await start({ MESSAGE_BYTES_MAX: '65536' })
  const { email, seen } = await waitingAddress(app)
  const begin = async () => {
    const client = await SmtpClient.connect(app.smtpPort)
    await client.play([
      ['EHLO mx.sender.test', 250],
      ['MAIL FROM:<ada@sender.test>', 250],
      [`RCPT TO:<${email}>`, 250],
      ['DATA', 354],
    ])
    return client
  }
  const steps = () => seen.map(({ step, reason }) => reason ?? step)
  for (const end of ['destroy', 'end'] as const) {
    await using client = await begin()
    client.send('Subject: half\r\n\r\nof it')
    await expect.poll(steps).toEqual(['connected', 'receiving'])
    client.socket[end]()
    await expect.poll(steps).toEqual(['connected', 'receiving', 'disconnected'])
    seen.length = 0
  }
  // The server closes the connection, because of the size.
  await using flood = await begin()
  flood.send(`${'x'.repeat(98)}\r\n`.repeat(8000))
  await expect.poll(steps).toEqual(['connected', 'receiving', 'too_large'])
})

test('a program that fails at TLS before it names an address is shown to readers nearby, logged once and counted', async () => {
  const allowLog = [/"reason":"closed_after_certificate".*Set SMTP_STARTTLS to auto/]
  const app = await start({ SMTP_STARTTLS: 'always', TRUST_PROXY: '127.0.0.1' }, {}, allowLog)
  const [near, far] = [await waitingAddress(app), await waitingAddress(app, { 'x-forwarded-for': '198.51.100.7' })]
  for (const _ of [1, 2]) await expect(send(app, near.email, { text: 'Hello' }, { tls: {} })).rejects.toThrow(/self-signed/)
  const step = { step: 'tls_failed', reason: 'certificate', server: 'mx.sender.test', encrypted: false }
  await expect.poll(() => near.seen).toEqual([step, step])
  const metrics = await (await fetch(`http://127.0.0.1:${app.httpPort}/metrics`)).text()
  expect(metrics).toContain('mayfly_smtp_tls_failures_total{reason="closed_after_certificate"} 2')
  // The far reader would hear over the same path, later.
  await send(app, far.email, { text: 'Hello' }, { ignoreTLS: true })
  await expect.poll(() => far.seen.map(seen => seen.step)).toEqual(['connected', 'receiving', 'accepted'])
})
