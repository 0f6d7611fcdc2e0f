/** The operator's page from outside: access, actions, and attacks. */
import { connect } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { perLanguage } from '#contract/languages.ts'
import { NOTICE_CHARS_MAX } from '#contract/limits.ts'
import { addBlock, listOperatorMessages, readOverview } from '#contract/operator.ts'
import { pathTo } from '#contract/path-to.ts'
import { routes } from '#contract/routes.ts'
import { isNamedOperator } from '#server/accounts/sign-up.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { enrolOperator } from '#test/harness/clients/operator.ts'
import { PASSWORD } from '#test/harness/clients/visitor.ts'
import { bearer, startTestServer } from '#test/harness/mayfly/start-test-server.ts'
import { saidBy } from '#test/harness/said-by.ts'
import { untilEnd } from '#test/harness/until-end.ts'

const site = await untilEnd(
  startTestServer({
    env: {
      OPERATORS: 'Op@example.com,second@example.com,third@example.com,fourth@example.com,fifth@example.com,sixth@example.com',
      SMTP_TRUSTED: '::1',
    },
  }),
)
const operator = await enrolOperator(site, 'op@example.com')
const other = await site.signedIn('other@example.com')

const READS = [routes.operatorOverview, routes.operatorBlocks, routes.operatorMessages, routes.operatorAudit]
const WRITES: [path: string, body: object][] = [
  [routes.operatorBlocks, { kind: 'domain', value: 'evil.test' }],
  [routes.operatorSettings, { isRegistrationOpen: false }],
  [routes.operatorDestroyAddress, { address: 'a@mayfly.test' }],
  [routes.operatorFindAccount, { email: 'other@example.com' }],
  [routes.operatorSuspend, { email: 'other@example.com' }],
  [routes.operatorDestroyAccount, { email: 'other@example.com' }],
  [routes.operatorReplies, { about: 'contact', id: 1, text: 'x' }],
]

/** Speaks SMTP from a loopback address without exemptions; resolves to every line received. */
function smtp(lines: readonly string[], localAddress = '127.0.0.1'): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: site.app.smtpPort, host: '127.0.0.1', localAddress })
    let heard = ''
    const rest = [...lines, 'QUIT']
    socket.on('data', chunk => {
      heard += chunk
      if (!heard.endsWith('\r\n')) return
      const next = rest.shift()
      if (next !== undefined && !socket.destroyed) socket.write(`${next}\r\n`)
    })
    socket.on('close', () => resolve(heard))
    socket.on('error', reject)
  })
}

describe('access', () => {
  test('is not kept from an operator by an account of the address with a tag', async () => {
    const tagged = await site.signUp('Fourth+x@example.com')
    expect([tagged.status, tagged.code]).toEqual([403, 'email_not_allowed'])
    // Nor is a stranger told who operates this site.
    expect(tagged.text).not.toMatch(/operator/i)
    expect((await site.signUp('fourth@example.com')).status).toBe(202)
  })

  test('is refused without a session, to other accounts, without the second factor, and to API keys', async () => {
    const half = await site.signedIn('op@example.com')
    for (const path of READS) {
      expect((await site.visitor().ask('GET', path)).code).toBe('sign_in_required')
      expect((await other.ask('GET', path)).code).toBe('not_found')
      expect((await half.ask('GET', path)).code).toBe('second_factor_required')
    }
    for (const [path, body] of WRITES) {
      expect((await site.visitor().post(path, body)).code).toBe('sign_in_required')
      expect((await other.post(path, body)).code).toBe('not_found')
      expect((await half.post(path, body)).code).toBe('second_factor_required')
    }
    for (const path of [routes.operatorSession]) expect((await other.ask('GET', path)).code).toBe('not_found')
    expect((await other.post(routes.operatorEnrol, { password: PASSWORD })).code).toBe('not_found')
    expect(JSON.parse((await half.ask('GET', routes.operatorSession)).text)).toEqual({ isEnrolled: true, isVerified: false })
    const { key } = JSON.parse((await operator.visitor.post(routes.accountApiKeys, { name: 'x' })).text)
    expect((await site.visitor(bearer(key)).ask('GET', routes.operatorOverview)).code).toBe('sign_in_required')
  })

  test('is refused to an address that differs by its tag, which may be somebody else elsewhere', () => {
    // The account is older than the setting: with it nobody can sign up so.
    const config = { ...readConfig({ DATA_DIR: '/nowhere' }), operators: ['fourth@example.com'] }
    expect(['fourth+tag@example.com', 'Fourth@Example.com'].map(email => isNamedOperator(email, config))).toEqual([false, true])
  })

  test('is named in the session of those who have it only', async () => {
    const read = async (visitor: typeof other) => JSON.parse((await visitor.ask('GET', routes.authSession)).text).session.isOperator
    expect(await read(await site.signedIn('op@example.com'))).toBe(true)
    expect(await read(other)).toBeUndefined()
  })

  test('is refused for requests from another site, including reads', async () => {
    for (const headers of [{ origin: 'https://evil.test' }, { 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }]) {
      for (const path of READS) expect((await operator.visitor.ask('GET', path, { headers })).code).toBe('forbidden')
      for (const [path, body] of WRITES) expect((await operator.visitor.post(path, body, headers)).code).toBe('forbidden')
    }
    const cookie = (await enrolOperator(site, 'second@example.com')).visitor.cookies.get('mayfly_operator')
    expect(cookie).toMatch(/^[\w-]{43}$/)
  })

  test('needs an exact code, and the proof is bound to the session and ends with it', async () => {
    site.advance(60_000)
    const half = await site.signedIn('op@example.com')
    const passed = await half.post(routes.operatorVerify, { code: operator.code() })
    expect(passed.headers.getSetCookie()[0]).toMatch(/^mayfly_operator=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/)
    expect((await half.ask('GET', routes.operatorOverview)).status).toBe(200)
    // Fixation: a session that an attacker knows gains no rights.
    const proof = half.cookies.get('mayfly_operator') ?? ''
    const planted = await site.signedIn('op@example.com')
    planted.cookies.set('mayfly_operator', proof)
    expect((await planted.ask('GET', routes.operatorOverview)).code).toBe('second_factor_required')
    other.cookies.set('mayfly_operator', proof)
    expect((await other.ask('GET', routes.operatorOverview)).code).toBe('not_found')
    const session = half.cookies.get('mayfly_session') ?? ''
    await half.post(routes.authSignOut)
    half.cookies.set('mayfly_session', session)
    half.cookies.set('mayfly_operator', proof)
    expect((await half.ask('GET', routes.operatorOverview)).code).toBe('sign_in_required')
  })

  test('ends with the session for a request whose body comes later', async () => {
    const { visitor } = await enrolOperator(site, 'sixth@example.com')
    const body = '{"kind":"domain","value":"late.test"}'
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const socket = connect(site.app.httpPort, '127.0.0.1')
    const head = [
      `POST ${routes.operatorBlocks} HTTP/1.1`,
      'Host: x',
      `Cookie: ${cookie}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Expect: 100-continue',
    ]
    const heard = saidBy(socket)
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    await expect.poll(heard).toContain('100 Continue')
    expect((await visitor.post(routes.authSignOut)).status).toBe(204)
    socket.write(body)
    await expect.poll(heard).toMatch(/HTTP\/1\.1 401 .*sign_in_required/s)
    socket.destroy()
    expect((await operator.visitor.ask('GET', routes.operatorBlocks)).text).not.toContain('late.test')
  })

  test('is not had by deleting the account and signing up again, by the account itself or by another operator', async () => {
    const first = await enrolOperator(site, 'fifth@example.com')
    const deleted = await first.visitor.post(routes.authDeleteAccount, { password: PASSWORD })
    expect(deleted.status).toBe(204)
    site.advance(60_000)
    await site.account('fifth@example.com')
    const again = await site.signedIn('fifth@example.com')
    expect(JSON.parse((await again.ask('GET', routes.operatorSession)).text)).toEqual({ isEnrolled: true, isVerified: false })
    expect((await again.post(routes.operatorEnrol, { password: PASSWORD })).code).toBe('forbidden')
    expect((await again.ask('GET', routes.operatorOverview)).code).toBe('second_factor_required')
    const audit = (await operator.visitor.ask('GET', routes.operatorAudit)).text
    expect(JSON.parse(audit).entries).toContainEqual(expect.objectContaining({ actor: 'fifth@example.com', action: 'account.destroy' }))
    expect((await operator.visitor.post(routes.operatorDestroyAccount, { email: 'fifth@example.com' })).status).toBe(204)
    await site.account('fifth@example.com')
    const last = await site.signedIn('fifth@example.com')
    expect((await last.post(routes.operatorEnrol, { password: PASSWORD })).code).toBe('forbidden')
    expect((await last.post(routes.operatorVerify, { code: first.code() })).status).toBe(204)
    expect((await last.ask('GET', routes.operatorOverview)).status).toBe(200)
  })

  test('a code is accepted once, one step early or late, also of many simultaneous attempts, and so is a recovery code', async () => {
    site.advance(60_000)
    const half = await site.signedIn('op@example.com')
    const code = operator.code(1)
    const answers = await Promise.all(Array.from({ length: 8 }, () => half.post(routes.operatorVerify, { code })))
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
    // However often it is sent again, the operator is not locked out: nothing was guessed.
    for (let again = 0; again < 6; again++) expect((await half.post(routes.operatorVerify, { code })).code).toBe('second_factor_wrong')
    const [recovery = ''] = operator.recoveryCodes
    expect((await half.post(routes.operatorVerify, { code: recovery.toLowerCase() })).status).toBe(204)
    for (let again = 0; again < 6; again++)
      expect((await half.post(routes.operatorVerify, { code: recovery })).code).toBe('second_factor_wrong')
    expect((await half.post(routes.operatorVerify, { code: operator.recoveryCodes[1] })).status, 'not locked out').toBe(204)
    const { entries } = JSON.parse((await half.ask('GET', routes.operatorAudit)).text)
    expect(entries[0]).toMatchObject({ actor: 'op@example.com', action: 'second-factor.recovery-code' })
  })

  test('after five wrong codes in a row none is accepted for 15 minutes from any network', async () => {
    const third = await enrolOperator(site, 'third@example.com')
    site.advance(60_000)
    const half = await site.signedIn('third@example.com')
    const toOperator = () => site.recorder.mails.filter(({ recipients }) => recipients.includes('third@example.com'))
    const subjects = () => toOperator().map(({ subject }) => subject)
    // Two of them are two steps early or late.
    for (const code of [third.code(-2), third.code(2), '000000', '000001', '000002'])
      expect((await half.post(routes.operatorVerify, { code })).code).toBe('second_factor_wrong')
    // The operator learns of it: by mail, in the log and on the page.
    await expect.poll(subjects).toEqual(['Confirm your Mayfly account', 'Wrong codes for the operator’s page of Mayfly'])
    site.heardLog.allow(/A code of an operator’s second factor was wrong/)
    const locked = await half.post(routes.operatorVerify, { code: third.code() })
    expect([locked.status, locked.headers.get('retry-after')]).toEqual([429, '900'])
    site.advance(15 * 60_000)
    expect((await half.post(routes.operatorVerify, { code: third.code(-1) })).status).toBe(204)
    const { entries } = JSON.parse((await half.ask('GET', routes.operatorAudit)).text)
    const own = entries.filter(({ actor }: { actor: string }) => actor === 'third@example.com')
    expect(own.map(({ action }: { action: string }) => action)).toEqual([
      'second-factor.lock',
      'second-factor.wrong-code',
      'second-factor.enrol',
    ])
  })

  test('a second authenticator cannot replace the first, and the first needs the password', async () => {
    expect((await operator.visitor.post(routes.operatorEnrol, { password: PASSWORD })).code).toBe('forbidden')
    expect((await operator.visitor.post(routes.operatorEnrol, { password: 'wrong horse' })).code).toBe('credentials_wrong')
  })
})

describe('actions', () => {
  beforeAll(async () => {
    site.advance(60_000)
    operator.visitor.cookies.clear()
    await operator.visitor.signIn('op@example.com')
    expect((await operator.visitor.post(routes.operatorVerify, { code: operator.code() })).status).toBe(204)
  })

  const act = async (path: string, body: object, status = 204) => {
    const answer = await operator.visitor.post(path, body)
    expect(answer.status, answer.text).toBe(status)
    return answer.text
  }
  const block = async (kind: string, value: string, hours?: number) =>
    addBlock.response.parse(JSON.parse(await act(routes.operatorBlocks, { kind, value, ...(hours && { hours }) }, 201))).id
  const unblock = async (id: number) =>
    expect((await operator.visitor.ask('DELETE', pathTo(routes.operatorBlock, { id }))).status).toBe(204)

  test('a blocked sender, domain or recipient is refused by SMTP at once, and accepted after the block ends or is removed', async () => {
    const { email } = await site.createMailbox()
    const tryFrom = (from: string, to = email) => smtp(['EHLO me', `MAIL FROM:<${from}>`, `RCPT TO:<${to}>`, 'RCPT TO:<abuse@mayfly.test>'])
    const ids = [await block('sender', 'ann@one.test'), await block('domain', 'spam.test', 2)]
    expect(await tryFrom('ann@one.test')).toContain('550 5.7.1 This sender is refused here')
    expect(await tryFrom('x@mx.spam.test')).toContain('550 5.7.1 This sender is refused here')
    expect(await tryFrom('bob@one.test')).toMatch(/250 2\.1\.5.*\r\n250 2\.1\.5/)
    site.advance(2 * 3_600_000)
    expect(await tryFrom('x@mx.spam.test')).toContain('250 2.1.0')
    await unblock(ids[0] ?? 0)
    expect(await tryFrom('ann@one.test')).toContain('250 2.1.0')
    site.advance(-2 * 3_600_000)
    // The first address has expired meanwhile.
    const { email: fresh } = await site.createMailbox()
    const pattern = await block('recipient', `${fresh.split('@')[0]}@*`)
    expect(await tryFrom('bob@one.test', fresh)).toMatch(/550 5\.7\.1 Mail for this recipient is refused here\r\n250 2\.1\.5/)
    await unblock(pattern)
    const [name = '', domain = ''] = fresh.split('@')
    const whole = await block('recipient', fresh)
    for (const spelling of [`${name}+tag@${domain}`, `"${name}"@${domain}`, `${name}@${domain}.`, `${name.toUpperCase()}@${domain}`]) {
      expect(await tryFrom('bob@one.test', spelling), spelling).toContain('550 5.7.1 Mail for this recipient is refused here')
    }
    // Letters in full width (U+FF4D is m) are the same domain.
    const wide = ['EHLO me', 'MAIL FROM:<bob@one.test> SMTPUTF8', `RCPT TO:<${name}@\uFF4D${domain.slice(1)}>`]
    expect(await smtp(wide)).toContain('550 5.7.1 Mail for this recipient is refused here')
    await unblock(whole)
  })

  test('a blocked network is refused at the greeting, at the next MAIL and by HTTP, but may use the contact form', async () => {
    const id = await block('network', '127.0.0.7/32')
    expect(await smtp(['EHLO me'], '127.0.0.7')).toMatch(/^554 5\.7\.1 Mail from your network is refused here\r\n/)
    expect(await smtp(['EHLO me', 'MAIL FROM:<a@b.test>'])).toContain('250 2.1.0')
    await unblock(id)
    expect(await smtp(['EHLO me'], '127.0.0.7')).toMatch(/^220 /)
    const widest = await operator.visitor.post(routes.operatorBlocks, { kind: 'network', value: '1.0.0.0/7' })
    expect(widest.text).toContain('too wide')
    const own = await operator.visitor.post(routes.operatorBlocks, { kind: 'network', value: '127.0.0.0/8' })
    expect([own.code, own.text]).toEqual(['invalid_request', expect.stringContaining('your own address')])
  })

  test('an address is destroyed with its mail, and the audit log does not name it', async () => {
    const { email, token } = await site.createMailbox()
    await site.deliver(email)
    await act(routes.operatorDestroyAddress, { address: email.toUpperCase() })
    expect((await site.visitor(bearer(token)).ask('GET', routes.mailbox)).code).toBe('mailbox_not_found')
    expect((await operator.visitor.post(routes.operatorDestroyAddress, { address: email })).code).toBe('not_found')
    const audit = (await operator.visitor.ask('GET', routes.operatorAudit)).text
    expect(audit).toContain('address.destroy')
    expect(audit).not.toContain(email.split('@')[0])
  })

  test('a destroyed mailbox of an API key leaves the list of its account', async () => {
    const page = await site.signedIn('scripts@example.com')
    const { key } = JSON.parse((await page.post(routes.accountApiKeys, { name: 'ci' })).text)
    const script = site.visitor(bearer(key))
    const [kept, destroyed] = [
      JSON.parse((await script.post(routes.mailboxes, {})).text),
      JSON.parse((await script.post(routes.mailboxes, {})).text),
    ]
    await act(routes.operatorDestroyAddress, { address: destroyed.email })
    const { mailboxes } = JSON.parse((await script.ask('GET', routes.mailboxes)).text)
    expect(mailboxes).toEqual([expect.objectContaining({ id: kept.id })])
  })

  test('an account destroyed while its keys create mailboxes leaves none behind', async () => {
    const email = 'racer@example.com'
    const page = await site.signedIn(email)
    const { key } = JSON.parse((await page.post(routes.accountApiKeys, { name: 'ci' })).text)
    const script = site.visitor(bearer(key))
    const tokens: string[] = []
    let isEnded = false
    const creating = Array.from({ length: 8 }, async () => {
      while (!isEnded) {
        const { status, text } = await script.post(routes.mailboxes, {})
        if (status === 201) tokens.push(JSON.parse(text).token)
        else return
      }
    })
    while (tokens.length < 20) await new Promise(resolve => setTimeout(resolve, 5))
    await act(routes.operatorDestroyAccount, { email })
    isEnded = true
    await Promise.all(creating)
    const left = await Promise.all(tokens.map(async token => (await site.visitor(bearer(token)).ask('GET', routes.mailbox)).status))
    expect(new Set(left)).toEqual(new Set([404]))
  })

  test('a suspended account is signed out, cannot sign in or use its keys, works when resumed, and can be destroyed', async () => {
    const abuser = await site.signedIn('abuser@example.com')
    const { key } = JSON.parse((await abuser.post(routes.accountApiKeys, { name: 'x' })).text)
    const { token } = JSON.parse((await abuser.post(routes.mailboxes, {})).text)
    await act(routes.operatorSuspend, { email: 'Abuser@example.com' })
    expect(await abuser.session()).toBeNull()
    expect((await abuser.signIn('abuser@example.com')).code).toBe('account_suspended')
    expect((await abuser.signIn('abuser@example.com', 'wrong horse')).code).toBe('credentials_wrong')
    expect((await site.visitor(bearer(key)).post(routes.mailboxes, {})).code).toBe('api_token_invalid')
    expect(JSON.parse(await act(routes.operatorFindAccount, { email: 'abuser@example.com' }, 200))).toMatchObject({ isSuspended: true })
    await act(routes.operatorResume, { email: 'abuser@example.com' })
    expect((await abuser.signIn('abuser@example.com')).status).toBe(200)
    await act(routes.operatorDestroyAccount, { email: 'abuser@example.com' })
    expect((await site.visitor(bearer(token)).ask('GET', routes.mailbox)).code).toBe('mailbox_not_found')
    expect((await abuser.signIn('abuser@example.com')).code).toBe('credentials_wrong')
    expect((await operator.visitor.post(routes.operatorSuspend, { email: 'op@example.com' })).code).toBe('forbidden')
  })

  test('a link that is out opens no account while registration is closed or its address is barred', async () => {
    const email = 'waiting@barred.test'
    expect((await site.signUp(email)).status).toBe(202)
    const confirm = { token: await site.recorder.nextToken(email), password: PASSWORD }
    expect((await site.visitor().post(routes.authForgotPassword, { email, language: 'en' })).status).toBe(202)
    const reset = { token: await site.recorder.nextToken(email), password: PASSWORD }
    const expectRefused = async (code: string) => {
      expect((await site.visitor().post(routes.authConfirm, confirm)).code).toBe(code)
      expect((await site.visitor().post(routes.authResetPassword, reset)).code).toBe(code)
      expect((await site.visitor().signIn(email)).code).toBe(code)
      expect((await site.visitor().post(routes.authForgotPassword, { email, language: 'en' })).status).toBe(202)
    }
    await act(routes.operatorSettings, { isRegistrationOpen: false })
    await expectRefused('registration_closed')
    await act(routes.operatorSettings, { isRegistrationOpen: true })
    const id = await block('domain', 'barred.test')
    await expectRefused('email_not_allowed')
    await unblock(id)
    expect((await site.visitor().post(routes.authConfirm, confirm)).status).toBe(204)
  })

  test('registration can be closed and opened, and difficulty and notice have limits', async () => {
    const notice = perLanguage(language => `Back at 5 (${language})`)
    await act(routes.operatorSettings, { isRegistrationOpen: false })
    expect((await site.signUp('late@example.com')).code).toBe('registration_closed')
    await act(routes.operatorSettings, { isRegistrationOpen: true, difficulty: 4, notice })
    expect((await site.signUp('late@example.com')).status).toBe(202)
    for (const difficulty of [0, 17, 1.5]) {
      expect((await operator.visitor.post(routes.operatorSettings, { difficulty })).code).toBe('invalid_request')
    }
    for (const wrong of [{ ...notice, en: ' ' }, { en: 'x' }, { ...notice, en: 'x'.repeat(NOTICE_CHARS_MAX + 1) }]) {
      expect((await operator.visitor.post(routes.operatorSettings, { notice: wrong })).code).toBe('invalid_request')
    }
    const { settings } = readOverview.response.parse(JSON.parse((await operator.visitor.ask('GET', routes.operatorOverview)).text))
    expect(settings).toEqual({ isRegistrationOpen: true, difficulty: 4, notice })
  })

  test('contact messages, operator mail and reports are shown as text, answered through the relay, and closed', async () => {
    const form = { name: 'Eve <b>', email: 'eve@x.test', subject: '<script>alert(1)</script>', message: '<img src=x onerror=alert(1)>' }
    expect((await site.visitor().post(routes.contact, form)).status).toBe(202)
    const hostile =
      'From: "<svg onload=1>" <ann@sender.test>\r\nReply-To: r@x.test\r\nSubject: =?utf-8?q?a=0d=0aBcc:_v@x.test?=\r\nContent-Type: text/html\r\n\r\n<script>1</script>Hello\r\n'
    await site.deliverRaw('abuse@mayfly.test', Buffer.from(hostile))
    const report = { kind: 'phishing', address: 'bad@mayfly.test', message: 'This address sends me <b>phishing</b>.', email: 'rep@x.test' }
    expect((await site.visitor().post(routes.reports, report)).status).toBe(202)
    expect((await site.visitor().post(routes.reports, { ...report, kind: 'fun' })).code).toBe('invalid_request')
    const listed = listOperatorMessages.response.parse(JSON.parse((await operator.visitor.ask('GET', routes.operatorMessages)).text))
    const [contact, mail, reported] = [listed.contact[0], listed.mail[0], listed.reports[0]]
    expect(contact).toMatchObject({ name: form.name, subject: form.subject, excerpt: form.message, isRead: false })
    expect(reported?.excerpt).toBe(report.message)
    const read = async (path: string) => JSON.parse((await operator.visitor.ask('GET', path)).text)
    expect(await read(pathTo(routes.operatorContactMessage, { id: contact?.id ?? 0 }))).toMatchObject({ message: form.message })
    const text = await read(pathTo(routes.operatorMail, { id: mail?.id ?? 0 }))
    expect(text).toMatchObject({ recipient: 'abuse@mayfly.test', from: 'ann@sender.test', text: expect.stringContaining('Hello') })
    expect(text.replyTo, 'where the answer goes').toBe('r@x.test')
    expect(await read(pathTo(routes.operatorReport, { id: reported?.id ?? 0 }))).toEqual(report)
    expect((await operator.visitor.post(pathTo(routes.operatorCloseReport, { id: reported?.id ?? 0 }))).status).toBe(204)
    await act(routes.operatorReplies, { about: 'mail', id: mail?.id, text: 'Thank you.' }, 202)
    const sent = await site.recorder.next('r@x.test')
    expect(sent.recipients).toEqual(['r@x.test'])
    expect(sent.text).toBe('Thank you.\n')
    await act(routes.operatorReplies, { about: 'report', id: reported?.id, text: 'Destroyed.' }, 202)
    expect((await site.recorder.next('rep@x.test')).subject).toContain('Re: Report of abuse')
  })

  test('figures show what was accepted and what was refused', async () => {
    const { email } = await site.createMailbox()
    await smtp(['EHLO me', 'MAIL FROM:<a@b.test>', 'RCPT TO:<nobody@mayfly.test>'])
    const answer = await operator.visitor.ask('GET', routes.operatorOverview)
    const overview = readOverview.response.parse(JSON.parse(answer.text))
    expect(overview.day.addresses).toBeGreaterThan(0)
    expect(overview.day.refused.mailbox_not_found).toBeGreaterThan(0)
    expect(overview.now).toMatchObject({ streams: 0, queue: expect.any(Number) })
    expect(overview.now.memoryBytes).toBeGreaterThan(1e7)
    expect(overview.now.diskFreeBytes).toBeGreaterThan(0)
    expect(overview.certificates).toEqual([
      expect.objectContaining({
        use: 'mail',
        name: expect.stringMatching(/^mayfly\.test, localhost(?:, [\w.-]+)?$/),
        isSelfSigned: true,
        problem: null,
      }),
    ])
    expect(overview.blocklists).toEqual([])
    expect(answer.text).not.toContain(email)
  })
})
