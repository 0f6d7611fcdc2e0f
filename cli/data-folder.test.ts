/** Backups of a server that is running under load, and of one that is not, restored to another folder. */
import { execFileSync, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { KIB, MIB } from '#contract/limits.ts'
import { routes } from '#contract/routes.ts'
import { askServer } from '#server/operator/control.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { beside } from '#test/harness/beside.ts'
import { runMayfly } from '#test/harness/clients/mayfly-command.ts'
import { dotted, SmtpClient } from '#test/harness/clients/smtp-client.ts'
import { COMPILED_CODE } from '#test/harness/compiled-code.ts'
import { type RunningServer, startServerProcess } from '#test/harness/mayfly/start-server-process.ts'
import { canMount, mountSmallDisk } from '#test/harness/small-disk.ts'
import { newFolder } from '#test/harness/until-end.ts'
import { CommandError } from '../client/cli/exit-codes.ts'
import { fileRefusal } from './command.ts'
import { backup, restore } from './data-folder.ts'

const SENDERS = 6
const env = { BOT_CHECK: 'off', DNS_SERVERS: 'off', NETWORK_LIMIT_FACTOR: '1000', MAILBOX_MESSAGES_MAX: '10000' }

let folder: string
const at = (...names: string[]) => join(folder, ...names)
beforeEach(() => {
  folder = newFolder()
})

const mayfly = (args: readonly string[], dataDir = at('data'), more = {}, user = {}) =>
  runMayfly(args, { DATA_DIR: dataDir, ...more }, user)

/** The sentence with which the command would end, without a process of its own. */
async function refusalOf(work: ReturnType<typeof backup>, dataDir = at('data')): Promise<string> {
  const error: unknown = await work(readConfig({ DATA_DIR: dataDir }), () => undefined).catch(thrown => thrown)
  return fileRefusal(error) ?? (error instanceof CommandError ? error.message : `${error}`)
}

type Address = { readonly email: string; readonly token: string }

async function createAddress({ httpPort }: RunningServer): Promise<Address> {
  const headers = { 'content-type': 'application/json' }
  return await (await fetch(`http://127.0.0.1:${httpPort}${routes.mailboxes}`, { method: 'POST', body: '{}', headers })).json()
}

async function listSubjects({ httpPort }: RunningServer, { token }: Address): Promise<string[]> {
  const response = await fetch(`http://127.0.0.1:${httpPort}${routes.messages}`, { headers: { authorization: `Bearer ${token}` } })
  const { messages } = await response.json()
  return messages.map(({ subject }: { subject: string }) => subject)
}

/** Sends until told to stop; reports each acknowledged message. */
async function send(server: RunningServer, { email }: Address, acknowledged: (subject: string) => void, signal: AbortSignal) {
  await using client = await SmtpClient.connect(server.smtpPort)
  await client.play([['EHLO load.test', 250]])
  for (let no = 0; !signal.aborted; no++) {
    await client.play([
      ['MAIL FROM:<>', 250],
      [`RCPT TO:<${email}>`, 250],
      ['DATA', 354],
    ])
    client.send(dotted(`Subject: ${email} ${no}\r\n\r\n${'x'.repeat(20_000)}\r\n`))
    if ((await client.reply()).startsWith('250')) acknowledged(`${email} ${no}`)
    // The backup needs the processor too.
    await sleep(5)
  }
}

test('a folder that cannot be written is named in one sentence, with the user and the remedy', async () => {
  for (const name of ['data', 'closed']) mkdirSync(at(name))
  writeFileSync(at('data/mail.db'), '')
  chmodSync(at('closed'), 0o500)
  // The user of the command reads them whatever umask a server in this process has set.
  for (const path of [folder, at('data'), at('data/mail.db')]) chmodSync(path, 0o755)
  const user = process.getuid?.() === 0 ? { uid: 65_534 } : {}
  const mine = at('closed', 'mine')
  const { code, err } = await mayfly(['backup', mine], at('data'), {}, user)
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(/^The user [\w-]+ may not use (\S+): use \/var\/backups\/mayfly, or .* chown\.\n$/),
  ])
  expect(err).toContain(mine)
  const absent = await readFile(at('absent')).catch(error => error)
  expect(fileRefusal(absent)).toBe(`${at('absent')} does not exist and cannot be made: correct the path.`)
  const program = await once(spawn('/nowhere/git'), 'spawn').catch(error => error)
  expect(fileRefusal(program)).toBe('The program /nowhere/git cannot be run (ENOENT): install it.')
})

test.each([
  ['/proc/none', /^\/proc\/none does not exist and cannot be made: correct the path\.$/],
  ['/dev/null', /^\/dev\/null is not a folder: name another\.$/],
  ['/dev/null/below', /^\/dev\/null is not a folder: name another\.$/],
  [`/tmp/${'x'.repeat(300)}`, /^\/tmp\/x+ is too long for a path: choose a shorter one\.$/],
])('a backup to %s, which can never be written, ends with a sentence', async (place, sentence) => {
  mkdirSync(at('data'))
  writeFileSync(at('data/mail.db'), '')
  for (const values of [{}, { keep: '3' }]) expect(await refusalOf(backup({ args: [place], values }))).toMatch(sentence)
})

test('a backup under load contains everything acknowledged before it, and opens in another folder', { timeout: 120_000 }, async () => {
  const server = await startServerProcess({ dataDir: at('data'), env })
  const addresses = await Promise.all(Array.from({ length: SENDERS }, () => createAddress(server)))
  const acknowledged = new Set<string>()
  const senders = addresses.map(address => send.bind(undefined, server, address, (subject: string) => void acknowledged.add(subject)))
  const { code, out, err, before, during } = await beside(senders, async () => {
    await expect.poll(() => acknowledged.size, { timeout: 60_000 }).toBeGreaterThan(100)
    const before = [...acknowledged]
    const ended = await mayfly(['backup', at('backup'), '--with-secret'])
    return { ...ended, before, during: acknowledged.size - before.length }
  })
  await server.stop()
  expect([code, err]).toEqual([0, ''])
  expect(out).toMatch(/^mail\.db {2}\d+ bytes\nsite\.db {2}\d+ bytes\nThe backup is whole: .*\nIt holds the secret: .*\n$/)
  expect(during, 'mail came in while the backup was made').toBeGreaterThan(0)
  expect(readdirSync(at('backup')).sort()).toEqual(['backup.json', 'mail.db', 'secret', 'site.db'])

  const restored = await mayfly(['restore', at('backup')], at('other'))
  expect([restored.code, restored.err]).toEqual([0, ''])
  expect(restored.out).toMatch(
    /^.*other is what it was at 20.*Z\.\nAll are signed out\. .*\nThe secret came with the backup, .*\nNobody has checked .*\nThen start the server\.\n$/,
  )
  await using other = await startServerProcess({ dataDir: at('other'), env })
  const found = new Set((await Promise.all(addresses.map(address => listSubjects(other, address)))).flat())
  expect(before.filter(subject => !found.has(subject))).toEqual([])
})

test('a restore ends sessions and links, which may have been ended since, and mails nothing again but to the operator', {
  timeout: 120_000,
}, async () => {
  await (await startServerProcess({ dataDir: at('data'), env })).stop()
  const tables = ['sessions', 'verified_sessions', 'link_tokens', 'agent_sessions', 'outbox'] as const
  const count = (folder: string) => {
    using db = new DatabaseSync(at(folder, 'site.db'))
    return tables.map(table => db.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count)
  }
  const fill = new DatabaseSync(at('data', 'site.db'), { enableForeignKeyConstraints: false })
  fill.exec(`
    INSERT INTO sessions (id, token_hash, user_id, created_at, expires_at) VALUES ('s', 'h', 'u', 1, 9e15);
    INSERT INTO verified_sessions (token_hash, session_id, person, expires_at) VALUES ('h', 's', 'p', 9e15);
    INSERT INTO link_tokens (user_id, token_hash, expires_at) VALUES ('u', 'h', 9e15);
    INSERT INTO agent_sessions (id_hash, owner, used_at) VALUES ('h', 'o', 1);
    INSERT INTO outbox (sealed, attempts, is_retry, next_attempt_at, gives_up_at, contact_message_id, network, domain) VALUES
      ('link', 0, 0, 9e15, 9e15, NULL, '', ''), ('to the operator', 0, 0, 9e15, 9e15, 1, '', '')`)
  fill.close()
  expect(count('data')).toEqual([1, 1, 1, 1, 2])
  expect(await mayfly(['backup', at('backup'), '--with-secret'])).toMatchObject({ code: 0, err: '' })
  const { out } = await mayfly(['restore', at('backup')], at('other'))
  expect(out).toContain(
    'All are signed out. Passwords, passkeys, API keys and accounts are as they were then, also those that ended since.',
  )
  expect(count('other')).toEqual([0, 0, 0, 0, 1])
})

test('--keep names each backup by its time and keeps the newest ones; restore takes the newest', { timeout: 120_000 }, async () => {
  await using server = await startServerProcess({ dataDir: at('data'), env })
  const address = await createAddress(server)
  for (const name of ['2026-01-01T000000000Z', 'by-hand']) mkdirSync(at('backups', name), { recursive: true })
  for (const _ of [1, 2, 3]) expect((await mayfly(['backup', at('backups'), '--keep', '2', '--with-secret'])).code).toBe(0)
  const names = readdirSync(at('backups')).sort()
  expect(names).toEqual([expect.stringMatching(/^20\S+Z$/), expect.stringMatching(/^20\S+Z$/), 'by-hand'])
  cpSync(at('backups', names[1] ?? ''), at('ahead', '2099-01-01T000000000Z'), { recursive: true })
  expect((await mayfly(['backup', at('ahead'), '--keep', '1', '--with-secret'])).code).toBe(0)
  expect(readdirSync(at('ahead')), 'the one just made stays, whatever the clock said before').toHaveLength(2)
  writeFileSync(at('backups', names[0] ?? '', 'backup.json'), 'not this one')
  expect((await mayfly(['restore', at('backups')], at('other'))).code).toBe(0)
  await using other = await startServerProcess({ dataDir: at('other'), env })
  expect(await listSubjects(other, address)).toEqual([])
  for (const keep of ['0', 'x', '']) expect(() => backup({ args: [at('wrong')], values: { keep } })).toThrow('--keep takes the number')
})

test('a backup contains ACME certificates and the account key, restored for their owner only', { timeout: 120_000 }, async () => {
  const authority = at('data', 'acme', 'acme.example-dir')
  mkdirSync(authority, { recursive: true })
  const files = { 'account.pem': 'account key', 'mayfly.example.pem': 'certificate and key', 'attempts.json': '{}' }
  for (const [name, content] of Object.entries(files)) writeFileSync(join(authority, name), content)
  writeFileSync(join(authority, 'mayfly.example.pem.new'), 'half')
  // Left there by others: no part of it.
  for (const stray of [at('data', 'acme', 'notes.txt'), join(authority, '.nfs0001')]) writeFileSync(stray, 'stray')
  await using server = await startServerProcess({ dataDir: at('data'), env })
  const backedUp = await mayfly(['backup', at('backup')])
  expect([backedUp.code, backedUp.err]).toEqual([0, ''])
  expect(backedUp.out).toContain('It holds the private keys of the certificates')
  const parts = ['mail.db', 'site.db', 'backup.json', ...Object.keys(files).map(name => join('acme/acme.example-dir', name))]
  expect(parts.filter(name => (statSync(at('backup', name)).mode & 0o777) !== 0o600)).toEqual([])
  await server.stop()

  const restored = await mayfly(['restore', at('backup')], at('other'))
  expect([restored.code, restored.err]).toEqual([0, ''])
  const found = at('other', 'acme', 'acme.example-dir')
  expect(Object.fromEntries(readdirSync(found).map(name => [name, readFileSync(join(found, name), 'utf8')]))).toEqual(files)
  for (const name of Object.keys(files)) expect(statSync(join(found, name)).mode & 0o777).toBe(0o600)
  expect(statSync(found).mode & 0o777).toBe(0o700)

  const manifest = at('backup', 'backup.json')
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('acme/acme.example-dir/account.pem', 'acme/../../stolen.pem'))
  const outside = await mayfly(['restore', at('backup')], at('third'))
  expect([outside.code, outside.err]).toEqual([1, expect.stringContaining('is not what was backed up')])
})

test('a backup without the secret says how to restore it, and only the right secret is accepted', {
  timeout: 120_000,
}, async () => {
  const server = await startServerProcess({ dataDir: at('data'), env })
  const address = await createAddress(server)
  await server.kill9()
  expect(existsSync(at('data', 'control.json')), 'left by the kill').toBe(true)
  const backedUp = await mayfly(['backup', at('backup')])
  expect([backedUp.code, backedUp.err]).toEqual([0, ''])
  expect(backedUp.out).toContain(
    `The secret is not in it. Keep ${at('data', 'secret')} somewhere else: without it the backup opens nothing.`,
  )
  expect(readdirSync(at('backup')).sort()).toEqual(['backup.json', 'mail.db', 'site.db'])

  const wrong = await mayfly(['restore', at('backup')], at('other'), { SECRET: 'another secret that is long enough to be one' })
  expect([wrong.code, wrong.out]).toEqual([1, ''])
  expect(wrong.err).toBe(
    'Nothing was restored. backup.json is not what was backed up with this secret: it belongs to another one, or somebody altered it. ' +
      'Set the right secret, or restore another backup.\n',
  )
  expect(readdirSync(at('other'))).toEqual([])

  const restored = await mayfly(['restore', at('backup')], at('other'))
  expect(restored.out).toContain(`put the old one into ${at('other', 'secret')} (mode 0600) or set SECRET.`)
  expect(statSync(at('other', 'mail.db')).mode & 0o777).toBe(0o600)
  const SECRET = readFileSync(at('data', 'secret'), 'utf8').trim()
  await using other = await startServerProcess({ dataDir: at('other'), env: { ...env, SECRET } })
  expect(await listSubjects(other, address)).toEqual([])
})

test('nothing is overwritten, and an incomplete backup is refused', { timeout: 120_000 }, async () => {
  await using server = await startServerProcess({ dataDir: at('data'), env })
  expect((await mayfly(['backup', at('backup')])).code).toBe(0)
  expect(await mayfly(['backup', at('backup')])).toMatchObject({
    code: 1,
    err: `${at('backup')} is not empty: name a new folder for each backup.\n`,
  })
  expect((await mayfly(['restore', at('backup')])).err).toBe(
    `A server is running on ${at('data')}. Stop it, and name an empty folder in DATA_DIR.\n`,
  )
  await server.stop()
  expect((await mayfly(['restore', at('backup')])).err).toMatch(/^The data folder .* is not empty\. Move it away, or name an empty one/)
  truncateSync(at('backup', 'mail.db'), 1000)
  expect((await mayfly(['restore', at('backup')], at('other'))).err).toMatch(
    /mail\.db is not what was backed up: it should have \d+ bytes\.\n$/,
  )
  rmSync(at('backup', 'backup.json'))
  expect((await mayfly(['restore', at('backup')], at('other'))).err).toBe(
    `${at('backup')} is not a finished backup: it has no backup.json.\n`,
  )
  expect((await mayfly(['backup', at('again')], at('nowhere'))).err).toMatch(/^The data folder .*nowhere has no mail\.db\./)
})

const LONG_BYTES = 1024 ** 3

test('a restore that was killed half-way starts no server, and the next one starts over', { timeout: 120_000 }, async () => {
  const server = await startServerProcess({ dataDir: at('data'), env })
  await server.stop()
  expect((await mayfly(['token', 'create', 'kept'])).code).toBe(0)
  expect((await mayfly(['backup', at('backup'), '--with-secret'])).code).toBe(0)
  // Whoever copies it takes a second, although nothing of it is on the disk.
  cpSync(at('backup'), at('stuck'), { recursive: true })
  truncateSync(at('stuck', 'site.db'), LONG_BYTES)
  const manifest = JSON.parse(readFileSync(at('backup', 'backup.json'), 'utf8'))
  const files = manifest.files.map((file: { name: string }) => (file.name === 'site.db' ? { ...file, bytes: LONG_BYTES } : file))
  writeFileSync(at('stuck', 'backup.json'), JSON.stringify({ ...manifest, files }))
  const child = spawn(process.execPath, [join(import.meta.dirname, 'mayfly.ts'), 'restore', at('stuck'), '--unchecked'], {
    env: { ...COMPILED_CODE, PATH: process.env.PATH, DATA_DIR: at('other') },
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  await expect.poll(() => existsSync(at('other', 'mail.db')), { timeout: 30_000, interval: 5 }).toBe(true)
  child.kill('SIGKILL')
  await ended

  const allowLog = [/A restore into .* has not finished/]
  await expect(startServerProcess({ dataDir: at('other'), env, allowLog })).rejects.toThrow(
    /A restore into \S+other has not finished\. Run .*mayfly restore.* with the backup once more/,
  )
  for (const args of [
    ['backup', at('again')],
    ['token', 'list'],
  ])
    expect(await mayfly(args, at('other'))).toMatchObject({ code: 1, err: expect.stringContaining('has not finished') })
  expect(existsSync(at('other', 'site.db'))).toBe(false)
  expect(await mayfly(['restore', at('backup')], at('other'))).toMatchObject({ code: 0, err: '' })
  expect(readdirSync(at('other')).sort()).toEqual(['mail.db', 'secret', 'site.db'])
  expect((await mayfly(['token', 'list'], at('other'))).out).toContain('kept')
  await using _ = await startServerProcess({ dataDir: at('other'), env })
})

test('a server that is killed during a backup leaves nothing that is in the way of the next', { timeout: 120_000 }, async () => {
  const server = await startServerProcess({ dataDir: at('data'), env })
  const { email } = await createAddress(server)
  await using client = await SmtpClient.connect(server.smtpPort)
  await client.play([['EHLO load.test', 250]])
  for (let no = 0; no < 3; no++) {
    await client.play([
      ['MAIL FROM:<>', 250],
      [`RCPT TO:<${email}>`, 250],
      ['DATA', 354],
    ])
    // Nothing that could be compressed: the copy takes long enough to be interrupted.
    client.send(
      dotted(
        `Subject: ${no}\r\n\r\n${randomBytes(4 * MIB)
          .toString('base64')
          .replaceAll(/.{76}/g, '$&\r\n')}\r\n`,
      ),
    )
    expect(await client.reply()).toMatch(/^250/)
  }
  await server.stop()
  // A copy that ends before this busy process hears of its beginning is made again.
  let result = { code: 0, err: '' }
  while (result.code === 0) {
    await using copying = await startServerProcess({ dataDir: at('data'), env })
    rmSync(at('backup'), { recursive: true, force: true })
    mkdirSync(at('backup'))
    const watcher = watch(at('backup'), (_, name) => {
      if (name === 'mail.db-journal') void copying.kill9()
    })
    result = await mayfly(['backup', at('backup')])
    watcher.close()
    await copying.kill9()
  }
  const { code, err } = result
  expect([code, err]).toEqual([1, expect.stringMatching(/mail\.db: The server ended before it was done\. Its user needs/)])
  expect(readdirSync(at('backup'))).toEqual([])
  expect(await mayfly(['backup', at('backup')])).toMatchObject({ code: 0, err: '' })
})

test('of several backups into one folder at once, one is whole and the others are refused', { timeout: 120_000 }, async () => {
  const server = await startServerProcess({ dataDir: at('data'), env })
  await server.stop()
  const SECRET = readFileSync(at('data', 'secret'), 'utf8').trim()
  for (const name of ['first', 'second']) {
    const ends = await Promise.all(Array.from({ length: 4 }, () => mayfly(['backup', at(name)])))
    const refused = { code: 1, out: '', err: `${at(name)} is not empty: name a new folder for each backup.\n` }
    expect(ends.filter(({ code }) => code !== 0)).toEqual([refused, refused, refused])
    expect(readdirSync(at(name)).sort()).toEqual(['backup.json', 'mail.db', 'site.db'])
    expect(await mayfly(['restore', at(name)], at(`from-${name}`), { SECRET })).toMatchObject({ code: 0, err: '' })
  }
})

test('on a cluster both commands are refused, and say where mail and accounts are', { timeout: 60_000 }, async () => {
  const settings = { MAIL_STORE_URL: 'redis://127.0.0.1:1' }
  const refusal = async (command: string, more = {}) => (await mayfly([command, at('backup')], at('data'), { ...settings, ...more })).err
  const shared = { DATABASE_URL: 'postgres://me@127.0.0.1:1/mayfly' }
  expect(await refusal('backup', shared)).toMatch(/^Mail is in the cluster .* Accounts are in PostgreSQL: back them up with pg_dump\.\n$/)
  expect(await refusal('backup')).toContain(`Accounts are in ${at('data', 'site.db')}: copy it while no server runs.`)
  expect(await refusal('restore', shared)).toMatch(/^Mail is in the cluster .* Restore accounts with pg_restore or psql\.\n$/)
})

test('what a backup names is a file: a link to another one, or a pipe that never ends, is refused', async () => {
  mkdirSync(at('hostile'))
  writeFileSync(at('somebodys.txt'), 'secret')
  symlinkSync(at('somebodys.txt'), at('hostile', 'mail.db'))
  execFileSync('mkfifo', [at('hostile', 'site.db')])
  for (const [name, bytes] of [
    ['mail.db', 6],
    ['site.db', 0],
  ] as const) {
    writeFileSync(at('hostile/backup.json'), JSON.stringify({ version: '1', takenAt: 'x', files: [{ name, bytes }] }))
    const sentence = await refusalOf(restore({ args: [at('hostile')], values: {} }), at('other'))
    expect(sentence).toContain(`${name} is not what was backed up`)
  }
  rmSync(at('hostile/backup.json'))
  execFileSync('mkfifo', [at('hostile/backup.json')])
  expect(await refusalOf(restore({ args: [at('hostile')], values: {} }), at('other'))).toContain('backup.json is damaged')
})

test.each([
  ['mail.db', 'CREATE TRIGGER hidden AFTER INSERT ON about BEGIN SELECT 1; END', 'trigger hidden'],
  ['site.db', 'CREATE VIEW hidden AS SELECT 1', 'view hidden'],
  [
    'site.db',
    `CREATE TRIGGER hidden AFTER INSERT ON contact_messages BEGIN SELECT 1; END;
     PRAGMA writable_schema = ON; UPDATE sqlite_schema SET type = 'Trigger' WHERE name = 'hidden'; PRAGMA writable_schema = RESET`,
    'trigger hidden',
  ],
  ['mail.db', 'CREATE VIRTUAL TABLE hidden USING fts5(words)', 'table hidden'],
])('a backup whose %s has code of somebody else is refused', { timeout: 60_000 }, async (name, sql, found) => {
  await using server = await startServerProcess({ env: { ...env, DATA_DIR: at('data') } })
  expect(await mayfly(['backup', at('backup')])).toMatchObject({ code: 0 })
  await server.stop()
  const db = new DatabaseSync(at('backup', name), { defensive: false })
  db.exec(sql)
  db.close()
  const manifest = JSON.parse(readFileSync(at('backup', 'backup.json'), 'utf8'))
  for (const file of manifest.files) file.bytes = statSync(at('backup', file.name)).size
  writeFileSync(at('backup', 'backup.json'), JSON.stringify(manifest))
  const refused = await mayfly(['restore', at('backup'), '--unchecked'], at('restored'))
  expect(refused).toMatchObject({ code: 1 })
  expect(refused.err).toContain(
    `${name} has a ${found}, which no version of this program makes: somebody altered it. Restore another backup.`,
  )
  expect(readdirSync(at('restored'))).toEqual([])
})

test('a row that somebody altered, and a proof that somebody left out or wrote anew, are refused', { timeout: 120_000 }, async () => {
  await using server = await startServerProcess({ env: { ...env, DATA_DIR: at('data') } })
  expect(await mayfly(['backup', at('backup')])).toMatchObject({ code: 0 })
  await server.stop()
  const SECRET = readFileSync(at('data', 'secret'), 'utf8').trim()
  const restore = (...flags: string[]) => mayfly(['restore', at('backup'), ...flags], at('restored'), { SECRET })
  const db = new DatabaseSync(at('backup', 'site.db'))
  db.exec("INSERT INTO api_tokens (name, sha256, created_at) VALUES ('planted', '00', 0)")
  db.close()
  expect(await restore()).toMatchObject({
    code: 1,
    err: expect.stringContaining('site.db is not what was backed up: somebody altered it.'),
  })
  const manifest = JSON.parse(readFileSync(at('backup', 'backup.json'), 'utf8'))
  for (const file of manifest.files)
    file.sha256 = createHash('sha256')
      .update(readFileSync(at('backup', file.name)))
      .digest('hex')
  writeFileSync(at('backup', 'backup.json'), JSON.stringify(manifest))
  expect(await restore()).toMatchObject({ code: 1, err: expect.stringContaining('backup.json is not what was backed up') })
  writeFileSync(at('backup', 'backup.json'), JSON.stringify({ ...manifest, mac: undefined }))
  expect(await restore()).toMatchObject({
    code: 1,
    err: expect.stringContaining('backup.json has no proof that it was made with this secret'),
  })
  expect(readdirSync(at('restored'))).toEqual([])
  const unchecked = await restore('--unchecked')
  expect([unchecked.code, unchecked.out]).toEqual([0, expect.stringContaining('Nobody has checked whether somebody altered this backup')])
})

test('no file is copied or opened before the proof of their list is checked', async () => {
  mkdirSync(at('backup'))
  writeFileSync(at('backup', 'mail.db'), 'no database')
  const files = [{ name: 'mail.db', bytes: 11 }]
  writeFileSync(at('backup', 'backup.json'), JSON.stringify({ version: '1', takenAt: 'x', files, mac: '00' }))
  const restored = mayfly(['restore', at('backup')], at('restored'), { SECRET: 'a secret that is long enough to be one' })
  expect(await restored).toMatchObject({ code: 1, err: expect.stringContaining('backup.json is not what was backed up with this secret') })
  expect(readdirSync(at('restored'))).toEqual([])
})

test('a folder that is no backup, or whose list of files is damaged, is named as that', async () => {
  expect(await mayfly(['restore', at('nowhere')])).toEqual({ code: 1, out: '', err: `There is no folder ${at('nowhere')}.\n` })
  mkdirSync(at('backup'))
  for (const [text, sentence] of [
    ['{', /backup\.json is damaged: restore another backup\.$/],
    ['null', /is damaged/],
    ['{"version":"1","takenAt":"x","files":[{"name":"mail.db","bytes":"x"}]}', /is damaged/],
    [
      '{"version":"1","takenAt":"x","files":[{"name":"\\u001b[2J\\u009b1m\\nx","bytes":1}]}',
      /names \uFFFD\[2J\uFFFD1m x, which is not what/,
    ],
    ['{"version":"1","takenAt":"x","files":[{"name":"../x.db","bytes":1}]}', /names \.\.\/x\.db, which is not what/],
  ] as const) {
    writeFileSync(at('backup/backup.json'), text)
    const said = await refusalOf(restore({ args: [at('backup')], values: {} }), at('other'))
    expect(said, text).toMatch(sentence)
    expect(said).not.toContain('\n')
  }
})

test('a copy that belongs to another user is reported as that', async () => {
  mkdirSync(at('backup'))
  writeFileSync(
    at('backup', 'backup.json'),
    JSON.stringify({ version: '0.1.0', takenAt: '2026-11-23T00:00:00.000Z', files: [{ name: 'mail.db', bytes: 1 }] }),
  )
  writeFileSync(at('backup', 'mail.db'), 'x')
  for (const path of [at(), at('backup')]) chmodSync(path, 0o755)
  for (const name of ['mail.db', 'backup.json']) chmodSync(at('backup', name), 0o644)
  // The folder for temporary files may be closed to others.
  const around = dirname(at())
  chmodSync(around, (statSync(around).mode & 0o7777) | 0o011)
  // Root may read everything.
  const user = process.getuid?.() === 0 ? { uid: 65_534 } : {}
  for (const name of ['mail.db', 'backup.json']) {
    chmodSync(at('backup', name), 0)
    const { code, err } = await mayfly(['restore', at('backup')], at('other'), {}, user)
    const sentence = `Cannot read ${at('backup', name)}: it belongs to another user. As root: chown -R mayfly:mayfly ${at('backup')}\n`
    expect([code, err]).toEqual([1, sentence])
  }
})

test.skipIf(!canMount)(
  'a disk that is too small for the backup is reported, and nothing is left on it (needs root that may mount)',
  async () => {
    await using _ = await startServerProcess({ dataDir: at('data'), env })
    using _disk = mountSmallDisk(at('disk'), 64 * KIB)
    const { code, out, err } = await mayfly(['backup', at('disk', 'backup')])
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(
      /^The server could not write .*\/disk\/backup\/mail\.db: .+\. Its user needs the right to write there, and room\.\n$/,
    )
    expect(readdirSync(at('disk', 'backup'))).toEqual([])
  },
)

test('a server that cannot be reached is not copied directly, and the control port requires its key', { timeout: 60_000 }, async () => {
  await using server = await startServerProcess({ dataDir: at('data'), env })
  expect(statSync(at('data', 'control.json')).mode & 0o777).toBe(0o600)
  const endpoint = JSON.parse(readFileSync(at('data', 'control.json'), 'utf8'))
  mkdirSync(at('liar'))
  writeFileSync(at('liar', 'control.json'), JSON.stringify({ ...endpoint, key: 'x'.repeat(43) }))
  expect(await askServer(at('liar'), { copyMailTo: at('stolen') })).toEqual({ failure: 'The key is not that of this server.' })
  expect(existsSync(at('stolen'))).toBe(false)
  rmSync(at('data', 'control.json'))
  const { code, err } = await mayfly(['backup', at('backup')])
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(/mail\.db is in use by a server that cannot be asked from here\. Run this on the machine/),
  ])
  expect(readdirSync(at('backup'))).toEqual([])
  expect(await server.stop()).toBe(0)
})
