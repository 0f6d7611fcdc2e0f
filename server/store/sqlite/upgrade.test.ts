/** How a mail database of another version is opened: upgraded, or refused with what to do. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, expect, test } from 'vitest'
import { version } from '#server/platform/installation.ts'
import { newFolder } from '#test/harness/until-end.ts'
import { FIRST_FORMAT, MIGRATIONS, readMailFact } from './migrations.ts'
import { openMailDatabase } from './schema.ts'

let folder: string
beforeEach(() => {
  folder = newFolder()
})

const readFormat = (db: DatabaseSync) => Number(db.prepare('PRAGMA user_version').get()?.user_version)
const countRows = (db: DatabaseSync, table: string) => Number(db.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count)
const addMailbox = (db: DatabaseSync) =>
  db.prepare('INSERT INTO mailbox (mailbox_id, created_at, expires_at, sweep_at) VALUES (?, 0, 1, 1)').run(randomBytes(16))

test('a file of an older format runs every migration, keeps its rows and its store, and records the version', () => {
  const old = openMailDatabase(folder, { steps: [] })
  addMailbox(old)
  old.close()
  const db = openMailDatabase(folder)
  expect([readFormat(db), countRows(db, 'mailbox')]).toEqual([FIRST_FORMAT + MIGRATIONS.length, 1])
  expect([readMailFact(db, 'written_by'), readMailFact(db, 'store_id')]).toEqual([version, expect.stringMatching(/^[\w-]{22}$/)])
  const storeId = readMailFact(db, 'store_id')
  db.close()
  const again = openMailDatabase(folder)
  expect(readMailFact(again, 'store_id')).toBe(storeId)
  again.close()
})

test('a later migration runs once, by SQL or by a function', () => {
  openMailDatabase(folder).close()
  const steps = [...MIGRATIONS, 'ALTER TABLE mailbox ADD COLUMN colour TEXT', addMailbox]
  for (const _ of [1, 2]) {
    const db = openMailDatabase(folder, { steps })
    expect([readFormat(db), countRows(db, 'mailbox')]).toEqual([FIRST_FORMAT + steps.length, 1])
    db.close()
  }
})

test('a failing migration changes nothing and is reported', () => {
  openMailDatabase(folder).close()
  const steps = [...MIGRATIONS, addMailbox, 'CREATE TABLE mailbox (x)']
  expect(() => openMailDatabase(folder, { steps })).toThrow(
    /could not be brought to the format of this version .*Nothing in it was changed/,
  )
  const db = openMailDatabase(folder)
  expect([readFormat(db), countRows(db, 'mailbox')]).toEqual([FIRST_FORMAT + MIGRATIONS.length, 0])
  db.close()
})

test('after SIGKILL during an upgrade, this version and the next can both open the file', async () => {
  const before = openMailDatabase(folder)
  addMailbox(before)
  before.close()
  const script = join(folder, 'killed.ts')
  const room = JSON.stringify(import.meta.dirname)
  writeFileSync(
    script,
    `const { MIGRATIONS } = await import(${room} + '/migrations.ts')
     const { openMailDatabase } = await import(${room} + '/schema.ts')
     const filled = db => {
       const insert = db.prepare("INSERT INTO colour VALUES (zeroblob(100000))")
       for (let i = 0; i < 500; i++) insert.run()
       console.log('in the middle')
       Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
     }
     openMailDatabase(${JSON.stringify(folder)}, { steps: [...MIGRATIONS, 'CREATE TABLE colour (x)', filled] })`,
  )
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(createInterface({ input: child.stdout }), 'line')
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited

  const db = openMailDatabase(folder)
  expect([readFormat(db), countRows(db, 'mailbox'), countRows(db, "sqlite_schema WHERE name = 'colour'")]).toEqual([
    FIRST_FORMAT + MIGRATIONS.length,
    1,
    0,
  ])
  db.close()
  const next = openMailDatabase(folder, { steps: [...MIGRATIONS, 'CREATE TABLE colour (x)'] })
  expect([countRows(next, 'mailbox'), countRows(next, 'colour')]).toEqual([1, 0])
  next.close()
})

test('a file of a newer version is refused and not changed, and the version is named', () => {
  openMailDatabase(folder, { steps: [...MIGRATIONS, db => db.exec("CREATE TABLE colour (x); UPDATE about SET value = '9.1.0'")] }).close()
  const stamped = new DatabaseSync(join(folder, 'mail.db'))
  stamped.exec("UPDATE about SET value = '9.1.0' WHERE name = 'written_by'")
  stamped.close()
  expect(() => openMailDatabase(folder)).toThrow(
    `written by version 9.1.0, and this is version ${version}, which writes format ${FIRST_FORMAT + MIGRATIONS.length}. Nothing was changed. Start that version or a later one`,
  )
})

test('the file opens only with the secret of its first opening', () => {
  openMailDatabase(folder, { keyCheck: 'one' }).close()
  openMailDatabase(folder, { keyCheck: 'one' }).close()
  openMailDatabase(folder).close()
  expect(() => openMailDatabase(folder, { keyCheck: 'other' })).toThrow(/The secret does not fit .*mail\.db, .* Put the old one back/)
})
