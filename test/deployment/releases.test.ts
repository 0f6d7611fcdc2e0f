/** Every released data folder opens in this version: its mail opens with its token, and its account can sign in. */
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { routes } from '#contract/routes.ts'
import { migrations } from '#server/database/migrations.ts'
import { currentFormats, siteFormat } from '#server/platform/formats.ts'
import { version } from '#server/platform/installation.ts'
import { FIRST_FORMAT, MIGRATIONS } from '#server/store/sqlite/migrations.ts'
import { newFolder } from '#test/harness/until-end.ts'
import { SmtpClient } from '../harness/clients/smtp-client.ts'
import { startServerProcess } from '../harness/mayfly/start-server-process.ts'

const releases = join(import.meta.dirname, '../fixtures/releases')
const released = readdirSync(releases, { withFileTypes: true }).flatMap(entry => (entry.isDirectory() ? [entry.name] : []))

type Made = { email: string; token: string; account: { email: string; password: string }; raw: string }

test.for(released)('the data folder of %s opens with everything in it', async release => {
  const dataDir = newFolder()
  cpSync(join(releases, release), dataDir, { recursive: true })
  const made: Made = JSON.parse(readFileSync(join(dataDir, 'made.json'), 'utf8'))
  await using server = await startServerProcess({ dataDir, env: { BOT_CHECK: 'off', NETWORK_LIMIT_FACTOR: '1000' } })
  const origin = `http://127.0.0.1:${server.httpPort}`
  const headers = { authorization: `Bearer ${made.token}` }
  const mailbox = await fetch(origin + routes.mailbox, { headers })
  expect([mailbox.status, (await mailbox.json()).email]).toEqual([200, made.email])
  const { messages } = await (await fetch(origin + routes.messages, { headers })).json()
  expect(messages).toEqual([expect.objectContaining({ subject: 'Kept over every upgrade', codes: ['482913'] })])
  const message = `${origin}${routes.messages}/${messages[0].id}`
  expect(await (await fetch(message, { headers })).json()).toMatchObject({ text: expect.stringContaining('Your code is 482913.') })
  expect(await (await fetch(`${message}/raw`, { headers })).text()).toBe(made.raw)
  const signIn = await fetch(origin + routes.authSignIn, {
    method: 'POST',
    body: JSON.stringify(made.account),
    headers: { 'content-type': 'application/json' },
  })
  expect(signIn.status).toBe(200)
  const domains = (await (await fetch(origin + routes.config)).json()).domains
  expect(domains, 'it keeps the domain that it was made with').toEqual([made.email.split('@')[1]])
})

test('a new data folder gets the default domain of this version', async () => {
  await using server = await startServerProcess({ env: { BOT_CHECK: 'off' } })
  const origin = `http://127.0.0.1:${server.httpPort}`
  const domain = 'in.example.com'
  expect(await (await fetch(origin + routes.config)).json()).toMatchObject({ domains: [domain], supportEmail: `support@${domain}` })
  const headers = { 'content-type': 'application/json' }
  const created = await (await fetch(origin + routes.mailboxes, { method: 'POST', headers, body: '{}' })).json()
  expect(created.email).toMatch(/@in\.example\.com$/)
  await using client = SmtpClient.open(server.smtpPort)
  expect(await client.reply()).toMatch(/^220 in\.example\.com /)
})

test('the fixture of this version has the format of this version', () => {
  const remedy =
    'the tables changed since the fixture was made: run node scripts/run.mjs --dev test/fixtures/releases/make-fixture.ts before the release'
  expect(existsSync(join(releases, version)), remedy).toBe(true)
  const all = <Row>(name: string, query: string) => {
    const db = new DatabaseSync(`file:${join(releases, version, name)}?immutable=1`, { readOnly: true })
    const rows = db.prepare(query).all() as Row[]
    db.close()
    return rows
  }
  expect(all('mail.db', 'PRAGMA user_version'), remedy).toEqual([{ user_version: FIRST_FORMAT + MIGRATIONS.length }])
  const steps = all<{ name: string }>('site.db', 'SELECT name FROM kysely_migration ORDER BY name').map(({ name }) => name)
  expect(steps, remedy).toEqual(Object.keys(migrations('sqlite')))
})

test('a format that moves moves the version too, and the changelog has it', () => {
  const written = { mail: FIRST_FORMAT + MIGRATIONS.length, site: siteFormat(Object.keys(migrations('sqlite'))) }
  const remedy = 'raise the version in package.json, and add it with its formats to server/platform/formats.ts'
  expect(currentFormats(), remedy).toMatchObject(written)
  const changelog = readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8')
  expect(changelog).toMatch(new RegExp(`^## ${RegExp.escape(version)} `, 'm'))
})
