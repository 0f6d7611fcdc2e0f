/** The steps of a delivery that a waiting reader sees, on the real application. */
import { createTransport } from 'nodemailer'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { readEventStream } from '#contract/event-stream.ts'
import { type DeliveryProgress, streamEventSchema } from '#contract/mailbox.ts'
import { routes } from '#contract/routes.ts'
import { divideMemory } from '#server/platform/memory/memory-budget.ts'
import { SmtpClient, type Step } from '#test/harness/clients/smtp-client.ts'
import { bearer, startTestServer, type TestServer } from '#test/harness/mayfly/start-test-server.ts'

const start = (options: Parameters<typeof startTestServer>[0] = {}) => startTestServer({ ...options, isClockRunning: true })

/** A new address, and the delivery steps that its stream sends, in order. */
async function waitingAddress(server: TestServer, proxied: Record<string, string> = {}) {
  const { email, token } = await server.createMailbox()
  const left = new AbortController()
  onTestFinished(() => left.abort())
  const stream = await fetch(server.url(routes.events), { headers: { ...proxied, ...bearer(token) }, signal: left.signal })
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

function send({ app }: TestServer, to: string, mail: object, options: object = {}) {
  const place = { host: '127.0.0.1', port: app.smtpPort, name: 'mx.sender.test', tls: { rejectUnauthorized: false } }
  return createTransport({ ...place, ...options }).sendMail({ from: 'ada@sender.test', to, ...mail })
}

test('readers of this address see the server connect, send and be accepted, and others do not', async () => {
  await using server = await start()
  const [one, other] = [await waitingAddress(server), await waitingAddress(server)]
  await send(server, one.email, { subject: 'a secret subject', text: `${'x'.repeat(99)}\n`.repeat(430) }, { ignoreTLS: true })
  await expect.poll(() => one.seen.map(({ step }) => step)).toEqual(['connected', 'receiving', 'accepted'])
  const [connected, , accepted] = one.seen
  expect(connected).toEqual({ step: 'connected', server: 'mx.sender.test', encrypted: false })
  expect(accepted?.bytes).toBeGreaterThan(43_000)
  expect(JSON.stringify(one.seen)).not.toMatch(/secret|ada@/)
  expect(other.seen).toEqual([])
})

test('an encrypted connection is shown as encrypted', async () => {
  await using server = await start({ env: { SMTP_STARTTLS: 'always' } })
  const { email, seen } = await waitingAddress(server)
  await send(server, email, { text: 'Hello' }, { requireTLS: true })
  await expect.poll(() => seen.at(-1)).toMatchObject({ step: 'accepted', encrypted: true })
})

test('a refusal shows its reason: too large, or mailbox full', async () => {
  await using server = await start({ env: { MESSAGE_BYTES_MAX: '65536', MAILBOX_MESSAGES_MAX: '1' } })
  const { email, seen } = await waitingAddress(server)
  await send(server, email, { text: 'The one there is room for' })
  await expect(send(server, email, { text: 'One more' })).rejects.toMatchObject({ responseCode: 452 })
  await expect.poll(() => seen.at(-1)).toMatchObject({ step: 'refused', reason: 'mailbox_full' })
  const large = `${'x'.repeat(99)}\n`.repeat(1000)
  await expect(send(server, email, { raw: `Subject: large\r\n\r\n${large}` })).rejects.toMatchObject({ responseCode: 552 })
  await expect.poll(() => seen.at(-1)).toMatchObject({ step: 'refused', reason: 'too_large' })
})

test('a message whose declared size is too large is refused before it is sent, and its reader sees why', async () => {
  const memory = divideMemory(2 ** 30, 65_536, 100_000)
  await using server = await start({ env: { MESSAGE_BYTES_MAX: '65536' }, config: { memory } })
  const [one, other] = [await waitingAddress(server), await waitingAddress(server)]
  await using client = await SmtpClient.connect(server.app.smtpPort)
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
  await using server = await start({ env: { MESSAGE_BYTES_MAX: '65536' } })
  const { email, seen } = await waitingAddress(server)
  const begin = async () => {
    const client = await SmtpClient.connect(server.app.smtpPort)
    await client.beginMail(email, 'ada@sender.test')
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
  await using server = await start({ env: { SMTP_STARTTLS: 'always', TRUST_PROXY: '127.0.0.1' }, allowLog })
  const [near, far] = [await waitingAddress(server), await waitingAddress(server, { 'x-forwarded-for': '198.51.100.7' })]
  for (const _ of [1, 2]) await expect(send(server, near.email, { text: 'Hello' }, { tls: {} })).rejects.toThrow(/self-signed/)
  const step = { step: 'tls_failed', reason: 'certificate', server: 'mx.sender.test', encrypted: false }
  await expect.poll(() => near.seen).toEqual([step, step])
  const metrics = await (await fetch(server.url('/metrics'))).text()
  expect(metrics).toContain('mayfly_smtp_tls_failures_total{reason="closed_after_certificate"} 2')
  // The far reader would hear over the same path, later.
  await send(server, far.email, { text: 'Hello' }, { ignoreTLS: true })
  await expect.poll(() => far.seen.map(seen => seen.step)).toEqual(['connected', 'receiving', 'accepted'])
})

test('however often programs nearby fail at TLS, their readers are told once of a session, and now and then of a network', async () => {
  const server = await start({ env: { SMTP_STARTTLS: 'never' }, allowLog: [/STARTTLS, which is not offered/] })
  onTestFinished(() => server[Symbol.asyncDispose]())
  const { email, seen } = await waitingAddress(server)
  const told = () => seen.filter(({ step }) => step === 'tls_failed').map(notice => notice.server)
  const fail = async (name: string) => {
    await using client = await SmtpClient.connect(server.app.smtpPort)
    await client.play([[`EHLO ${name}`, 250], ...Array.from({ length: 15 }, (): Step => ['STARTTLS', 502])])
  }
  for (let session = 0; session < 40; session++) await fail(`session-${session}`)
  await expect.poll(told, { timeout: 30_000 }).toContain('session-39')
  expect(told()[0]).toBe('session-0')
  expect(told().length).toBeLessThan(40)
  expect(new Set(told()).size, 'once of a session').toBe(told().length)
  await send(server, email, { text: 'Hello' }, { ignoreTLS: true })
  await expect.poll(() => seen.at(-1)?.step).toBe('accepted')
})

test('a program far away that fails at TLS is told of once it names an address, and networks nearby in the order of their failures', async () => {
  const env = { SMTP_STARTTLS: 'never', PROXY_PROTOCOL_FROM: '127.0.0.1' }
  await using server = await start({ env, allowLog: [/STARTTLS, which is not offered/] })
  const { email, seen } = await waitingAddress(server)
  const fail = async (name: string, clientAddress: string, ...after: Step[]) => {
    await using client = await SmtpClient.connect(server.app.smtpPort, { clientAddress })
    await client.play([[`EHLO ${name}`, 250], ['STARTTLS', 502], ...after])
  }
  await fail('far', '198.51.100.7', ['MAIL FROM:<ada@sender.test>', 250], [`RCPT TO:<${email}>`, 250], ['STARTTLS', 502])
  await expect.poll(() => seen.map(notice => `${notice.step} ${notice.server}`)).toContain('tls_failed far')
  for (const at of [1, 2, 3, 2]) await fail(`near-${at}`, `10.0.${at}.1`)
  const told = () => new Set(seen.map(notice => notice.server).filter(name => name.startsWith('near')))
  await expect.poll(() => [...told()], { timeout: 30_000 }).toEqual(['near-1', 'near-2', 'near-3'])
})
