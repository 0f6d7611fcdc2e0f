import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { DAY_MS } from '#contract/limits.ts'
import { messageListSchema, messageSchema } from '#contract/mailbox.ts'
import { routes } from '#contract/routes.ts'
import { dotted, play } from '#test/harness/clients/smtp-client.ts'
import { bearer, startTestServer } from '#test/harness/mayfly/start-test-server.ts'
import { LARGE_QUOTA, sealed } from '#test/harness/mayfly/store-fixture.ts'

const server = await startTestServer({ isClockRunning: true })
afterAll(() => server[Symbol.asyncDispose]())

test('a stream resumes without gaps or duplicates, ends with `expired`, and a mailbox may have six', async () => {
  const { email, token } = await server.createMailbox()
  await server.deliver(email)
  const streams = await Promise.all(Array.from({ length: 6 }, () => fetch(server.url(routes.events), { headers: bearer(token) })))
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
  const seventh = await fetch(server.url(routes.events), { headers: bearer(token) })
  expect([seventh.status, seventh.headers.has('retry-after')]).toEqual([429, true])
  expect(await readMetrics()).toMatch(/^mayfly_event_streams 6$/m)
  await Promise.all(streams.slice(1).map(stream => stream.body?.cancel()))

  const heard = listen(streams[0])
  expect(await heard.until('event: message')).toMatch(/id: \d+\nevent: message\ndata: \{"type":"message"/)
  const cursor = /id: (\d+)/.exec(heard.text())?.[1] ?? ''
  const resume = () => fetch(server.url(routes.events), { headers: { ...bearer(token), 'last-event-id': cursor } })
  // The server notices a moment later that the five streams were closed.
  let accepted = await resume()
  for (let tries = 0; tries < 100 && accepted.status === 429; tries++) {
    await sleep(50)
    accepted = await resume()
  }
  const resumed = listen(accepted)
  await fetch(server.url(routes.mailbox), { method: 'DELETE', headers: bearer(token) })
  expect(await resumed.end()).toBe(':\n\nevent: expired\ndata: {"type":"expired"}\n\n')
  expect(await heard.end()).toMatch(/event: expired\ndata: \{"type":"expired"\}\n\n$/)
})

test('a stream tells of changes in further mailboxes, without data: at each start, of mail, and of the end of each, which ends no other', async () => {
  const [own, mailed, destroyed] = [await server.createMailbox(), await server.createMailbox(), await server.createMailbox()]
  const brief = await server.app.mail.createAddress({ lifetimeSeconds: 2 })
  const also = [mailed.token, destroyed.token, brief.token, 'x'.repeat(64)]
  const follow = async (tokens: readonly string[], id = '') =>
    fetch(server.url(routes.events), { headers: { ...bearer([own.token, ...tokens].join(', ')), 'last-event-id': id } })
  const heard = listen(await follow(also))
  const told = (position: number) => `event: changed\ndata: {"type":"changed","position":${position}}\n\n`
  for (const position of also.keys()) await heard.until(told(position))
  await server.deliver(mailed.email)
  await heard.until(told(0), 2)
  await fetch(server.url(routes.mailbox), { method: 'DELETE', headers: bearer(destroyed.token) })
  await heard.until(told(1), 2)
  const text = await heard.until(told(2), 2)
  const others = text.replace(/^:\n\n/, '').replaceAll(/event: changed\ndata: \{"type":"changed","position":[0-3]\}\n\n/g, '')
  expect(others, 'nothing else, and no id').toBe('')
  await server.deliver(own.email)
  await server.deliverRaw(mailed.email, mailFor(mailed.email, 'while both are open'))
  await heard.until(told(0), 3)
  const id = /id: (\d+)\nevent: message/.exec(await heard.until('event: message'))?.[1]
  expect(heard.text().split(told(3)), 'nothing changes where no mailbox is').toHaveLength(2)

  await server.deliverRaw(mailed.email, mailFor(mailed.email, 'before the reader is back'))
  const resumed = listen(await follow([mailed.token], id))
  await resumed.until(told(0))
  await fetch(server.url(routes.mailbox), { method: 'DELETE', headers: bearer(own.token) })
  for (const stream of [heard, resumed]) expect(await stream.end()).toMatch(/event: expired\ndata: \{"type":"expired"\}\n\n$/)
})

test('a further mailbox that others watch, and tokens that open none, take nobody the stream of their own', async () => {
  await using limited = await startTestServer({ env: { NETWORK_LIMIT_FACTOR: '1' } })
  const [own, shared] = [await limited.createMailbox(), await limited.createMailbox()]
  const told = (position: number) => `event: changed\ndata: {"type":"changed","position":${position}}\n\n`
  const follow = async ({ token }: { readonly token: string }, also: readonly string[] = []) => {
    const response = await fetch(limited.url(routes.events), { headers: bearer([token, ...also].join()) })
    expect(response.status).toBe(200)
    return listen(response)
  }
  const watchers = []
  for (let tab = 0; tab < 7; tab++) watchers.push(await follow(tab < 4 ? own : await limited.createMailbox(), [shared.token]))
  for (const watcher of watchers) await watcher.until(told(0))
  const owner = await follow(shared)
  await limited.deliver(shared.email)
  await owner.until('event: message')
  for (const watcher of watchers.slice(0, 6)) await watcher.until(told(0), 2)

  const guesses = Array.from({ length: 10 }, (_, at) => String(at).repeat(64))
  for (let tries = 0; tries < 3; tries++) await (await follow(shared, guesses)).until(told(9))
  expect((await fetch(limited.url(routes.mailbox), { headers: bearer('x'.repeat(64)) })).status, 'each guess is counted').toBe(429)
})

test('at most ten further tokens, and nothing else, may be watched', async () => {
  const { token } = await server.createMailbox()
  const status = async (path: string, tokens: string) => {
    const response = await fetch(server.url(path), { headers: bearer(tokens) })
    await response.body?.cancel()
    return response.status
  }
  expect(await status(routes.events, Array(11).fill(token).join())).toBe(200)
  for (const tokens of [Array(12).fill(token).join(), `${token},${token} ${token}`, `${token},x`, `${token},`, `,${token}`])
    expect(await status(routes.events, tokens), tokens).toBe(401)
  for (const path of [routes.wait, routes.mailbox, routes.messages]) expect(await status(path, `${token},${token}`), path).toBe(401)
})

test('a stream goes on after more messages that cannot be decrypted than it reads at once', async () => {
  server.heardLog.allow(/cannot be decrypted were left out/)
  const { email, token } = await server.createMailbox()
  const { store, mail } = server.app
  const mailbox = await mail.openMailbox(token)
  if (!mailbox) throw new Error('a fresh token must open its mailbox')
  for (let i = 0; i < 60; i++) await store.deliver(mailbox.mailboxId, sealed(`unreadable ${i}`), LARGE_QUOTA, mailbox.createdAt)
  await server.deliver(email)
  const heard = listen(await fetch(server.url(routes.events), { headers: bearer(token) }))
  expect(await heard.until('event: message')).toContain('Your code is 481516')
  await fetch(server.url(routes.mailbox), { method: 'DELETE', headers: bearer(token) })
  await heard.end()
})

test('a long poll returns the first message that matches, or 204 if none arrives', async () => {
  const { email, token } = await server.createMailbox()
  const waiting = fetch(server.url(`${routes.wait}?subject=CODE&from=ann&timeoutSeconds=20`), { headers: bearer(token) })
  await server.deliver(email)
  expect(await (await waiting).json()).toMatchObject({ subject: 'Your code is 481516', text: expect.stringContaining('481516') })
  expect((await fetch(server.url(`${routes.wait}?subject=other&timeoutSeconds=0`), { headers: bearer(token) })).status).toBe(204)
  const fraction = await fetch(server.url(`${routes.wait}?subject=other&timeoutSeconds=0.12345`), { headers: bearer(token) })
  expect(fraction.status, 'a fraction of a second, and of a millisecond').toBe(204)
  expect((await fetch(server.url(`${routes.wait}?after=yesterday`), { headers: bearer(token) })).status).toBe(400)
  expect((await fetch(server.url(`${routes.wait}?from=a&from=b`), { headers: bearer(token) })).status).toBe(400)
  for (const path of [`${routes.wait}?body=`, `${routes.messages}?from=`])
    expect((await fetch(server.url(path), { headers: bearer(token) })).status, path).toBe(400)
})

test('an unknown query parameter is refused by its name', async () => {
  const { token } = await server.createMailbox()
  for (const [path, remedy] of [
    [routes.wait, 'this address takes from, envelopeTo, to, subject, body, after, timeoutSeconds'],
    [routes.messages, 'this address takes from, envelopeTo, subject, after, before, limit'],
    [routes.mailbox, 'this address takes no parameters'],
  ] as const) {
    const refused = await fetch(server.url(`${path}?sender=x&constructor=y`), { headers: bearer(token) })
    expect([refused.status, (await refused.json()).errors], path).toEqual([
      400,
      ['sender', 'constructor'].map(name => ({ path: name, message: `is not a parameter: ${remedy}` })),
    ])
  }
})

async function wait(token: string, query: Record<string, string> = {}, asked = server) {
  const response = await fetch(asked.url(`${routes.wait}?${new URLSearchParams({ timeoutSeconds: '0', ...query })}`), {
    headers: bearer(token),
  })
  return response.status === 204 ? undefined : messageSchema.parse(await response.json())
}

const mailFor = (to: string, body: string) => Buffer.from(`From: ann@sender.test\r\nTo: ${to}\r\nSubject: Hello\r\n\r\n${body}\r\n`)

test('the cursor or time of a message leads to each later one once, of 80 of one instant whose senders are checked late', async () => {
  await using still = await startTestServer()
  const { email, token } = await still.createMailbox()
  const bodies = Array.from({ length: 80 }, (_, i) => `mail ${i}.`)
  await Promise.all(bodies.map(body => still.deliverRaw(email, mailFor(email, body))))
  const listed = messageListSchema.parse(await (await fetch(still.url(routes.messages), { headers: bearer(token) })).json()).messages
  expect(new Set(listed.map(({ cursor }) => cursor)).size).toBe(bodies.length)
  // These come last among the changes of the mailbox.
  for (const { id } of listed.slice(40)) await still.addAuthentication(email, id, { spf: 'pass', dkim: 'pass', dmarc: 'pass', arc: 'none' })
  for (const position of ['cursor', 'receivedAt'] as const) {
    const seen: string[] = []
    for (let message = await wait(token, {}, still); message; message = await wait(token, { after: message[position] }, still))
      seen.push(message.id)
    expect(seen, position).toEqual(listed.map(({ id }) => id).toReversed())
  }
})

test('small and large messages are found by what only the whole message tells, oldest first', async () => {
  const { email, token } = await server.createMailbox()
  const large = 'x'.repeat(70 * 1024)
  for (const body of ['one', `two ${large}`, 'three'])
    await server.deliverRaw(email, mailFor(email.replace('@', `+${body.slice(0, 3)}@`), body))
  expect((await wait(token, { body: 'TWO' }))?.text).toContain(large)
  expect((await wait(token, { to: '+THR@' }))?.text?.trim()).toBe('three')
  const first = await wait(token, { subject: 'hello', body: 'e' })
  expect(first?.text?.trim()).toBe('one')
  expect((await wait(token, { after: first?.cursor ?? '', to: '+two@' }))?.text).toContain('two')
  expect(await wait(token, { body: 'four' })).toBeUndefined()
})

test('the list is filtered and comes in pages, newest first, each message once', async () => {
  const { email, token } = await server.createMailbox()
  for (let n = 0; n < 5; n++) await server.deliverRaw(email, mailFor(email, `mail ${n}.`))
  const raw = Buffer.from('From: Bob <bob@shop.test>\r\nSubject: Order 7\r\n\r\nx\r\n')
  await server.deliverRaw(email, raw)
  const list = async (query: Record<string, string>) => {
    const response = await fetch(server.url(`${routes.messages}?${new URLSearchParams(query)}`), { headers: bearer(token) })
    return messageListSchema.parse(await response.json()).messages
  }
  expect((await list({ from: 'BOB' })).map(({ subject }) => subject)).toEqual(['Order 7'])
  expect(await list({ from: 'bob', subject: 'hello' })).toEqual([])
  const cursors: string[] = []
  for (let page = await list({ limit: '4' }); page.length > 0; page = await list({ limit: '4', before: page.at(-1)?.cursor ?? '' }))
    cursors.push(...page.map(({ cursor }) => cursor))
  expect(cursors).toEqual(cursors.toSorted((a, b) => Number(b) - Number(a)))
  expect(new Set(cursors).size).toBe(6)
  expect(await list({ after: cursors[1] ?? '' })).toMatchObject([{ cursor: cursors[0] }])
  for (const query of ['limit=0', 'limit=501', 'before=x', 'after=2026-13-01', 'to=x'])
    expect((await fetch(server.url(`${routes.messages}?${query}`), { headers: bearer(token) })).status, query).toBe(400)
})

test('late authentication results do not make a message new', async () => {
  const { email, token } = await server.createMailbox()
  await server.deliverRaw(email, mailFor(email, 'first'))
  await server.deliverRaw(email, mailFor(email, 'second'))
  const first = await wait(token)
  await server.addAuthentication(email, first?.id ?? '', { spf: 'pass', dkim: 'pass', dmarc: 'pass', arc: 'none' })
  const second = await wait(token, { after: first?.cursor ?? '' })
  expect([first?.text?.trim(), second?.text?.trim()]).toEqual(['first', 'second'])
  expect(await wait(token, { after: second?.cursor ?? '' })).toBeUndefined()
  expect((await wait(token))?.authentication ?? (await wait(token, { body: 'FIRST' }))?.authentication).toMatchObject({ spf: 'pass' })
})

test('a long poll can match a recipient with its tag, and words of the body', async () => {
  const { email, token } = await server.createMailbox()
  const tagged = email.replace('@', '+Sign-Up@')
  await server.deliverRaw(email, mailFor(email, 'nothing to see'))
  await server.deliverRaw(email, mailFor(tagged, 'Your code is 481516'))
  expect((await wait(token, { to: '+sign-up@' }))?.to).toEqual([{ name: '', address: tagged }])
  expect((await wait(token, { body: 'CODE IS' }))?.text).toContain('481516')
  expect(await wait(token, { to: '+sign-up@', body: 'nothing to see' })).toBeUndefined()
})

describe('for which address of a mailbox a mail was sent', () => {
  /** Sends one mail whose headers name somebody else, as a Bcc does. */
  async function sendTo(...addresses: readonly string[]) {
    const name = (address: string) => Buffer.from(`RCPT TO:<${address}>`).toString('latin1')
    await play(server.app.smtpPort, [
      ['EHLO client.test', 250],
      ['MAIL FROM:<ann@sender.test> SMTPUTF8', 250],
      ...addresses.map(address => [name(address), 250] as const),
      ['DATA', 354],
      [dotted(mailFor('list@sender.test', addresses.join(' '))), 250],
    ])
  }
  const rows = async (token: string, query = '') => {
    const listed = await fetch(server.url(`${routes.messages}?${query}`), { headers: bearer(token) })
    return messageListSchema.parse(await listed.json()).messages.map(({ envelopeTo }) => envelopeTo)
  }

  test('is told with its tag, two of one transaction in one mail, and nobody learns the address of another', async () => {
    const [one, other] = [await server.createMailbox(), await server.createMailbox()]
    const stream = listen(await fetch(server.url(routes.events), { headers: bearer(one.token) }))
    const [blind, news] = [one.email.replace('@', '+Blind@'), one.email.replace('@', '+news@')]
    await sendTo(blind, other.email.toUpperCase(), news.replace('mayfly.test', 'MAYFLY.TEST'), blind.toLowerCase())
    expect(await rows(one.token)).toEqual([[blind, news]])
    expect(await rows(other.token)).toEqual([[other.email.toUpperCase().replace('MAYFLY.TEST', 'mayfly.test')]])
    expect(await stream.until('"envelopeTo"')).toContain(`"envelopeTo":${JSON.stringify([blind, news])}`)
    expect((await wait(one.token))?.envelopeTo).toEqual([blind, news])
  })

  test('is a condition of list and wait in any letter case and any encoding of its letters', async () => {
    const { email, token } = await server.createMailbox()
    const [composed, decomposed] = [email.replace('@', '+Caf\u00e9@'), email.replace('@', '+cafe\u0301@')]
    await sendTo(email)
    await sendTo(decomposed)
    for (const wanted of [composed, decomposed, composed.toUpperCase(), '+CAF\u00c9@']) {
      for (const name of ['to', 'envelopeTo'])
        expect((await wait(token, { [name]: wanted }))?.envelopeTo, wanted).toEqual([composed.toLowerCase()])
      expect(await rows(token, `envelopeTo=${encodeURIComponent(wanted)}`), wanted).toEqual([[composed.toLowerCase()]])
    }
    expect(await wait(token, { envelopeTo: 'list@sender.test' }), 'of a header').toBeUndefined()
    expect((await wait(token, { to: 'list@sender.test' }))?.envelopeTo).toEqual([email])
    expect(await wait(token, { to: '+other@' })).toBeUndefined()
  })
})

test('a client that disconnects before the response counts as aborted, not as served or failed', async () => {
  const { token } = await server.createMailbox()
  const leaving = new AbortController()
  const waiting = fetch(server.url(`${routes.wait}?timeoutSeconds=50`), { headers: bearer(token), signal: leaving.signal })
  setTimeout(() => leaving.abort(), 100)
  await expect(waiting).rejects.toThrow('aborted')
  await expect.poll(readMetrics).toMatch(/^mayfly_http_request_seconds_count\{route="\/api\/mailbox\/wait",method="GET",status="499"\} 1$/m)
})

const readMetrics = async () => (await fetch(server.url(routes.metrics))).text()

test('a stream of an address that lives 60 days waits for its end with timers that are short enough', async () => {
  const warnings: Error[] = []
  const note = (warning: Error) => warnings.push(warning)
  process.on('warning', note)
  try {
    const { token } = await server.app.mail.createAddress({ lifetimeSeconds: (60 * DAY_MS) / 1000 })
    const stream = await fetch(server.url(routes.events), { headers: bearer(token) })
    await stream.body?.cancel()
  } finally {
    process.off('warning', note)
  }
  expect(warnings).toEqual([])
})

function listen(response: Response | undefined) {
  const reader = response?.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const read = async () => {
    const step = await reader?.read()
    text += step?.value ?? ''
    return step?.done ?? true
  }
  return {
    text: () => text,
    async until(wanted: string, times = 1) {
      while (text.split(wanted).length <= times) if (await read()) break
      return text
    },
    async end() {
      while (!(await read()));
      return text
    },
  }
}
