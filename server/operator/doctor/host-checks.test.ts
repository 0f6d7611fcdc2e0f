/** What the doctor says of a database and a disk, without a server. */
import { chown, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { DAY_MS } from '#contract/limits.ts'
import { selfSign } from '#server/platform/certificates/self-signed.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { findPostgres, query, startPostgres } from '#test/harness/servers/postgres.ts'
import { checkDatabase, checkDisk } from './host-checks.ts'

const configFor = (env: Readonly<Record<string, string>>) => readConfig({ DATA_DIR: tmpdir(), MAIL_DOMAINS: 'mayfly.example', ...env })

test('a full disk of the data folder keeps no mail out of a cluster', async () => {
  const config = configFor({ MAIL_STORE_URL: 'redis://127.0.0.1:1' })
  const findings = await checkDisk({ config: { ...config, diskReserveBytes: Number.MAX_SAFE_INTEGER } })
  const sentence = expect.stringMatching(/data folder, which keeps accounts\. Mail is elsewhere\.$/)
  expect(findings).toEqual([expect.objectContaining({ status: 'warning', sentence })])
})

const examineDatabase = (databaseUrl: string, clock = Date.now) =>
  checkDatabase({ config: configFor({ DATABASE_URL: databaseUrl }), identify: async () => undefined, clock })

test('a database that is away is named with one remedy', async () => {
  const remedy = 'The database mayfly on 127.0.0.1:1 does not take connections. Start PostgreSQL, or correct DATABASE_URL.'
  expect(await examineDatabase('postgres://me@127.0.0.1:1/mayfly')).toEqual([
    { check: 'database', status: 'failure', sentence: 'The database of the site cannot be used.', remedy },
  ])
})

const bin = findPostgres()

test.skipIf(!bin)('a PostgreSQL that is read-only, or whose certificate expires soon (needs initdb and postgres)', async () => {
  await using postgres = await startPostgres(bin ?? '')
  const url = await postgres.createDatabase()
  await showCertificate(url)
  const encrypted = `${url}?sslmode=no-verify`
  const answers = expect.objectContaining({ status: 'ok' })
  await expect.poll(() => examineDatabase(encrypted)).toEqual([answers])
  const later = () => Date.now() + 800 * DAY_MS
  const sentence = expect.stringMatching(/^The certificate of PostgreSQL expires on \d{4}-\d\d-\d\d: /)
  expect(await examineDatabase(encrypted, later)).toEqual([answers, expect.objectContaining({ status: 'warning', sentence })])
  expect(await examineDatabase(url, later)).toEqual([answers])
  // One that answers and takes no writes.
  await query(url, `alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`)
  const remedy = expect.stringMatching(/ takes no writes: .* Name the primary in DATABASE_URL.* "default_transaction_read_only off"/)
  expect(await examineDatabase(url)).toEqual([expect.objectContaining({ status: 'failure', remedy })])
})

test.skipIf(!bin)('a PostgreSQL of which one table is gone, or shut to its user (needs initdb and postgres)', async () => {
  await using postgres = await startPostgres(bin ?? '')
  const url = new URL(await postgres.createDatabase())
  const asPostgres = url.href
  await query(asPostgres, `create role clerk login; alter database ${url.pathname.slice(1)} owner to clerk`)
  url.username = 'clerk'
  const answers = expect.objectContaining({ status: 'ok' })
  expect(await examineDatabase(url.href)).toEqual([answers])
  const failed = (remedy: RegExp) => [expect.objectContaining({ status: 'failure', remedy: expect.stringMatching(remedy) })]
  for (const right of ['select', 'insert', 'update', 'delete']) {
    await query(asPostgres, `revoke ${right} on api_tokens from clerk`)
    expect(await examineDatabase(url.href)).toEqual(failed(/permission denied for table api_tokens\. Type: grant all on all tables /))
    await query(asPostgres, `grant ${right} on api_tokens to clerk`)
  }
  await query(asPostgres, 'alter table api_tokens rename to others')
  expect(await examineDatabase(url.href)).toEqual(failed(/"api_tokens" does not exist\. If somebody renamed it, give it its name back\. /))
  await query(asPostgres, 'alter table others rename to api_tokens')
  expect(await examineDatabase(url.href)).toEqual([answers])
})

/** Gives the server at `url` a certificate, which it shows soon after. */
async function showCertificate(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const data: string = (await client.query('show data_directory')).rows[0].data_directory
  await client.end()
  const { uid, gid } = await stat(data)
  const { cert, key } = selfSign('localhost', Date.now())
  for (const [name, text] of [
    ['server.crt', cert],
    ['server.key', key],
  ] as const) {
    await writeFile(join(data, name), text, { mode: 0o600 })
    await chown(join(data, name), uid, gid)
  }
  await query(url, 'alter system set ssl = on')
  await query(url, 'select pg_reload_conf()')
}
