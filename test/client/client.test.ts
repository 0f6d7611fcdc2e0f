/** The client, tested with a real server. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { createTransport } from 'nodemailer'
import { describe, expect, test } from 'vitest'
import { untilEnd } from '#test/harness/until-end.ts'
import { type Mailbox, MailTimeoutError, Mayfly, MayflyError, UnexpectedMailError } from '../../client/index.ts'
import { ATTACHMENT, bearer } from '../harness/mayfly/start-test-server.ts'
import { composeMail, startClient } from './start-client.ts'

const client = await untilEnd(startClient())

function send(mailbox: Mailbox, mail?: Parameters<typeof composeMail>[1]): Promise<void> {
  return client.server.deliverRaw(mailbox.address, composeMail(mailbox.address, mail))
}

describe('a mailbox', () => {
  test('has the requested name and lifetime', async () => {
    await using mailbox = await client.mayfly.createMailbox({ lifetimeSeconds: 60, domain: 'mayfly.test', localPart: 'periwinkle' })
    expect(mailbox.address).toBe('periwinkle@mayfly.test')
    const secondsLeft = (mailbox.expiresAt.getTime() - Date.now()) / 1000
    expect(secondsLeft).toBeGreaterThan(50)
    expect(secondsLeft).toBeLessThanOrEqual(60)
  })

  test('is created once, even if the responses are lost twice', async () => {
    let lost = 0
    const url = client.server.url('')
    const losing = new Mayfly({
      url,
      apiKey: client.apiKey,
      async fetch(input, init) {
        const response = await fetch(input, init)
        if (init?.method !== 'POST' || lost === 2) return response
        lost += 1
        await response.arrayBuffer()
        throw new TypeError('fetch failed')
      },
    })
    await client.mayfly.deleteAllMailboxes()
    await using mailbox = await losing.createMailbox()
    expect(lost).toBe(2)
    expect((await Array.fromAsync(client.mayfly.listMailboxes())).map(({ email }) => email)).toEqual([mailbox.address])
    await send(mailbox)
    expect((await mailbox.waitForMessage()).subject).toBe('Hello')
  })

  test('is deleted at the end of its block', async () => {
    let token: string
    {
      await using mailbox = await client.mayfly.createMailbox()
      token = mailbox.token
      await client.mayfly.openMailbox(token)
    }
    await expect(client.mayfly.openMailbox(token)).rejects.toMatchObject({ code: 'mailbox_not_found', status: 404 })
  })

  test('can be deleted twice, and reading its mail then fails with a code', async () => {
    const mailbox = await client.mayfly.createMailbox()
    await mailbox.delete()
    await mailbox.delete()
    await expect(mailbox.waitForMessage()).rejects.toThrow('No such mailbox. (mailbox_not_found, 404)')
  })

  test('does not show its token when logged', async () => {
    await using mailbox = await client.mayfly.createMailbox()
    const { address, id, expiresAt } = mailbox
    expect(JSON.stringify(mailbox)).toBe(JSON.stringify({ address, id, expiresAt: expiresAt.toISOString() }))
    expect(inspect(mailbox)).toContain(address)
    for (const shown of [inspect(mailbox, { depth: 9 }), inspect({ ...mailbox })]) expect(shown).not.toContain(mailbox.token)
  })

  test('is listed and deleted by the key that created it', async () => {
    const first = await client.mayfly.createMailbox()
    const second = await client.mayfly.createMailbox()
    const listed = await Array.fromAsync(client.mayfly.listMailboxes())
    expect(listed.map(({ email }) => email)).toEqual(expect.arrayContaining([first.address, second.address]))
    const { id = '' } = first
    expect(listed.find(({ email }) => email === first.address)?.id).toBe(id)
    await client.mayfly.deleteMailbox(id)
    await client.mayfly.deleteMailbox(id)
    await expect(first.listMessages()).rejects.toMatchObject({ code: 'mailbox_not_found' })
    expect(await client.mayfly.deleteAllMailboxes()).toBeGreaterThanOrEqual(1)
    expect(await Array.fromAsync(client.mayfly.listMailboxes())).toEqual([])
  })
})

describe('a message', () => {
  test('has text, headers, attachments and its original bytes', async () => {
    await using mailbox = await client.mayfly.createMailbox()
    const raw = await client.server.deliver(mailbox.address)
    const message = await mailbox.waitForMessage({ from: 'ANN', subject: 'code' })
    expect(message.text).toContain('Your code is 481516.')
    expect(message.header('mime-version')).toBe('1.0')
    expect(message.header('x-none')).toBeUndefined()
    const [attachment] = message.attachments
    expect(Buffer.from((await attachment?.bytes()) ?? [])).toEqual(ATTACHMENT)
    expect(await attachment?.text()).toBe(ATTACHMENT.toString())
    expect(Buffer.from(await message.raw())).toEqual(raw)
    expect(JSON.parse(JSON.stringify(message))).toMatchObject({ subject: 'Your code is 481516', codes: ['481516'] })
  })

  test('can be deleted', async () => {
    await using mailbox = await client.mayfly.createMailbox()
    await send(mailbox)
    const message = await mailbox.waitForMessage()
    await message.delete()
    await message.delete()
    expect(await mailbox.listMessages()).toEqual([])
  })
})

describe('waiting', () => {
  test('ends when a mail matches every condition', async () => {
    await using mailbox = await client.mayfly.createMailbox()
    const waiting = mailbox.waitForMessage({ from: 'shop.test', subject: 'WELCOME', body: 'periwinkle', to: mailbox.address })
    await send(mailbox, { subject: 'Welcome', text: 'No flowers.' })
    await send(mailbox, { subject: 'Offers', text: 'periwinkle' })
    await send(mailbox, { subject: 'Welcome', text: 'A periwinkle.' })
    expect((await waiting).text).toContain('A periwinkle.')
  })

  test('by `to` looks at addresses and not at names', async () => {
    await using mailbox = await client.mayfly.createMailbox()
    const named = composeMail(`Grace Hopper <${mailbox.address}>`, { text: 'Your verification code is 424 242.' })
    await client.server.deliverRaw(mailbox.address, named)
    await expect(mailbox.waitForMessage({ to: 'grace hopper', timeoutMs: 300 })).rejects.toThrow(MailTimeoutError)
    await expect(mailbox.waitForCode({ to: 'grace hopper', timeoutMs: 300 })).rejects.toThrow(MailTimeoutError)
    expect(await mailbox.waitForCode({ to: mailbox.address.toUpperCase() })).toBe('424242')
  })

  test('for a code skips mail without one', async () => {
    await using mailbox = await client.mayfly.createMailbox()
    await send(mailbox, { subject: 'Welcome' })
    const waiting = mailbox.waitForCode()
    await send(mailbox, { subject: 'Still no code' })
    await send(mailbox, { subject: 'Your code', text: 'Your verification code is 424 242.' })
    expect(await waiting).toBe('424242')
  })

  test('for the next code starts after the last message', async () => {
    await using mailbox = await client.mayfly.createMailbox()
    await send(mailbox, { subject: 'Your code', text: 'Your code is 111222.' })
    const first = await mailbox.waitForMessage()
    expect(await mailbox.waitForCode()).toBe('111222')
    await send(mailbox, { subject: 'Your code', text: 'Your code is 333444.' })
    expect(await mailbox.waitForCode({ after: first })).toBe('333444')
  })

  test('for a link finds the link to a host, in HTML and in text', async () => {
    await using mailbox = await client.mayfly.createMailbox()
    await send(mailbox, {
      html: '<p><a href="https://tracker.test/x">Read</a> <a href="http://localhost:3000/verify?a=1&amp;b=2">Confirm</a></p>',
    })
    expect(await mailbox.waitForLink({ host: 'localhost:3000' })).toBe('http://localhost:3000/verify?a=1&b=2')
    const after = await mailbox.waitForMessage()
    await send(mailbox, { subject: 'Confirm your address', text: 'Please confirm: https://app.shop.test/confirm/xyz.' })
    expect(await mailbox.waitForLink({ host: 'shop.test', after })).toBe('https://app.shop.test/confirm/xyz')
    expect(await mailbox.waitForLink({ after })).toBe('https://app.shop.test/confirm/xyz')
  })

  test('accepts a condition written by the caller', async () => {
    await using mailbox = await client.mayfly.createMailbox()
    await send(mailbox, { subject: 'One' })
    await send(mailbox, { subject: 'Two' })
    expect((await mailbox.waitForMessage({ match: ({ subject }) => subject === 'Two' })).subject).toBe('Two')
  })

  test('that times out says what has arrived', async () => {
    await using mailbox = await client.mayfly.createMailbox()
    await send(mailbox, { subject: 'Your invoice', from: 'billing@shop.test' })
    const error = await mailbox.waitForMessage({ subject: 'confirm', timeoutMs: 300 }).catch((reason: unknown) => reason)
    if (!(error instanceof MailTimeoutError)) throw error
    expect(error).toBeInstanceOf(MayflyError)
    expect(error.code).toBe('timeout')
    expect(error.arrived.map(({ subject }) => subject)).toEqual(['Your invoice'])
    expect(error.message).toContain(`No message with subject containing "confirm" came to ${mailbox.address} within 0.3 s.`)
    expect(error.message).toContain('billing@shop.test  "Your invoice"')
    await expect(mailbox.waitForCode({ timeoutMs: 0 })).rejects.toThrow('No message with a code came to')
    const after = error.arrived[0]
    await expect(mailbox.waitForMessage({ timeoutMs: 0, after })).rejects.toThrow(
      /Nothing arrived since:\n.*"Your invoice" {2}\(before `after`\)/,
    )
  })

  test('ends with the reason of its signal', async () => {
    await using mailbox = await client.mayfly.createMailbox()
    const stop = new AbortController()
    const waiting = mailbox.waitForMessage({ signal: stop.signal })
    setTimeout(() => stop.abort(new Error('seen enough')), 50)
    await expect(waiting).rejects.toThrow('seen enough')
  })
})

describe('more than one message, and none', () => {
  test('several messages are waited for, in order of arrival', async () => {
    await using mailbox = await client.mayfly.createMailbox()
    await send(mailbox, { subject: 'Seeds 1' })
    const waiting = mailbox.waitForMessages(2, { subject: 'seeds' })
    await send(mailbox, { subject: 'Other' })
    await send(mailbox, { subject: 'Seeds 2' })
    expect((await waiting).map(({ subject }) => subject)).toEqual(['Seeds 1', 'Seeds 2'])
    const late = mailbox.waitForMessages(3, { subject: 'seeds', timeoutMs: 200 })
    await expect(late).rejects.toThrow(
      /No 3 messages with subject [\s\S]*"Seeds 2" {2}\(it matches, but 3 were wanted; the same bytes twice are one message\)/,
    )
  })

  test('no mail is expected, and the one that comes is named', async () => {
    await using mailbox = await client.mayfly.createMailbox()
    await mailbox.expectNoMail({ withinMs: 200 })
    await send(mailbox, { subject: 'Newsletter' })
    await mailbox.expectNoMail({ withinMs: 200, subject: 'reset' })
    const error = await mailbox.expectNoMail({ withinMs: 5000 }).catch((reason: unknown) => reason)
    if (!(error instanceof UnexpectedMailError)) throw error
    expect([error.code, error.arrived.map(({ subject }) => subject)]).toEqual(['unexpected_mail', ['Newsletter']])
    expect(error.message).toContain('"Newsletter" from hello@shop.test')
  })

  test('many mailboxes are created at once', async () => {
    const made = await client.mayfly.createMailboxes(102, { lifetimeSeconds: 60, failure: { stage: 'rcpt', reply: '450' } })
    expect(new Set(made.map(({ address }) => address)).size).toBe(102)
    expect(made.every(({ id }) => id !== undefined)).toBe(true)
    const transport = createTransport({ host: '127.0.0.1', port: client.server.app.smtpPort, secure: false })
    const mail = { from: 'app@shop.test', to: made.at(-1)?.address, subject: 'Hello', text: 'Hello.' }
    await expect(transport.sendMail(mail)).rejects.toMatchObject({ responseCode: 450 })
    await transport.sendMail(mail)
    await client.mayfly.deleteAllMailboxes()
  })
})

test('the Bcc of a tag is told from other mail, and an address fails on purpose before it takes any', async () => {
  await using mailbox = await client.mayfly.createMailbox({ failure: { stage: 'message', reply: '451 4.3.2', attempts: 2 } })
  const transport = createTransport({ host: '127.0.0.1', port: client.server.app.smtpPort, secure: false })
  const invoice = mailbox.address.replace('@', '+invoice@')
  const mail = { from: 'app@shop.test', to: 'customer@shop.test', bcc: invoice, subject: 'Invoice', text: 'Attached.' }
  const send = () =>
    transport.sendMail({ ...mail, envelope: { from: mail.from, to: invoice }, attachments: [{ filename: 'a.txt', content: 'abc' }] })
  for (const attempt of [1, 2]) await expect(send(), `attempt ${attempt}`).rejects.toMatchObject({ responseCode: 451 })
  await client.server.deliverRaw(mailbox.address, composeMail(mailbox.address))
  await send()
  const found = await mailbox.waitForMessage({ envelopeTo: '+INVOICE@' })
  expect([found.envelopeTo, found.to.map(({ address }) => address)]).toEqual([[invoice], ['customer@shop.test']])
  expect(found.attachments[0]?.sha256).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  expect((await mailbox.waitForMessages(1, { to: 'invoice@', match: () => true })).map(({ subject }) => subject)).toEqual(['Invoice'])
  const late = mailbox.waitForMessage({ envelopeTo: '+receipt@', timeoutMs: 100 })
  await expect(late).rejects.toThrow(/with envelopeTo containing "\+receipt@"[\s\S]*other `envelopeTo`/)
})

test('the three requests of docs/testing-with-mayfly.md return what it says', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/testing-with-mayfly.md'), 'utf8')
  const rows = [...page.matchAll(/^\| `(POST|GET|DELETE) (\/api\S+)`.*?\| (.*) \|$/gm)]
  let token = client.apiKey
  let address = ''
  const returned: string[] = []
  for (const [, method = '', path = '', says = ''] of rows) {
    const mail = {
      from: 'hello@garden-club.example',
      to: address,
      subject: 'Hello',
      text: 'Your code is 481516. Or confirm your address: https://garden-club.example/confirm/1',
    }
    if (method === 'GET') await createTransport({ host: '127.0.0.1', port: client.server.app.smtpPort }).sendMail(mail)
    const request = { method, headers: { ...bearer(token), 'content-type': 'application/json' }, ...(method === 'POST' && { body: '{}' }) }
    const response = await fetch(client.server.url(path), request)
    const reply = response.status === 204 ? {} : await response.json()
    const [named = ''] = /`\{.*?…\}`/.exec(says) ?? []
    expect(response.status, says).toBe(named === '' ? 204 : method === 'POST' ? 201 : 200)
    for (const [field] of named.matchAll(/"\w+":/g)) expect(JSON.stringify(reply)).toContain(field)
    if (method === 'POST') ({ email: address, token } = reply)
    if (method === 'GET') expect(reply).toMatchObject({ codes: ['481516'] })
    returned.push(method)
  }
  expect(returned).toEqual(['POST', 'GET', 'DELETE'])
})

test('a code is found by a pattern, and links come with their texts', async () => {
  await using mailbox = await client.mayfly.createMailbox()
  await send(mailbox, {
    subject: 'Order GC-2026-Q7',
    html: '<a href="https://shop.test/a?b=1&amp;c=2">Track <b>your</b> order</a> <a href=\'https://shop.test/logo\'><img src="x" alt="Our shop"></a>',
  })
  expect(await mailbox.waitForCode({ codePattern: /order (GC-\d{4}-\w+)/i })).toBe('GC-2026-Q7')
  expect(await mailbox.waitForCode({ codePattern: /Q\d/g })).toBe('Q7')
  await expect(mailbox.waitForCode({ codePattern: /never/, timeoutMs: 0 })).rejects.toThrow('No message with a code like /never/')
  expect((await mailbox.waitForMessage()).allLinks).toEqual([
    { url: 'https://shop.test/a?b=1&c=2', text: 'Track your order' },
    { url: 'https://shop.test/logo', text: 'Our shop' },
  ])
})

describe('options are checked before anything is sent', () => {
  const wrong = (options: object) => options as never
  test.each([
    [{ timeoutMs: Number(undefined) }, 'timeoutMs must be a number of milliseconds from 0 to 86400000, not NaN'],
    [{ timeoutMs: '5000' }, 'timeoutMs must be a number of milliseconds from 0 to 86400000, not "5000"'],
    [{ timeoutMs: Number.POSITIVE_INFINITY }, 'not Infinity'],
    [
      { sender: 'xyz' },
      'waitForMessage has no option "sender"; it has from, envelopeTo, to, subject, body, after, timeoutMs, signal, match',
    ],
    [{ from: null }, 'from must be a string that is not empty, not null'],
    [{ from: '' }, 'from must be a string that is not empty, not ""'],
    [/sign up/, 'the options must be a plain object, not /sign up/'],
    [new Map([['from', 'xyz']]), 'the options must be a plain object'],
    [[], 'the options must be a plain object'],
    [{ after: new Date(Number.NaN) }, 'after must be a message, a cursor, a valid Date or an ISO 8601 time'],
    [{ after: 'yesterday' }, 'not "yesterday"'],
    [{ match: 'x' }, 'match must be a function'],
  ])('%j', async (options, message) => {
    await using mailbox = await client.mayfly.createMailbox()
    await expect(mailbox.waitForMessage(wrong(options))).rejects.toThrow(message)
    await expect(mailbox.waitForMessage(wrong(options))).rejects.toBeInstanceOf(TypeError)
  })

  test('of every other call too', async () => {
    const { mayfly } = client
    await using mailbox = await mayfly.createMailbox()
    const calls = [
      () => mayfly.createMailbox(wrong({ lifetime: 60 })),
      () => mayfly.createMailboxes(Number.NaN),
      () => mailbox.waitForMessages(0),
      () => mailbox.waitForCode(wrong({ codePattern: '\\d+' })),
      () => mailbox.waitForLink(wrong({ host: '' })),
      () => mailbox.waitForLink({ host: 'https://shop.test' }),
      () => mailbox.expectNoMail(wrong({})),
      () => mailbox.readMessage(wrong({})),
      () => Array.fromAsync(mailbox.messages(wrong({ from: 'x' }))),
    ]
    for (const call of calls) await expect(call(), String(call)).rejects.toBeInstanceOf(TypeError)
    expect(() => new Mayfly(wrong({ url: mayfly.url, key: 'x' }))).toThrow('new Mayfly has no option "key"')
  })

  test('a condition that returns a promise is refused, and a pattern that matches nothing finds no code', async () => {
    await using mailbox = await client.mayfly.createMailbox()
    await client.server.deliver(mailbox.address)
    const isOurs = wrong(async () => false)
    await expect(mailbox.waitForMessage({ match: isOurs })).rejects.toThrow('match must return true or false, not a promise')
    await expect(mailbox.waitForMessages(1, { match: isOurs })).rejects.toThrow('not a promise')
    await expect(mailbox.waitForCode({ codePattern: /Ticket: (\d*)|/, timeoutMs: 100 })).rejects.toMatchObject({ code: 'timeout' })
  })

  test('a key with the end of its line is that key, and no message shows one that cannot be sent', async () => {
    const { url } = client.mayfly
    const mailbox = await new Mayfly({ url: ` ${url}/ `, apiKey: `${client.apiKey}\n` }).createMailbox()
    expect(mailbox.id).toBeDefined()
    await (await client.mayfly.openMailbox(` ${mailbox.token}\n`)).delete()
    expect(() => new Mayfly({ url, apiKey: 'mft_secret\nx' })).toThrow(/^new Mayfly: apiKey must have no blanks, (?!.*secret)/)
    expect(() => new Mayfly({ url: 'https://ann:secret@mayfly.test' })).toThrow(/^url must have no user name(?!.*secret)/)
    expect(() => new Mayfly({ url: `${url}/?key=x` })).toThrow('url must have no')
  })

  test('an id becomes a part of a path, never another path', async () => {
    await using mailbox = await client.mayfly.createMailbox()
    const calls = [
      () => mailbox.readMessage('..'),
      () => mailbox.deleteMessage('a/raw'),
      () => client.mayfly.deleteMailbox('.'),
      async () => client.mayfly.webhooks.delete('../mailboxes'),
    ]
    for (const call of calls) await expect(call(), String(call)).rejects.toThrow('id must be an id, not ')
  })

  test('an empty API key is none', async () => {
    await using mailbox = await new Mayfly({ url: client.mayfly.url, apiKey: '' }).createMailbox()
    expect(mailbox.id).toBeUndefined()
  })
})

describe('errors', () => {
  test('have the code of the problem and the invalid field', async () => {
    await expect(client.mayfly.createMailbox({ lifetimeSeconds: 1 })).rejects.toThrow(/lifetimeSeconds: .+ \(invalid_request, 400\)/)
    const { mayfly } = client
    await expect(mayfly.createMailbox({ domain: 'nobody.test' })).rejects.toMatchObject({ code: 'domain_not_served', status: 422 })
    const wrong = new Mayfly({ url: mayfly.url, apiKey: `mft_${'x'.repeat(43)}` })
    await expect(wrong.createMailbox()).rejects.toMatchObject({ code: 'api_token_invalid', status: 401 })
  })

  test('say so when nobody listens at the address, or another server', async () => {
    await expect(new Mayfly({ url: 'http://127.0.0.1:9' }).createMailbox({ timeoutMs: 300 })).rejects.toMatchObject({
      code: 'network',
      status: 0,
    })
    for (const reply of [new Response('<h1>Wrong door</h1>'), new Response(null, { status: 204 }), Response.json({})]) {
      const other = new Mayfly({ url: 'http://example.test', fetch: async () => reply })
      await expect(other.createMailbox()).rejects.toMatchObject({ code: 'unreadable_reply' })
    }
    expect(() => new Mayfly({ url: 'localhost:8080' })).toThrow('url must be the http or https address')
  })
})

test('the client solves the proof of work where the server asks visitors for it', async () => {
  await using other = await startClient({ BOT_CHECK: 'pow' })
  const visitor = new Mayfly({ url: other.mayfly.url })
  const mailbox = await visitor.createMailbox()
  expect(await visitor.domains()).toEqual(['mayfly.test'])
  await mailbox.delete()
})
