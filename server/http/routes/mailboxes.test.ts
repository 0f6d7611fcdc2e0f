/** Mailboxes, messages and attachments over real HTTP. */
import { connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { mailboxSchema } from '#contract/mailbox.ts'
import { pathTo } from '#contract/path-to.ts'
import { routes } from '#contract/routes.ts'
import { ATTACHMENT, bearer, startTestServer } from '#test/harness/mayfly/start-test-server.ts'

const server = await startTestServer({ isClockRunning: true })
afterAll(() => server[Symbol.asyncDispose]())

test('an address receives mail, lists it, serves its bytes and can be destroyed', async () => {
  const { email, token, secondsLeft } = await server.createMailbox()
  expect(secondsLeft).toBeGreaterThan(590)
  const raw = await server.deliver(email)
  const id = await server.firstId(token)
  const message = await (await fetch(server.url(pathTo(routes.message, { id })), { headers: bearer(token) })).json()
  expect(message).toMatchObject({ subject: 'Your code is 481516', from: { name: 'Ann', address: 'ann@sender.test' } })
  const downloaded = await fetch(server.url(pathTo(routes.raw, { id })), { headers: bearer(token) })
  expect(downloaded.headers.get('content-type')).toBe('message/rfc822')
  expect(Buffer.from(await downloaded.arrayBuffer())).toEqual(raw)
  expect((await fetch(server.url(pathTo(routes.message, { id })), { method: 'DELETE', headers: bearer(token) })).status).toBe(204)
  expect(await server.firstId(token)).toBe('')
  expect((await fetch(server.url(routes.mailbox), { method: 'DELETE', headers: bearer(token) })).status).toBe(204)
  expect((await fetch(server.url(routes.mailbox), { headers: bearer(token) })).status).toBe(404)
})

test('wrong and destroyed tokens get the same response, and a malformed or missing one an explanation', async () => {
  const destroyed = await server.createMailbox()
  await fetch(server.url(routes.mailbox), { method: 'DELETE', headers: bearer(destroyed.token) })
  const answers = await Promise.all(
    [bearer('A'.repeat(64)), bearer('-_09'.repeat(16)), bearer(destroyed.token)].map(async headers => {
      const response = await fetch(server.url(routes.messages), { headers })
      const { date: _, ...rest } = Object.fromEntries(response.headers)
      return { status: response.status, headers: rest, body: await response.text() }
    }),
  )
  expect(answers[0]?.status).toBe(404)
  for (const answer of answers) expect(answer).toEqual(answers[0])
  for (const headers of [{}, bearer('x'), bearer('A'.repeat(63)), { authorization: `Basic ${'A'.repeat(64)}` }]) {
    const refused = await fetch(server.url(routes.messages), { headers })
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="mailbox"'])
    const detail = 'authorization' in headers ? 'This is not a mailbox token, which has 64 letters, digits, - and _.' : undefined
    expect(await refused.json()).toMatchObject({ code: 'token_required', ...(detail && { detail }) })
  }
})

test('of a hundred simultaneous requests to destroy a mailbox, one succeeds', async () => {
  const { token } = await server.createMailbox()
  const all = await Promise.all(
    Array.from({ length: 100 }, () => fetch(server.url(routes.mailbox), { method: 'DELETE', headers: bearer(token) })),
  )
  const statuses = all.map(({ status }) => status).sort()
  expect(statuses).toEqual([204, ...Array.from({ length: 99 }, () => 404)])
})

test('a mailbox returns its full lifetime, whatever remains of it', async () => {
  const { token } = await server.app.mail.createAddress({ lifetimeSeconds: 86_400 })
  const { lifetimeSeconds } = mailboxSchema.parse(await (await fetch(server.url(routes.mailbox), { headers: bearer(token) })).json())
  expect(lifetimeSeconds).toBe(86_400)
  const short = await server.app.mail.createAddress({ lifetimeSeconds: 30 })
  expect(await (await fetch(server.url(routes.mailbox), { headers: bearer(short.token) })).json()).toMatchObject({ lifetimeSeconds: 30 })
})

test('the messages of one mailbox cannot be reached through another by any method', async () => {
  const [mine, other] = [await server.createMailbox(), await server.createMailbox()]
  await server.deliver(other.email)
  const id = await server.firstId(other.token)
  for (const method of ['GET', 'DELETE', 'HEAD']) {
    expect((await fetch(server.url(pathTo(routes.message, { id })), { method, headers: bearer(mine.token) })).status).toBe(404)
  }
  for (const path of [routes.raw, routes.attachment, routes.attachmentLink]) {
    const method = path === routes.attachmentLink ? 'POST' : 'GET'
    expect((await fetch(server.url(pathTo(path, { id, index: 0 })), { method, headers: bearer(mine.token) })).status).toBe(404)
  }
  expect(await server.firstId(other.token)).toBe(id)
})

test('an attachment can only be saved, under one safe name', async () => {
  const { email, token } = await server.createMailbox()
  await server.deliver(email)
  const response = await fetch(server.url(pathTo(routes.attachment, { id: await server.firstId(token), index: 0 })), {
    headers: bearer(token),
  })
  expect(Buffer.from(await response.arrayBuffer())).toEqual(ATTACHMENT)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/octet-stream',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'private, no-store',
  })
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="[\w .()+-]+"; filename\*=UTF-8''[\w%.~!-]+$/)
  expect(response.headers.has('set-cookie')).toBe(false)
})

test('a PDF can be viewed by its link in a sandbox, and other files with that type are saved', async () => {
  const { email, token } = await server.createMailbox()
  const link = async (type: string, body: string) => {
    await server.deliverRaw(email, Buffer.from(`Subject: ${type}\r\nContent-Type: ${type}; name=a.pdf\r\n\r\n${body}\r\n`))
    const path = pathTo(routes.attachmentLink, { id: await server.firstId(token), index: 0 })
    const { url } = (await (await fetch(server.url(path), { method: 'POST', headers: bearer(token) })).json()) as { url: string }
    return server.url(url)
  }
  const pdf = await link('application/pdf', '%PDF-1.7')
  expect((await fetch(pdf)).headers.get('content-disposition')).toMatch(/^attachment; /)
  const { headers } = await fetch(`${pdf}?view=1`)
  expect(headers.get('content-disposition')).toMatch(/^inline; filename="a\.pdf"/)
  expect(headers.get('content-type')).toBe('application/pdf')
  expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  for (const url of [await link('application/pdf', '<script>alert(1)</script>'), await link('image/svg+xml', '%PDF-<svg/>')])
    expect((await fetch(`${url}?view=1`)).headers.get('content-disposition')).toMatch(/^attachment; /)
  expect((await fetch(`${pdf}?view=yes`)).status).toBe(400)
})

test('a download resumes where it stopped', async () => {
  const { email, token } = await server.createMailbox()
  const raw = await server.deliver(email)
  const path = server.url(pathTo(routes.raw, { id: await server.firstId(token) }))
  const whole = await fetch(path, { headers: bearer(token) })
  const all = Buffer.from(await whole.arrayBuffer())
  const range = { range: 'bytes=10-', 'if-range': whole.headers.get('etag') ?? '' }
  const part = await fetch(path, { headers: { ...bearer(token), ...range } })
  expect(part.status).toBe(206)
  expect(Buffer.from(await part.arrayBuffer())).toEqual(all.subarray(10))
  expect((await fetch(path, { headers: { ...bearer(token), range: `bytes=${raw.length + 9999}-` } })).status).toBe(416)
})

test('aborted downloads free their memory', async () => {
  const { email, token } = await server.createMailbox()
  const raw = Buffer.alloc(12 * 1024 * 1024, `${'A'.repeat(76)}\r\n`)
  await server.deliverRaw(email, raw)
  const path = pathTo(routes.raw, { id: await server.firstId(token) })
  const request = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`
  // Thirty times 12 MiB are more than all downloads may hold; half of them are pipelined behind one that is not read.
  for (let i = 0; i < 15; i++) {
    await new Promise<void>(resolve => {
      const socket = connect(server.app.httpPort, '127.0.0.1', () =>
        socket.write(request + request, () => setTimeout(() => socket.resetAndDestroy(), 20)),
      )
      socket.once('close', () => resolve())
    })
  }
  const whole = async () => {
    const response = await fetch(server.url(path), { headers: bearer(token) })
    return { status: response.status, bytes: (await response.arrayBuffer()).byteLength }
  }
  // The server first finishes reads that nobody waits for, one after the other.
  await expect.poll(whole, { timeout: 60_000, interval: 200 }).toEqual({ status: 200, bytes: raw.length })
}, 90_000)

test('a mailbox token may begin with any letters, also with the prefix of an API key or token in any case', async () => {
  const prefix = fc.constantFrom('mfk_', 'mft_', 'MFK_', 'MFT_', 'mFk_', 'mFT_', 'Mfk_', 'mfK_', 'Bear', '----', '____')
  const rest = fc.string({ unit: fc.constantFrom(...'ABCxyz019-_'), minLength: 60, maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(prefix, rest, fc.constantFrom('Bearer', 'bearer', 'BEARER'), async (start, end, scheme) => {
      const response = await fetch(server.url(routes.messages), { headers: { authorization: `${scheme} ${start}${end}` } })
      // Well-formed, but of no mailbox.
      expect(response.status).toBe(404)
    }),
    { numRuns: 60 },
  )
})

test('a message id and a link of any letters are looked up, never refused for how they look', async () => {
  const { token } = await server.createMailbox()
  const letters = fc.constantFrom(...'ABCXYZabcxyz0189-_')
  const word = (length: number) => fc.string({ unit: letters, minLength: length, maxLength: length })
  await fc.assert(
    fc.asyncProperty(word(21), fc.constantFrom('A', 'Q', 'g', 'w'), word(136), async (start, last, capability) => {
      const message = await fetch(server.url(pathTo(routes.message, { id: start + last })), { headers: bearer(token) })
      expect([message.status, (await message.json()).code]).toEqual([404, 'message_not_found'])
      const link = await fetch(server.url(pathTo(routes.download, { capability })))
      expect(link.status).toBe(404)
    }),
    { numRuns: 60 },
  )
})
