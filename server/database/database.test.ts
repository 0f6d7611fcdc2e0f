/** How a site.db of another version, another secret or another program is opened: upgraded, or refused with what to do. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { version } from '#server/platform/installation.ts'
import { openDatabase, readFact } from './database.ts'
import { migrations } from './migrations.ts'
import { nodeSqliteDialect } from './sqlite.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'mayfly-site-'))
})
afterEach(() => rmSync(dataDir, { recursive: true }))

const open = async (identity?: Parameters<typeof openDatabase>[1]) =>
  await (await openDatabase({ dataDir }, identity))[Symbol.asyncDispose]()

function sql(text: string): void {
  const db = new DatabaseSync(join(dataDir, 'site.db'))
  db.exec(text)
  db.close()
}

/** A database with the migrations up to this one. */
async function makeAt(step: string): Promise<void> {
  const db = new Kysely<unknown>({ dialect: nodeSqliteDialect(new DatabaseSync(join(dataDir, 'site.db')), () => undefined) })
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations('sqlite') } })
  const { error } = await migrator.migrateTo(step)
  await db.destroy()
  if (error) throw error
}

test('a database with only the first migration gets the others and keeps its rows', async () => {
  await makeAt('0001_site')
  sql(`INSERT INTO operator_messages (sealed, bytes, received_at) VALUES (x'00', 1, 1)`)
  await using database = await openDatabase({ dataDir })
  expect(await database.db.selectFrom('operator_messages').select(['bytes', 'content_hash']).execute()).toEqual([
    { bytes: 1, content_hash: null },
  ])
  expect(await readFact(database.db, 'written_by')).toBe(version)
})

test('an unconfirmed sign-up keeps its link and password through a migration', async () => {
  await makeAt('0003_about')
  sql(`INSERT INTO users VALUES ('u1', '', 'a@x.test', 0, NULL, '', '', 'es', 'a@x.test'), ('u2', '', 'b@x.test', 1, NULL, '', '', 'en', 'b@x.test');
       INSERT INTO credentials (id, accountId, providerId, userId, password, createdAt, updatedAt)
         VALUES ('c1', 'u1', 'credential', 'u1', 'hash one', '', ''), ('c2', 'u2', 'credential', 'u2', 'hash two', '', '');
       INSERT INTO link_tokens VALUES ('u1', 'confirm', 'link hash', 100000000), ('u2', 'reset', 'other hash', 100000000)`)
  await using database = await openDatabase({ dataDir })
  expect(await database.db.selectFrom('sign_ups').selectAll().execute()).toEqual([
    {
      id: 'u1',
      email: 'a@x.test',
      email_key: 'a@x.test',
      password_hash: 'hash one',
      language: 'es',
      created_at: 100000000 - 86_400_000,
      link_hash: 'link hash',
      link_expires_at: 100000000,
    },
  ])
  expect(await database.db.selectFrom('users').select('id').execute()).toEqual([{ id: 'u2' }])
  expect(await database.db.selectFrom('link_tokens').select('purpose').execute()).toEqual([{ purpose: 'reset' }])
})

test('SIGKILL during the first start leaves a usable folder', async () => {
  const room = JSON.stringify(import.meta.dirname)
  const script = join(dataDir, 'killed.ts')
  writeFileSync(
    script,
    `const { DatabaseSync } = await import('node:sqlite')
     const prepare = DatabaseSync.prototype.prepare
     DatabaseSync.prototype.prepare = function (text) {
       if (text.includes('alter table "operator_messages"')) { console.log('in the middle'); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0) }
       return prepare.call(this, text)
     }
     const { openDatabase } = await import(${room} + '/database.ts')
     await openDatabase({ dataDir: ${JSON.stringify(dataDir)} })`,
  )
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(createInterface({ input: child.stdout }), 'line')
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
  await using database = await openDatabase({ dataDir })
  expect(await database.db.selectFrom('users').selectAll().execute()).toEqual([])
})

test('a database of a newer version is refused, and the version is named', async () => {
  await open()
  sql("UPDATE about SET value = '9.1.0' WHERE name = 'written_by'; INSERT INTO kysely_migration VALUES ('9999_future', '2030-01-01')")
  await expect(open()).rejects.toThrow(
    `site.db was written by version 9.1.0 of this program, and this is version ${version}, which cannot read it.`,
  )
  expect(Object.keys(migrations('sqlite'))).not.toContain('9999_future')
})

test('a file of another program, or one that is not a database, is refused and not changed', async () => {
  sql('CREATE TABLE users (x)')
  await expect(open()).rejects.toThrow(/site\.db holds tables of another program\./)
  rmSync(join(dataDir, 'site.db'))
  writeFileSync(
    join(dataDir, 'site.db'),
    'no database at all, but a text that is long enough to be read as a header of one hundred bytes and more',
  )
  await expect(open()).rejects.toThrow(/site\.db cannot be used: .*not a database.* Restore it from a backup/)
})

test('a database of another secret is refused, but the operator’s commands can open it', async () => {
  await open({ keyCheck: 'one' })
  await open({ keyCheck: 'one' })
  await open()
  await expect(open({ keyCheck: 'other' })).rejects.toThrow(/The secret does not fit .*site\.db/)
})

test('a database of another mail store is refused', async () => {
  await open({ keyCheck: 'one', mailStoreId: 'first' })
  await open({ keyCheck: 'one', mailStoreId: 'first' })
  await expect(open({ keyCheck: 'one', mailStoreId: 'second' })).rejects.toThrow(
    /belongs to the mail store in another data folder.*adopt-mail-store/,
  )
})
