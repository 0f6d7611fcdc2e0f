/** Every start that cannot work, from outside: what the server writes to standard error, and its exit code. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routes } from '#contract/routes.ts'
import { currentFormats } from '#server/platform/formats.ts'
import { version } from '#server/platform/installation.ts'
import { openCluster } from '#server/store/valkey/client/open-cluster.ts'
import { OWN_ACCOUNTS } from '#test/harness/heard-log.ts'
import { serverBuilt } from '#test/harness/mayfly/build-server.ts'
import { startServerProcess } from '#test/harness/mayfly/start-server-process.ts'
import { findPostgres, type Postgres, query, startPostgres } from '#test/harness/servers/postgres.ts'
import { findRedis, startRedis, startRedisCluster } from '#test/harness/servers/redis-cluster.ts'
import { newFolder } from '#test/harness/until-end.ts'

const root = resolve(import.meta.dirname, '../..')

let dataDir: string
beforeAll(serverBuilt)
beforeEach(() => {
  dataDir = newFolder()
})

async function run(script: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  const base = { PATH: process.env.PATH, HTTP_PORT: '0', SMTP_PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataDir, LOG_LEVEL: 'warn' }
  const child = spawn(process.execPath, [script, ...args], { cwd: root, env: { ...base, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code, out, err }
}

/** The one thing a refused start says. */
async function refusal(env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { code, out, err } = await run('dist/server/main.js', [], env)
  expect([code, out]).toEqual([1, ''])
  expect(err, 'no stack trace').not.toMatch(/\n\s+at /)
  expect(err.endsWith('\n')).toBe(true)
  return err.trimEnd()
}

async function startOnce(env: Readonly<Record<string, string>> = {}): Promise<void> {
  await using _ = await startServerProcess({ dataDir, env })
}

function sql(name: string, statements: string): void {
  const db = new DatabaseSync(join(dataDir, name))
  db.exec(statements)
  db.close()
}

test('everything wrong with the configuration is in one message, and variables of other programs are not', async () => {
  const mistakes = { HTTP_PORT: 'x', MAIL_DOMAIN: 'a.example', BOT_CHECK: 'recaptcha', TLS_CERT: 'cert.pem', CONTACT_TO: 'me@a.example' }
  const others = {
    HOME: '/root',
    HOSTNAME: 'box',
    HTTP_PROXY: 'http://proxy',
    SSL_CERT_FILE: '/etc/ssl/cert.pem',
    npm_config_cache: '/tmp',
  }
  expect(await refusal({ ...mistakes, ...others })).toBe(
    `The configuration cannot be used:
  - HTTP_PORT must be a whole number from 0 to 65535, or an address and a port, e.g. 127.0.0.1:8080 or [::1]:8080
  - MAIL_DOMAIN is not a variable of this server: did you mean MAIL_DOMAINS?
  - CONTACT_TO is set, but without SMTP_RELAY_URL nothing can be sent there: set both, or leave it out
  - TLS_CERT is set, but without TLS_KEY there is no private key for it: set both, or leave it out
  - BOT_CHECK is recaptcha, so RECAPTCHA_SITE_KEY and RECAPTCHA_SECRET must both be set`,
  )
})

test('a second process on one folder is refused', async () => {
  await using _ = await startServerProcess({ dataDir })
  expect(await refusal()).toBe(`Another process is using ${join(dataDir, 'mail.db')}. Stop it, or set DATA_DIR to another folder.`)
})

test('of three simultaneous first starts on one folder one succeeds, and the others are refused', async () => {
  const starts = await Promise.allSettled([1, 2, 3].map(() => startServerProcess({ dataDir })))
  const refusals = starts.filter(start => start.status === 'rejected').map(({ reason }) => String(reason))
  for (const start of starts) if (start.status === 'fulfilled') await start.value.stop()
  const sentence = `Another process is using ${join(dataDir, 'mail.db')}. Stop it, or set DATA_DIR to another folder.`
  expect(refusals).toEqual([expect.stringContaining(sentence), expect.stringContaining(sentence)])
  expect(readdirSync(dataDir).filter(name => name.endsWith('.new'))).toEqual([])
  await startOnce()
})

/** Returns the checksum of every file in the data folder. */
const checksums = () =>
  Object.fromEntries(
    readdirSync(dataDir).map(name => [
      name,
      createHash('sha256')
        .update(readFileSync(join(dataDir, name)))
        .digest('hex'),
    ]),
  )

describe('formats that this version does not know', () => {
  const { mail, site, cluster } = currentFormats()
  const newer = (place: string, format: number, known: number | undefined, writer: string) =>
    `${place} is in format ${format}, written by ${writer}, and this is version ${version}, which writes format ${known}. Nothing was changed. ` +
    'Start that version or a later one, or restore the backup that was made before the upgrade.'
  const between = (place: string, format: number, known: number | undefined) =>
    `${place} is in format ${format}, written by a build between two releases, and this is version ${version}, which writes format ${known}. Nothing was changed. ` +
    'Start the build that wrote it, or move the data away to start with nothing.'

  test.each([
    ['mail.db', 'of a newer version', "UPDATE about SET value = '9.2.0' WHERE name = 'written_by'; PRAGMA user_version = 99", 99],
    ['mail.db', 'of a build that calls itself this version', 'PRAGMA user_version = 99', 99],
    ['mail.db', 'from before the first release', 'PRAGMA user_version = 7', 7],
    [
      'site.db',
      'of a newer version',
      "UPDATE about SET value = '9.2.0' WHERE name = 'written_by'; INSERT INTO kysely_migration VALUES ('0099_x', '2030')",
      99,
    ],
    ['site.db', 'from before the first release', "UPDATE kysely_migration SET name = '0016_webhook_api_keys'", 16],
  ])('%s %s is refused, the doctor tells, and no file is changed', async (name, _, statements, format) => {
    await startOnce()
    sql(name, statements)
    const before = checksums()
    const known = name === 'mail.db' ? mail : site
    const sentence = (statements.includes('9.2.0') ? newer : between)(join(dataDir, name), format, known, 'version 9.2.0')
    expect(await refusal()).toBe(sentence)
    expect(checksums()).toEqual(before)
    const doctor = await run('cli/mayfly.ts', ['doctor', '--json'], {})
    expect(doctor.out).toContain(`${join(dataDir, name)} is in format ${format}, written by`)
  })

  test.skipIf(!findRedis())('a cluster of a newer version is refused, and not changed (needs redis-server on this machine)', async () => {
    await using nodes = await startRedisCluster()
    const env = { MAIL_STORE_URL: nodes.url, SECRET: 'one secret for both servers, long enough' }
    await (await startServerProcess({ dataDir, env, allowLog: [OWN_ACCOUNTS] })).stop()
    await using client = await openCluster({ urls: nodes.url.split(','), replicas: 0, isSynced: false })
    const identities = ['about', ...Array.from({ length: 8 }, (_, i) => `about:${i}`)].map(name => `mayfly:${name}`)
    for (const key of identities) await client.call(key, 'HSET', 'format', '99')
    await client.call('mayfly:about:3', 'DEL')
    expect(await refusal(env)).toBe(newer('The mail store of MAIL_STORE_URL', 99, cluster, 'a newer version'))
    expect(await client.call('mayfly:about:3', 'EXISTS')).toBe(0)
  })

  test.skipIf(!findPostgres())(
    'PostgreSQL of a newer version is refused before the mail is opened (needs postgres on this machine)',
    async () => {
      await using postgres = await startPostgres(findPostgres() ?? '', 'right')
      const env = { DATABASE_URL: await postgres.createDatabase() }
      await startOnce(env)
      await query(
        env.DATABASE_URL,
        "insert into kysely_migration values ('0099_x', '2030'); update about set value = '9.2.0' where name = 'written_by'",
      )
      const before = checksums()
      const { pathname, host } = new URL(env.DATABASE_URL)
      expect(await refusal(env)).toBe(newer(`The database ${pathname.slice(1)} on ${host}`, 99, site, 'version 9.2.0'))
      expect(checksums()).toEqual(before)
      const empty = join(dataDir, 'new')
      expect(await refusal({ ...env, DATA_DIR: empty })).toContain('is in format 99')
      expect(existsSync(empty)).toBe(false)
    },
  )
})

test('databases of other programs are refused', async () => {
  writeFileSync(join(dataDir, 'secret'), 'x'.repeat(64))
  sql('mail.db', 'CREATE TABLE other (x)')
  expect(await refusal()).toMatch(
    /mail\.db cannot be used: it is not a mail database of this program\. Restore it from a backup, or move it away/,
  )
  rmSync(join(dataDir, 'mail.db'))
  sql('site.db', 'CREATE TABLE users (x)')
  expect(await refusal()).toMatch(/site\.db holds tables of another program\. Restore it from a backup, or move it away/)
})

test('a missing or wrong secret is refused', async () => {
  await startOnce()
  expect(await refusal({ SECRET: 'another secret that is long enough to be one' })).toBe(
    `The secret does not fit ${join(dataDir, 'mail.db')}, which was written under another one: every live address would be refused. ` +
      'Put the old one back, as the file "secret" of the data folder or in SECRET; processes that share a database share one secret. To start with nothing instead, move mail.db and site.db away.',
  )
  rmSync(join(dataDir, 'secret'))
  expect(await refusal()).toMatch(/^The secret .*secret is missing, and nothing in .*mail\.db can be read without it\. Put it back, /)
})

test('without a relay the confirmation link is printed at every log level', async () => {
  await using server = await startServerProcess({ dataDir, env: { LOG_LEVEL: 'silent', BOT_CHECK: 'off' } })
  const response = await fetch(`http://127.0.0.1:${server.httpPort}${routes.authSignUp}`, {
    method: 'POST',
    body: JSON.stringify({ email: 'ada@example.com', password: 'correct horse battery', language: 'en' }),
    headers: { 'content-type': 'application/json' },
  })
  expect(response.status).toBe(202)
  await expect
    .poll(() => server.output())
    .toMatch(/No SMTP_RELAY_URL is set, so this link was not mailed\. .*:\n {2}http:\/\/localhost:\d+\/\S+#\S+\n/)
  expect(server.output()).not.toContain('ada@example.com')
})

describe.skipIf(!findRedis())('a mail store (needs redis-server on this machine)', () => {
  test('is refused if it does not respond, is no cluster, needs another password, or lacks slots', async () => {
    expect(await refusal({ MAIL_STORE_URL: 'redis://me:hidden@127.0.0.1:1' })).toBe(
      'No node of the mail store answers: 127.0.0.1:1 (connect ECONNREFUSED). Start Valkey there, or correct MAIL_STORE_URL.',
    )
    await using alone = await startRedis({ password: 'right' })
    const place = `127.0.0.1:${alone.port}`
    expect(await refusal({ MAIL_STORE_URL: `redis://:wrong@${place}` })).toMatch(
      /^The mail store at \S+ does not let us in: WRONGPASS .*[^.]\. Correct the user and the password in MAIL_STORE_URL if every node says so\. Else /,
    )
    expect(await refusal({ MAIL_STORE_URL: `redis://:right@${place}` })).toBe(
      `${place} does not run in cluster mode. Start its nodes with "cluster-enabled yes" and join them with "redis-cli --cluster create", or correct MAIL_STORE_URL.`,
    )
    await using holed = await startRedisCluster({ replicas: 0, missingSlots: 10 })
    expect(await refusal({ MAIL_STORE_URL: holed.url })).toMatch(/^The cluster at \S+ serves 16374 of its 16384 slots, .* --cluster fix /)
  })

  test('is refused if it takes no writes, or belongs to another secret', async () => {
    await using cluster = await startRedisCluster()
    const setReplicas = (count: number) =>
      Promise.all(cluster.nodes.map(node => node.call('CONFIG', 'SET', 'min-replicas-to-write', count)))
    await setReplicas(2)
    expect(await refusal({ MAIL_STORE_URL: cluster.url })).toMatch(
      /^The cluster of MAIL_STORE_URL refuses writes: The mail store at 127\.0\.0\.1:\d+ takes no writes: NOREPLICAS .* set "min-replicas-to-write 0" there\. Repair the cluster, then start again\.$/,
    )
    await setReplicas(0)
    const [first, second] = [join(dataDir, 'first'), join(dataDir, 'second')]
    for (const folder of [first, second]) mkdirSync(folder)
    await (await startServerProcess({ dataDir: first, env: { MAIL_STORE_URL: cluster.url }, allowLog: [OWN_ACCOUNTS] })).stop()
    expect(await refusal({ MAIL_STORE_URL: cluster.url, DATA_DIR: second })).toMatch(
      /^The secret does not fit the mail store of MAIL_STORE_URL, which was written under another one: .* To start with nothing instead, name an empty cluster\.$/,
    )
  })
})

test('adopt-mail-store is refused without PostgreSQL, or without the new mail store', async () => {
  const adopt = (env = {}) => run('cli/mayfly.ts', ['adopt-mail-store'], env)
  expect(await adopt()).toEqual({
    code: 1,
    out: '',
    err: 'DATABASE_URL is not set: accounts in a data folder always belong to its mail store.\n',
  })
  expect(await adopt({ DATABASE_URL: 'postgres://me:hidden@127.0.0.1:1/mayfly' })).toEqual({
    code: 1,
    out: '',
    err: `The data folder ${dataDir} has no mail.db. Set DATA_DIR to the folder of the new mail store.\n`,
  })
})

/** The host and port of one that takes connections and says nothing. */
async function startSilent() {
  const silent = createServer(socket => socket.on('error', () => undefined)).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const address = silent.address()
  return {
    host: `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    [Symbol.dispose]: () => void silent.close(),
  }
}

test('PostgreSQL that does not respond is reported', async () => {
  using silent = await startSilent()
  expect(await refusal({ DATABASE_URL: `postgres://me:hidden@${silent.host}/mayfly` })).toBe(
    `The database mayfly on ${silent.host} does not answer. Start PostgreSQL, open the way to it, or correct DATABASE_URL.`,
  )
})

const bin = findPostgres()

describe.skipIf(!bin)('PostgreSQL (needs initdb and postgres on this machine)', () => {
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres(bin ?? '', 'right')
  })
  afterAll(() => postgres[Symbol.asyncDispose]())

  test('is refused if it is down, needs another password, or has no such database', async () => {
    const url = new URL(await postgres.createDatabase())
    const [name, place] = [url.pathname.slice(1), `${url.pathname.slice(1)} on ${url.host}`]
    expect(await refusal({ DATABASE_URL: 'postgres://me:hidden@127.0.0.1:1/mayfly' })).toBe(
      'The database mayfly on 127.0.0.1:1 does not take connections. Start PostgreSQL, or correct DATABASE_URL.',
    )
    expect(await refusal({ DATABASE_URL: 'postgres://me:hidden@nowhere.invalid/mayfly' })).toBe(
      'The database mayfly on nowhere.invalid:5432 cannot be found: its host has no address. Correct DATABASE_URL, or the network.',
    )
    expect(await refusal({ DATABASE_URL: url.href.replace(':right@', ':wrong@') })).toBe(
      `The database ${place} does not let the user "postgres" in: password authentication failed for user "postgres". Correct the user and the password in DATABASE_URL, or give them to it again (alter role).`,
    )
    expect(await refusal({ DATABASE_URL: url.href.replace(name, 'absent') })).toBe(
      `The database absent on ${url.host} does not exist. Create it (createdb), or correct DATABASE_URL.`,
    )
  })

  test('is refused if it gives no right, no connection or no encryption, or has tables of another program', async () => {
    const url = new URL(await postgres.createDatabase())
    const place = `The database ${url.pathname.slice(1)} on ${url.host}`
    await query(url.href, "create role guest login password 'right'; create role crowd login password 'right' connection limit 0")
    const refusalOf = (user: string) => refusal({ DATABASE_URL: url.href.replace('postgres:right', `${user}:right`) })
    expect(await refusalOf('guest')).toBe(
      `${place} lets the user "guest" make no tables: permission denied for schema public. Make that user its owner, or name another in DATABASE_URL.`,
    )
    expect(await refusalOf('crowd')).toBe(`${place} has no connection left. Type: alter role "crowd" connection limit -1.`)
    expect(await refusal({ DATABASE_URL: `${url.href}?sslmode=verify-full` })).toBe(
      `${place} cannot be reached as DATABASE_URL asks: The server does not support SSL connections. Correct its sslmode, or the certificate of the server.`,
    )
    const rule = 'host all postgres 127.0.0.1/32 scram-sha-256'
    await query(url.href, `do $$ begin execute format('copy (select %L) to %L', '${rule}', current_setting('hba_file')); end $$`)
    await query(url.href, 'select pg_reload_conf()')
    expect(await refusalOf('guest')).toMatch(
      /does not let this machine in: no pg_hba\.conf entry for host "127\.0\.0\.1", user "guest", .*, no encryption\. Add \?sslmode=verify-full to DATABASE_URL, or a line for this machine, user and database to its pg_hba\.conf\.$/,
    )
    await query(url.href, 'create table users (x int)')
    expect(await refusal({ DATABASE_URL: url.href })).toBe(`${place} holds tables of another program. Name an empty one in DATABASE_URL.`)
  })

  test('is refused if it belongs to the mail store in another folder, until it is adopted', async () => {
    const DATABASE_URL = await postgres.createDatabase()
    const SECRET = 'one secret for both servers, long enough'
    const [first, second] = [join(dataDir, 'first'), join(dataDir, 'second')]
    for (const folder of [first, second]) mkdirSync(folder)
    const env = { DATABASE_URL, SECRET }
    {
      await using _ = await startServerProcess({ dataDir: first, env })
      const said = await refusal({ ...env, DATA_DIR: second })
      expect(said).toMatch(/^The database t\w+ on 127\.0\.0\.1:\d+ belongs to another mail store, /)
      expect(said).toMatch(
        /Start with that mail store \(DATA_DIR or MAIL_STORE_URL\), or give this server a database of its own .* run: npm run mayfly -- adopt-mail-store$/,
      )
    }
    await (await startServerProcess({ dataDir: first, env })).stop()
    const adopted = await run('cli/mayfly.ts', ['adopt-mail-store'], { ...env, DATA_DIR: second })
    expect(adopted).toMatchObject({ code: 0, err: '', out: expect.stringContaining(`now belong to the mail store in ${second}.`) })
    await (await startServerProcess({ dataDir: second, env })).stop()
    expect(await refusal({ ...env, DATA_DIR: first })).toMatch(/belongs to another mail store/)
    expect(await refusal({ ...env, SECRET: 'another secret, which is long enough too', DATA_DIR: join(dataDir, 'third') })).toMatch(
      /^The secret does not fit the database t\w+ on 127\.0\.0\.1:\d+, which .* To start with nothing instead, name an empty database in DATABASE_URL\.$/,
    )
  })
})
