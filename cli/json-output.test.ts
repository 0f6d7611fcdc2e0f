/** `--json`: what every command prints for programs, and its exit codes. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LANGUAGES, perLanguage } from '#contract/languages.ts'
import { routes } from '#contract/routes.ts'
import { runMayfly } from '#test/harness/clients/mayfly-command.ts'
import { receive } from '#test/harness/mayfly/start-mail.ts'
import { startTestServer } from '#test/harness/mayfly/start-test-server.ts'
import { untilEnd } from '#test/harness/until-end.ts'

const site = await untilEnd(startTestServer())

const mayfly = (args: readonly string[], env = {}) => runMayfly(args, { DATA_DIR: site.folder, ...env })

const lines = ({ out }: { readonly out: string }) =>
  out
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))
const json = async (...args: string[]) => {
  const ended = await mayfly([...args, '--json'])
  expect([ended.code, ended.err], ended.out).toEqual([0, ''])
  return lines(ended)
}

test('with --json each command prints one object per line', async () => {
  const form = {
    name: 'Json "quoted"',
    email: 'ada@example.com',
    subject: 'As JSON',
    message: 'The first line\nand the second',
    language: 'en',
  }
  expect((await site.visitor().post(routes.contact, form)).status).toBe(202)
  const [head] = await json('contact', 'list')
  expect(head).toMatchObject({
    id: expect.any(Number),
    isRead: false,
    name: 'Json "quoted"',
    email: 'ada@example.com',
    subject: 'As JSON',
  })
  const whole = { ...head, isRead: true, message: 'The first line\nand the second', language: 'en' }
  expect(await json('contact', 'read', String(head.id))).toEqual([whole])
  expect((await json('contact', 'export')).at(-1)).toEqual(whole)
  expect(await json('contact', 'delete', String(head.id))).toEqual([{ deleted: head.id }])
  const envelope = {
    from: 'reporter@example.net',
    recipients: ['abuse@mayfly.test'],
    clientAddress: '192.0.2.1',
    helo: 'x',
    isEncrypted: false,
  }
  expect(await receive(site.app.mail, envelope, Buffer.from('Subject: as json\r\n\r\nx\r\n'))).toBe('delivered')
  const [mail] = await json('operator-mail', 'list')
  expect(mail).toMatchObject({ isRead: false, from: 'reporter@example.net', recipient: 'abuse@mayfly.test' })
  const [read] = await json('operator-mail', 'read', String(mail.id))
  expect(Buffer.from(read.base64, 'base64').toString()).toContain('Subject: as json')
  const [{ id }] = await json('block', 'add', 'domain', 'spam.test')
  const block = { id, kind: 'domain', value: 'spam.test', endsAt: null }
  expect(await json('block', 'list')).toEqual([block])
  expect(await json('block', 'remove', String(id))).toEqual([{ removed: id }])
  expect(await json('block', 'list')).toEqual([])
  expect(await json('report', 'list')).toEqual([])
  const { email } = await site.createMailbox()
  expect(await json('address', 'destroy', email)).toEqual([{ destroyed: email }])
  await site.account('json@example.com')
  expect(await json('account', 'suspend', 'json@example.com')).toEqual([{ email: 'json@example.com', isSuspended: true }])
  expect(await json('account', 'resume', 'json@example.com')).toEqual([{ email: 'json@example.com', isSuspended: false }])
  expect(await json('registration', 'close')).toEqual([{ isRegistrationOpen: false }])
  expect(await json('registration', 'open')).toEqual([{ isRegistrationOpen: true }])
  expect(await json('difficulty', 'set', '2')).toEqual([{ difficulty: 2 }])
  expect(await json('difficulty', 'set', '1')).toEqual([{ difficulty: 1 }])
  const notice = perLanguage(language => `Hello (${language})`)
  expect(await json('notice', 'set', ...LANGUAGES.flatMap(language => [`--${language}`, notice[language]]))).toEqual([{ notice }])
  expect(await json('notice', 'clear')).toEqual([{ notice: null }])
  expect((await json('audit'))[0]).toMatchObject({ at: expect.stringMatching(/Z$/), action: 'notice.clear' })
  expect(await json('stats')).toEqual([{ rows: expect.objectContaining({ users: expect.any(Number) }), views: expect.any(Object) }])
  const [token] = await json('token', 'new', 'ci')
  expect(token.setting).toBe(`API_TOKENS=ci:${createHash('sha256').update(token.token).digest('hex')}`)
  const folder = join(site.folder, 'backup-json')
  const [backup] = await json('backup', folder)
  expect(backup).toMatchObject({
    folder,
    holdsSecret: false,
    files: expect.arrayContaining([{ name: 'mail.db', bytes: expect.any(Number), sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }]),
  })
  const restored = await mayfly(['restore', folder, '--json'], { DATA_DIR: join(site.folder, 'restored') })
  expect(lines(restored)).toEqual([{ dataDir: join(site.folder, 'restored'), takenAt: backup.takenAt, needsSecret: true }])
}, 240_000)

test.each([
  [['contact', 'read', '4711'], 4, 'not_found', /no contact message 4711/],
  [['address', 'destroy', 'nobody@mayfly.test'], 4, 'not_found', /No live address/],
  [['account', 'destroy', 'nobody@example.com'], 4, 'not_found', /no such account/],
  [['operator', 'reset', 'nobody@example.com'], 4, 'not_found', /second factor/],
  [['explode'], 2, 'usage', /no command "explode"/],
  [['restore', '/nowhere'], 1, 'failed', /There is no folder \/nowhere/],
])('%j fails with an object on standard error', async (args, exitCode, code, message) => {
  const { code: ended, out, err } = await mayfly(['--json', ...args])
  expect([ended, out]).toEqual([exitCode, ''])
  expect(JSON.parse(err)).toEqual({ error: { code, message: expect.stringMatching(message) } })
})

test('commands that need a running server exit with 5 without one', async () => {
  const folder = join(site.folder, 'stopped')
  const stopped = await startTestServer({ env: { DATA_DIR: folder } })
  await stopped[Symbol.asyncDispose]()
  const { code, err } = await mayfly(['address', 'destroy', 'a@mayfly.test'], { DATA_DIR: folder })
  expect([code, err]).toEqual([5, expect.stringContaining('Start it first.')])
})
