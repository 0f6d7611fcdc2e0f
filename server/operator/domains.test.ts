/** Domains that change while the server runs: from the commands to SMTP, the API, pages and the doctor. */

import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { mailboxCreatedSchema } from '#contract/mailbox.ts'
import { listDomains } from '#contract/operator.ts'
import { routes } from '#contract/routes.ts'
import { startApp } from '#server/app.ts'
import { identifyServer } from '#server/operator/control.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { root } from '#server/platform/installation.ts'
import { enrolOperator } from '#test/harness/clients/operator.ts'
import { SmtpClient } from '#test/harness/clients/smtp-client.ts'
import { COMPILED_CODE } from '#test/harness/compiled-code.ts'
import { HeardLog } from '#test/harness/heard-log.ts'
import { bearer, startTestServer } from '#test/harness/mayfly/start-test-server.ts'
import { testDatabaseAccess } from '#test/harness/mayfly/test-database-access.ts'
import { startDnsServer } from '#test/harness/servers/dns-server.ts'
import { untilEnd } from '#test/harness/until-end.ts'
import { AuditLog } from './audit-log.ts'
import { StoredDomains } from './domains.ts'

const OPERATOR = 'op@example.com'
const TOKEN = `mft_${'t'.repeat(43)}`
const API_TOKENS = `ci:${createHash('sha256').update(TOKEN).digest('hex')}`
const site = await untilEnd(startTestServer({ env: { MAIL_DOMAINS: 'one.test', API_TOKENS, OPERATORS: OPERATOR }, isClockRunning: true }))

const domain = (...args: string[]) => domainWith({}, ...args)

async function domainWith(settings: Record<string, string>, ...args: string[]) {
  const env = { ...COMPILED_CODE, PATH: process.env.PATH, DATA_DIR: site.folder, ...settings }
  const child = spawn(process.execPath, [join(root, 'cli/mayfly.ts'), 'domain', ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code, out, err }
}

async function create(body: object, status = 201): Promise<string> {
  const response = await site.post(routes.mailboxes, JSON.stringify(body))
  expect(response.status).toBe(status)
  return status === 201 ? mailboxCreatedSchema.parse(await response.json()).email : ''
}

async function replyTo(recipient: string, server = site): Promise<string> {
  await using client = await SmtpClient.connect(server.app.smtpPort)
  const replies: string[] = []
  for (const line of ['EHLO me.test', 'MAIL FROM:<ann@sender.test>', `RCPT TO:<${recipient}>`]) {
    client.send(`${line}\r\n`)
    replies.push(await client.reply())
  }
  return replies.at(-1) ?? ''
}

const offered = async () => (await (await fetch(site.url(routes.config))).json()).domains
const specified = async () => {
  const document = await (await fetch(site.url(routes.openapi))).json()
  return document.components.schemas.CreateMailbox.properties.domain.enum
}

test('a domain that a command adds is offered, receives, is retired and removed while the server runs', async () => {
  expect(await offered()).toEqual(['one.test'])
  const old = await create({})
  expect(await replyTo('ann@two.test')).toMatch(/^550 5\.7\.1/)

  expect(await domain('add', 'Two.TEST')).toEqual({ code: 0, err: '', out: 'two.test is offered within a second.\n' })
  await expect.poll(offered).toEqual(['one.test', 'two.test'])
  expect(await specified(), 'the description of the API').toEqual(['one.test', 'two.test'])
  expect((await identifyServer(site.folder))?.domains, 'what the doctor asks').toEqual({
    offered: ['one.test', 'two.test'],
    receiving: ['one.test', 'two.test'],
  })
  expect(await replyTo(await create({ domain: 'two.test' }))).toMatch(/^250/)

  expect(await domain('offer', 'two.test', '--first')).toMatchObject({ code: 0 })
  await expect.poll(offered).toEqual(['two.test', 'one.test'])
  const { supportEmail } = await (await fetch(site.url(routes.config))).json()
  expect(supportEmail, 'where mail for it is taken').toBe('support@two.test')
  expect(await create({})).toMatch(/@two\.test$/)
  expect(await replyTo('postmaster'), 'a recipient without a domain').toMatch(/^250/)

  expect(await domain('pause', 'one.test')).toMatchObject({ code: 0 })
  await expect.poll(offered).toEqual(['two.test'])
  await create({ domain: 'one.test' }, 422)
  expect(await replyTo(old), 'an address that lives goes on').toMatch(/^250/)

  const waiting = await domain('remove', 'one.test')
  expect(waiting).toMatchObject({ code: 1, err: expect.stringMatching(/^Addresses at one\.test live until 20\d\d-/) })
  expect(await domain('remove', 'one.test', '--now')).toMatchObject({ code: 0 })
  await expect.poll(() => replyTo(old)).toMatch(/^550 5\.7\.1/)
  expect(await domain('remove', 'one.test')).toMatchObject({ code: 4, err: 'one.test is not a domain of this server.\n' })
})

test('each address at a domain with subdomains gets its own, and its mail arrives', async () => {
  expect(await domain('add', '*.box.test')).toMatchObject({ code: 0 })
  await expect.poll(offered).toContain('box.test')
  const [one, other] = [await create({ domain: 'box.test' }), await create({ domain: 'box.test' })]
  expect(one).toMatch(/@[a-z]+-[a-z]+\.box\.test$/)
  expect(one.split('@')[1]).not.toBe(other.split('@')[1])
  expect(await replyTo(one)).toMatch(/^250/)
  expect(await replyTo(one.replace(/@[^.]+/, '@elsewhere')), 'the same name below another label').toMatch(/^550 5\.1\.1/)
  expect(await replyTo('postmaster@box.test')).toMatch(/^250/)
})

test('what visitors say of a domain that sites refuse is counted, and gives them another one', async () => {
  expect(await domain('add', 'worn.test')).toMatchObject({ code: 0 })
  await expect.poll(offered).toContain('worn.test')
  for (let i = 0; i < 5; i++) {
    await create({ domain: 'worn.test' })
    expect(await create({ insteadOf: 'worn.test' })).not.toMatch(/worn\.test$/)
  }
  await create({ insteadOf: 'not-ours.test' })
  // The counts of a running minute are in the server alone: they are written when it ends.
  const { code, out } = await domain('list')
  expect(code).toBe(0)
  expect(out).toContain('worn.test  offered, addresses live until ')
})

test('an API token and a signed-in visitor get another domain as well, and only an own name counts', async () => {
  const names = await offered()
  const next = (name: string) => names[(names.indexOf(name) + 1) % names.length]
  const { visitor: operator } = await enrolOperator(site, OPERATOR)
  const unwelcome = async () => {
    const { domains } = listDomains.response.parse(JSON.parse((await operator.ask('GET', routes.operatorDomains)).text))
    return domains.find(({ name }) => name === 'two.test')?.counts.unwelcome ?? 0
  }
  const callers = { 'an API token': site.visitor(bearer(TOKEN)), 'an account': await site.signedIn('ada@example.com') }
  for (const [count, [caller, visitor]] of Object.entries(callers).entries()) {
    const create = async (body: object) => {
      const answer = await visitor.post(routes.mailboxes, body)
      expect([caller, answer.status]).toEqual([caller, 201])
      return mailboxCreatedSchema.parse(JSON.parse(answer.text)).email
    }
    const before = await unwelcome()
    expect(await create({ insteadOf: 'two.test' }), caller).toMatch(new RegExp(`[@.]${next('two.test')}$`))
    expect(await create({ insteadOf: 'two.test', localPart: `ada.${count}` }), caller).toMatch(
      new RegExp(`^ada\\.${count}@.*${next('two.test')}$`),
    )
    expect(await create({ insteadOf: 'two.test', domain: 'two.test' }), 'a wish wins').toMatch(/@two\.test$/)
    await create({ insteadOf: 'not-ours.test' })
    expect(await unwelcome()).toBe(before + 3)
  }
})

test('a domain whose mail does not come here is paused when it is added, unless told otherwise', async () => {
  await using dns = await startDnsServer(
    {
      'here.example MX': ['MX.one.test'],
      'a-subdomain.wild.example MX': ['alias.example'],
      'alias.example A': ['127.0.0.1'],
      'mx.one.test A': ['127.0.0.1'],
      'other.example MX': ['mx.elsewhere.example'],
      'mx.elsewhere.example A': ['192.0.2.7'],
    },
    { fault: name => (name.includes('silent.example') ? 'silent' : undefined) },
  )
  const settings = { MAIL_HOST: 'mx.one.test', DNS_SERVERS: dns.address }
  const add = async (...args: string[]) => (await domainWith(settings, 'add', ...args)).out
  expect(await add('here.example')).toBe('here.example is offered within a second.\n')
  expect(await add('*.wild.example')).toBe('*.wild.example is offered within a second.\n')
  expect(await add('*.none.example')).toBe(
    `*.none.example is added, but paused. *.none.example has no MX record. Add what "mayfly dns '*.none.example'" prints, then: mayfly domain offer none.example\n`,
  )
  expect(await add('other.example')).toContain('paused. Mail for other.example goes to mx.elsewhere.example, which is not this server.')
  // Addresses of a shape whose mail goes nowhere would be given at once.
  const again = await domainWith(settings, 'add', '*.here.example')
  expect(again).toMatchObject({ code: 1, err: expect.stringContaining('*.here.example has no MX record. Add what "mayfly dns') })
  expect(await add('silent.example')).toContain('paused. DNS did not answer for silent.example')
  expect(await add('sure.example', '--offer')).toBe('sure.example is offered within a second.\n')
  expect((await domainWith({ DNS_SERVERS: 'off' }, 'add', 'unasked.example')).out).toContain('unasked.example is offered')
  const names = async () => (await offered()).filter((name: string) => name.endsWith('.example')).sort()
  await expect.poll(names).toEqual(['here.example', 'sure.example', 'unasked.example', 'wild.example'])
})

test('a domain that settings use is removed only if that is meant', async () => {
  const settings = { PUBLIC_URL: 'https://used.test' }
  const mail = { MAIL_FROM: 'no-reply@used.test', SMTP_RELAY_URL: 'smtp://relay.test' }
  await domain('add', 'used.test')
  const { code, err } = await domainWith({ ...settings, ...mail }, 'remove', 'used.test')
  expect([code, err]).toEqual([1, expect.stringContaining('PUBLIC_URL and MAIL_FROM use used.test: answers to your mail')])
  expect((await domainWith(settings, 'remove', 'used.test')).err).toContain('PUBLIC_URL uses used.test: ')
  expect(await domainWith(settings, 'remove', 'used.test', '--now')).toMatchObject({ code: 0, err: '' })
  await domain('add', 'used.test')
  expect(await domain('remove', 'used.test')).toMatchObject({ code: 0, err: '' })
})

test.each([
  [['add', 'no domain'], 1, 'A domain looks like box.example'],
  [['add', 'localhost'], 1, 'A domain looks like box.example'],
  [['retire', 'two.test', '--at', '2001-01-01'], 1, 'Addresses at two.test live until'],
  [['retire', 'two.test', '--at', 'soon'], 2, '--at takes a time'],
  [['pause'], 2, '"domain pause" needs DOMAIN'],
  [['rename', 'two.test'], 2, 'add DOMAIN'],
  [['offer', 'two.test', '--now'], 2, '--now'],
] as const)('the command refuses %j with exit %i and says why', async (args, exit, sentence) => {
  const { code, err } = await domain(...args)
  expect(code).toBe(exit)
  expect(err).toContain(sentence)
})

test.each(['retire', 'remove'] as const)(
  'mail to an address that was given after "%s", before the server heard of it, arrives',
  async end => {
    await using ending = await startTestServer({ env: { MAIL_DOMAINS: 'one.test' } })
    const change = <T>(make: (domains: StoredDomains) => T) =>
      ending.withDatabase(async database => {
        const access = testDatabaseAccess(database, { clock: () => ending.now() })
        return make(new StoredDomains({ ...access, audit: new AuditLog(access), config: ending.app.config }))
      })
    const give = (domain: string) => ending.app.mail.createAddress({ domain, lifetimeSeconds: 60 })
    let given: { readonly email: string; readonly domain: string } | undefined
    // Again if the server looked at its domains in between.
    for (let tries = 0; given === undefined; tries++) {
      const domain = `end-${tries}.test`
      await change(domains => domains.add('op', `*.${domain}`))
      await expect.poll(() => give(domain).catch(() => undefined)).toBeDefined()
      // Nobody lives there any more: until when they do is known in steps of ten minutes.
      ending.advance(60_000 + 600_000)
      given = await change(async domains => {
        await domains[end]('op', domain)
        return give(domain).then(
          ({ email }) => ({ email, domain }),
          () => undefined,
        )
      })
    }
    const { email, domain } = given
    expect(await replyTo(email, ending)).toMatch(/^250/)
    await expect.poll(() => give(domain).catch(({ code }) => code)).toBe('domain_not_served')
    expect(await replyTo(email, ending)).toMatch(/^250/)
    await expect
      .poll(() => change(async domains => (await domains.list()).find(({ name }) => name === domain)?.endsAt))
      .toBeGreaterThan(ending.now() + 60_000)
    ending.advance(59_000)
    expect(await replyTo(email, ending)).toMatch(/^250/)
    // Another process adds a domain, and gives an address there at once: what it looks like here.
    await change(domains => domains.add('op', 'new.test'))
    expect(await replyTo('ann@new.test', ending), 'known at once').toMatch(/^550 5\.1\.1/)
  },
)

test('after a restart the domains of the database count, from the first sender on, and MAIL_DOMAINS does not', async () => {
  await using stack = new AsyncDisposableStack()
  const first = stack.use(await startTestServer({ env: { MAIL_DOMAINS: 'one.test' } }))
  await first.withDatabase(({ db }) => db.updateTable('mail_domains').set({ name: 'moved.test' }).execute())
  await first.app[Symbol.asyncDispose]()
  const heardLog = new HeardLog([
    /MAIL_DOMAINS names one\.test, three\.test, but it counts at the first start only.*first name: MAIL_HOST=one\.test and MAIL_FROM=/,
    /CONTACT_TO is an address at moved\.test, a domain of this server, so nothing is forwarded/,
  ])
  const contact = { CONTACT_TO: 'me@moved.test', SMTP_RELAY_URL: first.recorder.url }
  const env = { ...contact, MAIL_DOMAINS: 'one.test,three.test', DATA_DIR: first.folder, HTTP_PORT: '0', SMTP_PORT: '0', HOST: '127.0.0.1' }
  const app = stack.use(await startApp(readConfig({ ...env, BOT_CHECK: 'off', DNS_SERVERS: 'off' }), { log: heardLog.log }))
  expect((await app.mail.createAddress({ lifetimeSeconds: 60 })).email).toMatch(/@moved\.test$/)
  expect(await app.mail.checkRecipient('ann@one.test')).toBe('domain_not_served')
  expect(await app.mail.checkRecipient('ann@moved.test')).toBe('mailbox_not_found')
  expect(heardLog.warnings).toHaveLength(2)
  heardLog.check()
})

test('a server that cannot read its blocks and domains does not start', async () => {
  await using first = await startTestServer({ env: { MAIL_DOMAINS: 'one.test' } })
  await first.withDatabase(({ db }) => db.schema.dropTable('blocks').execute())
  await first.app[Symbol.asyncDispose]()
  const env = { DATA_DIR: first.folder, HTTP_PORT: '0', SMTP_PORT: '0', HOST: '127.0.0.1', BOT_CHECK: 'off', DNS_SERVERS: 'off' }
  using heardLog = new HeardLog()
  await expect(startApp(readConfig(env), { log: heardLog.log })).rejects.toThrow(/blocks/)
})
