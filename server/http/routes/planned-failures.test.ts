/** Addresses that fail on purpose, from the request that creates them to the SMTP client that meets them. */
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { MIB } from '#contract/limits.ts'
import { mailboxCreatedSchema, mailboxesCreatedSchema, messageListSchema, type PlannedFailure } from '#contract/mailbox.ts'
import { routes } from '#contract/routes.ts'
import { dotted, SmtpClient, type Step } from '#test/harness/clients/smtp-client.ts'
import { bearer, startTestServer } from '#test/harness/mayfly/start-test-server.ts'
import { untilEnd } from '#test/harness/until-end.ts'

const TOKEN = `mft_${'w'.repeat(43)}`
const API_TOKENS = { API_TOKENS: `ci:${createHash('sha256').update(TOKEN).digest('hex')}` }
const OPEN: Step[] = [
  ['EHLO client.test', 250],
  ['MAIL FROM:<app@shop.test>', '250 2.1.0'],
]
const MAIL = dotted('Subject: hello\r\n\r\ntext')

const server = await untilEnd(
  startTestServer({
    env: API_TOKENS,
    isClockRunning: true,
  }),
)
const ci = server.visitor(bearer(TOKEN))

async function failing(failure?: PlannedFailure) {
  const created = await ci.post(routes.mailboxes, failure ? { failure } : {})
  expect(created.status, created.text).toBe(201)
  return mailboxCreatedSchema.parse(JSON.parse(created.text))
}
const subjects = async (token: string) => {
  const listed = await fetch(server.url(routes.messages), { headers: bearer(token) })
  return messageListSchema.parse(await listed.json()).messages.map(({ subject }) => subject)
}
const connect = () => SmtpClient.connect(server.app.smtpPort)
const refusals = async () =>
  (await (await fetch(server.url(routes.metrics))).text())
    .split('\n')
    .filter(line => /^mayfly_smtp_\w*(?:refused|messages)\w*_total/.test(line))

describe('an address refuses what was asked for, as often as was asked for, and then takes the mail', () => {
  test('at RCPT', async () => {
    const { email, token } = await failing({ stage: 'rcpt', reply: '450 4.2.1', attempts: 2 })
    const other = await failing()
    await using client = await connect()
    await client.play([
      ...OPEN,
      [`RCPT TO:<${email}>`, '450 4.2.1 Refused on purpose'],
      [`RCPT TO:<${other.email}>`, '250 2.1.5'],
      [`RCPT TO:<${email.replace('@', '+tag@')}>`, '450 4.2.1'],
      [`RCPT TO:<${email}>`, '250 2.1.5'],
      ['DATA', 354],
      [MAIL, '250 2.0.0'],
    ])
    expect([await subjects(token), await subjects(other.token)]).toEqual([['hello'], ['hello']])
  })

  test('at DATA, and after the whole message, with a code of its own', async () => {
    for (const [stage, reply, expected] of [
      ['data', '554', '554 5.0.0'],
      ['message', '552 5.2.2', '552 5.2.2'],
    ] as const) {
      const { email, token } = await failing({ stage, reply })
      await using client = await connect()
      const steps: Step[] =
        stage === 'data'
          ? [['DATA', expected]]
          : [
              ['DATA', 354],
              [MAIL, expected],
            ]
      await client.play([...OPEN, [`RCPT TO:<${email}>`, '250 2.1.5'], ...steps])
      expect(await subjects(token)).toEqual([])
      await client.play([['RSET', 250], ...OPEN, [`RCPT TO:<${email}>`, 250], ['DATA', 354], [MAIL, '250 2.0.0']])
      expect(await subjects(token)).toEqual(['hello'])
    }
  })

  test('by ending the connection, without a reply or with 421', async () => {
    for (const stage of ['rcpt', 'data', 'message'] as const) {
      for (const reply of ['cut', '421 4.3.2']) {
        const { email, token } = await failing({ stage, reply })
        await using client = await connect()
        const until: Record<string, Step[]> = {
          rcpt: [],
          data: [[`RCPT TO:<${email}>`, 250]],
          message: [
            [`RCPT TO:<${email}>`, 250],
            ['DATA', 354],
          ],
        }
        await client.play([...OPEN, ...(until[stage] ?? [])])
        client.send({ rcpt: `RCPT TO:<${email}>\r\n`, data: 'DATA\r\n', message: MAIL }[stage])
        if (reply !== 'cut') expect(await client.reply()).toBe('421 4.3.2 Refused on purpose')
        await client.closed()
        expect(client.pending).toBe('')
        await using again = await connect()
        await again.play([...OPEN, [`RCPT TO:<${email}>`, 250], ['DATA', 354], [MAIL, 250]])
        expect(await subjects(token)).toEqual(['hello'])
      }
    }
  })

  test('after a while, or only after a while', async () => {
    const slow = await failing({ stage: 'message', delaySeconds: 1 })
    const refusing = await failing({ stage: 'data', reply: '451', delaySeconds: 1 })
    const startedAt = performance.now()
    await using client = await connect()
    await client.play([...OPEN, [`RCPT TO:<${slow.email}>`, 250], ['DATA', 354], [MAIL, '250 2.0.0']])
    expect(performance.now() - startedAt).toBeGreaterThan(990)
    await client.play([
      ['MAIL FROM:<app@shop.test>', 250],
      [`RCPT TO:<${refusing.email}>`, 250],
      ['DATA', '451 4.0.0'],
    ])
    expect(performance.now() - startedAt).toBeGreaterThan(1990)
    expect(await subjects(slow.token)).toEqual(['hello'])
  })
})

test('each address of a batch fails, with attempts of its own', async () => {
  const failure = { stage: 'rcpt', reply: '450' } as const
  const created = await ci.post(routes.mailboxBatch, { count: 2, failure })
  expect(created.status, created.text).toBe(201)
  for (const { email } of mailboxesCreatedSchema.parse(JSON.parse(created.text)).mailboxes) {
    await using client = await connect()
    await client.play([...OPEN, [`RCPT TO:<${email}>`, '450 4.0.0'], [`RCPT TO:<${email}>`, '250 2.1.5']])
  }
})

test('nobody else in its transaction loses mail: an address that would refuse it gets it alone, as long as it fails', async () => {
  const other = await failing()
  for (const [stage, reply] of [
    ['data', '554'],
    ['message', '550'],
    ['rcpt', 'cut'],
  ] as const) {
    const { email } = await failing({ stage, reply })
    await using client = await connect()
    await client.play([...OPEN, [`RCPT TO:<${other.email}>`, 250], [`RCPT TO:<${email}>`, '452 4.5.3 An address that fails on purpose']])
    await client.play([
      ['DATA', 354],
      [dotted(`Subject: beside ${stage}\r\n\r\n`), 250],
    ])
    if (stage === 'rcpt') continue
    await client.play([...OPEN.slice(1), [`RCPT TO:<${email}>`, 250], [`RCPT TO:<${other.email}>`, '452 4.5.3'], ['RSET', 250]])
  }
  expect(await subjects(other.token)).toEqual(['beside rcpt', 'beside message', 'beside data'])
})

test.each([
  { stage: 'data', reply: '451', attempts: 1000 },
  { stage: 'rcpt', reply: '421', attempts: 1000 },
] as const)('who is named behind it gets the mail at the second attempt, whoever else sends to it: %j', async failure => {
  const [{ email }, other] = [await failing(failure), await failing()]
  const meets: Record<typeof failure.stage, Step[]> = {
    data: [
      [`RCPT TO:<${email}>`, 250],
      [`RCPT TO:<${other.email}>`, '452 4.5.3'],
      ['DATA', 451],
    ],
    rcpt: [[`RCPT TO:<${email}>`, 421]],
  }
  const attempt = async (from: string, steps: readonly Step[]) => {
    await using client = await connect()
    await client.play([['EHLO client.test', 250], [`MAIL FROM:<${from}>`, 250], ...steps])
  }
  const othersFirst: Step[] = [
    [`RCPT TO:<${email}>`, '452 4.5.3'],
    [`RCPT TO:<${other.email}>`, 250],
    ['DATA', 354],
    [MAIL, 250],
  ]
  await attempt('list@shop.test', meets[failure.stage])
  expect(await subjects(other.token)).toEqual([])
  await attempt('else@shop.test', meets[failure.stage])
  await attempt('list@shop.test', othersFirst)
  expect(await subjects(other.token)).toEqual(['hello'])
  // Then it has its own turn again.
  await attempt('list@shop.test', meets[failure.stage])
})

test('addresses that are slow on purpose delay a transaction once, not each', async () => {
  const failure = { stage: 'rcpt', delaySeconds: 2 } as const
  const created = await ci.post(routes.mailboxBatch, { count: 50, failure })
  const { mailboxes } = mailboxesCreatedSchema.parse(JSON.parse(created.text))
  await using client = await connect()
  // Fifty delays would take longer than a test may.
  await client.play([...OPEN, ...mailboxes.map(({ email }): Step => [`RCPT TO:<${email}>`, 250])])
})

test.each([
  ['that will be refused', { stage: 'message', reply: '450', delaySeconds: 60 }],
  ['that is only slow', { stage: 'message', delaySeconds: 60 }],
] as const)('a mail %s holds no memory when its sender has gone', async (_, failure) => {
  await using strangers = await startTestServer({ env: { ...API_TOKENS, SMTP_TRUSTED: '192.0.2.1' }, isClockRunning: true })
  const created = await strangers.visitor(bearer(TOKEN)).post(routes.mailboxes, { failure })
  const { email } = mailboxCreatedSchema.parse(JSON.parse(created.text))
  const beside = await strangers.createMailbox()
  // The share of a network has room for one largest message, so both do not fit into it.
  const [bytes, moreBytes] = [20 * MIB, 6 * MIB]
  await using client = await SmtpClient.connect(strangers.app.smtpPort)
  await client.play([...OPEN, [`RCPT TO:<${email}>`, 250], ['DATA', 354]])
  client.send(dotted('x'.repeat(bytes)))
  await using other = await SmtpClient.connect(strangers.app.smtpPort)
  await other.play([['EHLO client.test', 250]])
  const replyTo = async (...commands: readonly string[]) => {
    await other.play([['RSET', 250]])
    for (const command of commands) other.send(`${command}\r\n`)
    for (const _ of commands.slice(1)) await other.reply()
    return await other.reply()
  }
  // When the whole mail has arrived, its attempt counts, and the address may have others beside it.
  const named = [`MAIL FROM:<app@shop.test>`, `RCPT TO:<${beside.email}>`, `RCPT TO:<${email}>`]
  await expect.poll(() => replyTo(...named)).toMatch(/^250/)
  client.socket.resetAndDestroy()
  await expect.poll(() => replyTo(`MAIL FROM:<app@shop.test> SIZE=${moreBytes}`)).toMatch(/^250/)
})

test('its refusals are in no metric, are no errors of the session, and its reader sees them', async () => {
  const before = await refusals()
  expect(before).not.toEqual([])
  const { email, token } = await failing({ stage: 'rcpt', reply: '550 5.1.1', attempts: 100 })
  const stream = await fetch(server.url(routes.events), { headers: bearer(token) })
  await using client = await connect()
  await client.play([...OPEN, ...Array.from({ length: 60 }, (): Step => [`RCPT TO:<${email}>`, '550 5.1.1'])])
  expect(await refusals()).toEqual(before)
  let heard = ''
  for await (const chunk of (stream.body ?? []) as AsyncIterable<Uint8Array>) {
    heard += Buffer.from(chunk).toString()
    if (heard.includes('refused')) break
  }
  expect(heard).toContain('"reason":"rejected"')
})

test('a name that is taken again fails as often as was asked for again', async () => {
  for (const code of [450, 451]) {
    const failure = { stage: 'rcpt', reply: String(code) } as const
    const created = await ci.post(routes.mailboxes, { localPart: 'nightly-run', lifetimeSeconds: 10, failure })
    const { email } = mailboxCreatedSchema.parse(JSON.parse(created.text))
    await using client = await connect()
    await client.play([...OPEN, [`RCPT TO:<${email}>`, code], [`RCPT TO:<${email}>`, '250 2.1.5']])
    server.advance(11_000)
  }
})

test('only a key or token can ask for it, with a stage and a reply that exist', async () => {
  const failure = { stage: 'rcpt', reply: '450' } as const
  const visitor = await server.post(routes.mailboxes, JSON.stringify({ failure }))
  expect([visitor.status, (await visitor.json()).detail]).toEqual([401, expect.stringContaining('`failure` a key or token')])
  expect((await ci.post(routes.mailboxes, { failure: { stage: 'helo' } })).text).toContain('must be rcpt or data or message')
  for (const wrong of [
    { stage: 'helo', reply: '450' },
    { stage: 'rcpt', reply: '250' },
    { stage: 'rcpt', reply: '450 5.1.1' },
    { stage: 'rcpt', reply: '450 4.2.1\r\n221 bye' },
    { stage: 'rcpt', reply: '460' },
    { stage: 'rcpt', attempts: 0 },
    { stage: 'rcpt', delaySeconds: 61 },
    { stage: 'rcpt', text: 'words of my own' },
  ])
    for (const [path, body] of [
      [routes.mailboxes, {}],
      [routes.mailboxBatch, { count: 1 }],
    ] as const)
      expect((await ci.post(path, { ...body, failure: wrong })).status, JSON.stringify(wrong)).toBe(400)
})
