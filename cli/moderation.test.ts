/** The commands that act on a running server, which applies them within seconds. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { LANGUAGES } from '#contract/languages.ts'
import { routes } from '#contract/routes.ts'
import { runMayfly } from '#test/harness/clients/mayfly-command.ts'
import { bearer, startTestServer } from '#test/harness/mayfly/start-test-server.ts'
import { saidBy } from '#test/harness/said-by.ts'
import { untilEnd } from '#test/harness/until-end.ts'

const site = await untilEnd(startTestServer({ isClockRunning: true }))

const OBEYED_MS_MAX = 5000

const mayfly = (...args: string[]) => runMayfly(args, { DATA_DIR: site.folder })

/** The reply to MAIL from this sender. */
async function replyToSender(from: string): Promise<string> {
  const socket = connect(site.app.smtpPort, '127.0.0.1')
  const heard = saidBy(socket)
  socket.write(`EHLO me\r\nMAIL FROM:<${from}>\r\nQUIT\r\n`)
  await once(socket, 'close')
  return heard().split('\r\n').at(-3) ?? ''
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const started = performance.now()
  while (!(await isSo())) {
    if (performance.now() - started > OBEYED_MS_MAX) throw new Error(`not obeyed within ${OBEYED_MS_MAX} ms`)
    await sleep(100)
  }
}

test('block add, list and remove take effect in the running server', async () => {
  expect(await mayfly('block', 'list')).toMatchObject({ code: 0, out: 'Nothing is blocked.\n' })
  expect(await mayfly('block', 'add', 'domain', 'spam.test', '--hours', '1')).toMatchObject({ code: 0, err: '' })
  await until(async () => (await replyToSender('x@spam.test')).startsWith('550 5.7.1'))
  const listed = await mayfly('block', 'list')
  expect(listed.out).toMatch(/^\d+ {2}domain {5}spam\.test {2}until \d{4}-/)
  expect((await mayfly('block', 'remove', listed.out.split(' ')[0] ?? '')).code).toBe(0)
  await until(async () => (await replyToSender('x@spam.test')).startsWith('250'))
  expect((await mayfly('block', 'remove', '999')).err).toContain('There is no block 999.')
  expect(await mayfly('block', 'add', 'network', '127.0.0.0/8')).toMatchObject({
    code: 1,
    err: 'This range holds the server itself.\n',
  })
  expect(await mayfly('block', 'add', 'colour', 'red')).toMatchObject({ code: 2, err: expect.stringContaining('no kind of block') })
})

test('what the state forbids is refused with its sentence and remedy alone', async () => {
  const err = 'mayfly.test is the only domain where people get addresses: add or offer another one first.\n'
  for (const action of ['pause', 'retire', 'remove'])
    expect(await mayfly('domain', action, 'mayfly.test')).toEqual({ code: 1, out: '', err })
})

test('address destroy and account suspend, resume and destroy take effect', async () => {
  const { email, token } = await site.createMailbox()
  expect(await mayfly('address', 'destroy', email)).toMatchObject({ code: 0, out: 'Destroyed.\n' })
  expect((await site.visitor(bearer(token)).ask('GET', routes.mailbox)).code).toBe('mailbox_not_found')
  expect((await mayfly('address', 'destroy', email)).code).toBe(4)
  await site.account('ann@example.com')
  const ann = site.visitor()
  expect((await mayfly('account', 'suspend', 'ann@example.com')).code).toBe(0)
  expect((await ann.signIn('ann@example.com')).code).toBe('account_suspended')
  expect((await mayfly('account', 'resume', 'ann@example.com')).code).toBe(0)
  expect((await ann.signIn('ann@example.com')).status).toBe(200)
  expect((await mayfly('account', 'destroy', 'ann@example.com')).code).toBe(0)
  expect(await ann.session()).toBeNull()
})

test('registration, difficulty and notice take effect, and the audit log lists every action without addresses', async () => {
  expect((await mayfly('registration', 'close')).code).toBe(0)
  await until(async () => (await site.signUp('late@example.com')).code === 'registration_closed')
  const texts = LANGUAGES.toReversed().flatMap(language => [`--${language}`, `Back soon (${language})`])
  expect((await mayfly('notice', 'set', ...texts)).code).toBe(0)
  const { out } = await mayfly('audit')
  for (const action of ['notice.set', 'registration.close', 'account.destroy', 'address.destroy', 'block.add domain spam.test']) {
    expect(out).toContain(action)
  }
  expect(out).not.toMatch(/ann@|@mayfly\.test/)
})

test('domain list says paused, as the command and the page do', async () => {
  expect(await mayfly('domain', 'add', 'second.test')).toMatchObject({ code: 0 })
  expect(await mayfly('domain', 'pause', 'second.test')).toMatchObject({ code: 0 })
  const again = { code: 0, out: 'Nothing changed: second.test was in that state already.\n' }
  expect(await mayfly('domain', 'pause', 'Second.test')).toMatchObject(again)
  expect((await mayfly('domain', 'list')).out).toMatch(/^second\.test {2}paused/m)
  expect((await mayfly('domain', 'list', '--json')).out).toMatch(/"name":"second\.test".*"state":"paused"/)
})
