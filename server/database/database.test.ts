/** How a site.db of another version, another secret or another program is opened: upgraded, or refused with what to do. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { sql as kyselySql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { currentFormats, siteFormat } from '#server/platform/formats.ts'
import { version } from '#server/platform/installation.ts'
import { newFolder } from '#test/harness/until-end.ts'
import { openDatabase } from './database.ts'
import { migrations } from './migrations.ts'

let dataDir: string
beforeEach(() => {
  dataDir = newFolder()
})

const open = async (identity?: Parameters<typeof openDatabase>[1]) =>
  await (await openDatabase({ dataDir }, identity))[Symbol.asyncDispose]()

function sql(text: string): void {
  const db = new DatabaseSync(join(dataDir, 'site.db'))
  db.exec(text)
  db.close()
}

test('SIGKILL during the first start leaves a usable folder', async () => {
  const room = JSON.stringify(import.meta.dirname)
  const script = join(dataDir, 'killed.ts')
  writeFileSync(
    script,
    `const { DatabaseSync } = await import('node:sqlite')
     const prepare = DatabaseSync.prototype.prepare
     DatabaseSync.prototype.prepare = function (text) {
       if (text.includes('create table outbox')) { console.log('in the middle'); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0) }
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
    `site.db is in format 9999, written by version 9.1.0, and this is version ${version}, which writes format`,
  )
  expect(Object.keys(migrations('sqlite'))).not.toContain('9999_future')
})

test('the format of this version is the number of the newest migration', () => {
  const remedy = 'server/platform/formats.ts needs the number of the newest migration as `site` of this version'
  expect(currentFormats().site, remedy).toBe(siteFormat(Object.keys(migrations('sqlite'))))
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
  await expect(open({ keyCheck: 'one', mailStoreId: 'second' })).rejects.toThrow(/belongs to another mail store.*adopt-mail-store/)
})

test('statements that wait for each other leave the event loop its turns', async () => {
  await using database = await openDatabase({ dataDir })
  const counting = kyselySql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 100000) select count(*) from n`
  let done = 0
  const doneAtTurns: number[] = []
  const turns = setInterval(() => doneAtTurns.push(done), 0)
  const count = async () => {
    await counting.execute(database.db)
    done++
  }
  await Promise.all(Array.from({ length: 50 }, count))
  clearInterval(turns)
  expect(doneAtTurns.filter(count => count > 0 && count < 50).length).toBeGreaterThan(5)
})
