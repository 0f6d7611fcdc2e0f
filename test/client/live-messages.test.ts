/** The client's loop over new messages, on a connection that is cut repeatedly. */
import { expect, test } from 'vitest'
import { type Mailbox, Mayfly } from '../../client/index.ts'
import type { LiveOptions } from '../../client/options.ts'
import { receive } from '../harness/mayfly/start-mail.ts'
import { startDnsServer } from '../harness/servers/dns-server.ts'
import { composeMail, startClient, startCuttableProxy } from './start-client.ts'

test('every message arrives once and in order, however often the connection is lost', async () => {
  await using client = await startClient({ DNS_SERVERS: 'off' })
  await using proxy = await startCuttableProxy(client.server.app.httpPort)
  await using mailbox = await new Mayfly({ url: proxy.url, apiKey: client.apiKey }).createMailbox()
  const send = (subject: string) => client.server.deliverRaw(mailbox.address, composeMail(mailbox.address, { subject }))
  const subjects: string[] = []
  const reading = (async () => {
    for await (const message of mailbox.messages()) {
      subjects.push(message.subject)
      if (message.subject === 'last') return
    }
  })()
  const sent: string[] = []
  for (let round = 0; round < 5; round++) {
    for (const subject of [`${round} before`, `${round} after`]) {
      sent.push(subject)
      await send(subject)
      // Sometimes in the middle of a response.
      if (round % 2 === 0) await expect.poll(() => subjects.length).toBe(sent.length)
      proxy.cut()
    }
  }
  await send('last')
  await reading
  expect(subjects).toEqual([...sent, 'last'])
  expect(proxy.connections()).toBeGreaterThan(5)
})

test('the loop ends when the mailbox does or when its signal aborts, and can start after a message', async () => {
  await using client = await startClient()
  const mailbox = await client.mayfly.createMailbox()
  const send = (subject: string) => client.server.deliverRaw(mailbox.address, composeMail(mailbox.address, { subject }))
  await send('one')
  await send('two')
  const [two] = await mailbox.listMessages()
  const stop = new AbortController()
  const stopped: string[] = []
  for await (const { subject } of mailbox.messages({ signal: stop.signal })) {
    stopped.push(subject)
    if (subject === 'two') stop.abort()
  }
  expect(stopped).toEqual(['one', 'two'])
  const later = Array.fromAsync(mailbox.messages({ after: two }), ({ subject }) => subject)
  await send('three')
  await expect.poll(async () => (await mailbox.listMessages()).length).toBe(3)
  setTimeout(() => void mailbox.delete(), 300)
  expect(await later).toEqual(['three'])
  await expect(Array.fromAsync(mailbox.messages())).rejects.toMatchObject({ code: 'mailbox_not_found' })
})

test('the loop continues where it was after the server was unreachable for a while', async () => {
  await using client = await startClient()
  await using proxy = await startCuttableProxy(client.server.app.httpPort)
  await using mailbox = await new Mayfly({ url: proxy.url, apiKey: client.apiKey }).createMailbox()
  const waiting = mailbox.waitForCode({ timeoutMs: 20_000 })
  await expect.poll(() => proxy.connections()).toBeGreaterThan(0)
  proxy.cut()
  await client.server.deliverRaw(mailbox.address, composeMail(mailbox.address, { text: 'Your code is 987654.' }))
  expect(await waiting).toBe('987654')
})

test('the loop waits as long as it is told, and ends some time after a mailbox whose server stays away', async () => {
  const responses: Response[] = []
  const fetch = (async input => {
    if (!String(input).endsWith('/api/mailbox'))
      responses.push(new Response('Busy', { status: 503, headers: { 'retry-after': '9999999999' } }))
    const state = { email: 'a@mayfly.test', expiresAt: new Date(0).toISOString(), secondsLeft, lifetimeSeconds: 600 }
    return responses.at(-1) ?? Response.json(state)
  }) satisfies typeof globalThis.fetch
  const loop = async () => {
    const mailbox = await new Mayfly({ url: 'http://mayfly.test', fetch }).openMailbox('t'.repeat(64))
    return Array.fromAsync(mailbox.messages({ signal: AbortSignal.timeout(500) }))
  }
  let secondsLeft = 600
  expect(await loop()).toEqual([])
  expect(responses.splice(0)).toHaveLength(1)
  secondsLeft = -61
  await expect(loop()).rejects.toMatchObject({ status: 503 })
})

test('a message whose sender is checked late keeps its place, and is not new for its readers', async () => {
  await using dns = await startDnsServer({}, { fault: name => (name.endsWith('slow.test') ? 'silent' : undefined) })
  await using client = await startClient({ DNS_SERVERS: dns.address })
  await using mailbox = await client.mayfly.createMailbox()
  const send = async (from: string, subject: string) => {
    const envelope = { from, recipients: [mailbox.address], clientAddress: '192.0.2.1', helo: 'mx.fast.test', isEncrypted: false }
    expect(await receive(client.server.app.mail, envelope, composeMail(mailbox.address, { from, subject }))).toBe('delivered')
  }
  const live = subjectsUntil(mailbox, 'last')
  await send('ann@slow.test', 'first')
  await send('bob@fast.test', 'second')
  await send('eve@fast.test', 'third')
  const isChecked = async () => {
    const listed = await mailbox.listMessages()
    const messages = await Promise.all(listed.map(({ id }) => mailbox.readMessage(id)))
    return messages.every(({ authentication }) => authentication !== undefined)
  }
  await expect.poll(isChecked, { timeout: 30_000, interval: 200 }).toBe(true)
  const [, , first] = await mailbox.listMessages()
  const fromFirst = subjectsUntil(mailbox, 'last', { after: first })
  expect((await mailbox.waitForMessage()).subject).toBe('first')
  expect((await mailbox.waitForMessage({ after: first })).subject).toBe('second')
  await send('bob@fast.test', 'last')
  expect(await live).toEqual(['first', 'second', 'third', 'last'])
  expect(await subjectsUntil(mailbox, 'last')).toEqual(['first', 'second', 'third', 'last'])
  expect(await fromFirst).toEqual(['second', 'third', 'last'])
}, 60_000)

async function subjectsUntil(mailbox: Mailbox, last: string, options: LiveOptions = {}): Promise<string[]> {
  const subjects: string[] = []
  for await (const { subject } of mailbox.messages(options)) {
    subjects.push(subject)
    if (subject === last) break
  }
  return subjects
}
