/** What was removed is readable in no file a few seconds later, and no connection stops the thread that another one needs. */
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { newFolder } from '#test/harness/until-end.ts'
import { type Database, openDatabase } from './database.ts'

let dataDir: string
beforeEach(() => {
  dataDir = newFolder()
})

const filesWith = (needle: string) => readdirSync(dataDir).filter(name => readFileSync(join(dataDir, name)).includes(needle))

async function write({ db }: Database, name: string): Promise<void> {
  const row = { email: 'a@x.test', subject: '', message: 'x'.repeat(Math.random() * 400), language: 'en', received_at: 1, network: '' }
  await db
    .insertInto('contact_messages')
    .values({ ...row, name, read_at: null, forwarded_at: null })
    .execute()
}

async function until(isTrue: () => boolean, withinMs: number): Promise<void> {
  const endMs = performance.now() + withinMs
  while (!isTrue() && performance.now() < endMs) await sleep(50)
}

test('removed and changed rows leave every file within 5 s, under steady writes and with an open reader', async () => {
  await using database = await openDatabase({ dataDir })
  const [removed, changed] = [randomBytes(20).toString('hex'), randomBytes(20).toString('hex')]
  await write(database, removed)
  await write(database, changed)
  expect(filesWith(removed)).not.toEqual([])
  using reader = new DatabaseSync(join(dataDir, 'site.db'))
  reader.exec('begin; select count(*) from contact_messages')
  await database.db.deleteFrom('contact_messages').where('name', '=', removed).execute()
  await database.db.updateTable('contact_messages').set({ name: 'other' }).where('name', '=', changed).execute()
  const stop = new AbortController()
  const traffic = (async () => {
    for (; !stop.signal.aborted; await sleep(30)) await write(database, 'steady')
  })()
  await sleep(1500)
  expect(filesWith(removed)).not.toEqual([])
  reader.exec('commit')
  await until(() => filesWith(removed).length + filesWith(changed).length === 0, 3500)
  stop.abort()
  await traffic
  expect([...filesWith(removed), ...filesWith(changed)]).toEqual([])
})

test('copies that SQLite leaves when it moves rows between pages are removed too', async () => {
  await using database = await openDatabase({ dataDir })
  const removed: string[] = []
  const kept: string[] = []
  await database.db.transaction().execute(async db => {
    for (let i = 0; i < 6000; i++) {
      const name = randomBytes(12).toString('hex')
      kept.push(name)
      await db
        .insertInto('about')
        .values({ name, value: 'x'.repeat(Math.random() * 400) })
        .execute()
      if (i < 50) continue
      const [gone = ''] = kept.splice(Math.floor(Math.random() * kept.length), Math.random() < 0.8 ? 1 : 0)
      await db.deleteFrom('about').where('name', '=', gone).execute()
      if (gone !== '') removed.push(gone)
    }
  })
  const onDisk = (names: readonly string[]) => {
    const files = readdirSync(dataDir).map(name => readFileSync(join(dataDir, name), 'latin1'))
    // Read once for all names: a search for each of them takes minutes on a busy machine.
    const found = new Set(files.flatMap(file => [...file.matchAll(/(?=([0-9a-f]{24}))/g)].map(([, name]) => name)))
    return names.filter(name => found.has(name))
  }
  await until(() => onDisk(removed).length === 0, 5000)
  expect(onDisk(removed)).toEqual([])
  expect(onDisk(kept)).toEqual(kept)
})

test('the write-ahead log is emptied even if another process wrote it', async () => {
  await using _open = await openDatabase({ dataDir })
  using other = new DatabaseSync(join(dataDir, 'site.db'))
  other.exec("insert into about values ('other', 'x')")
  const bytes = () => statSync(join(dataDir, 'site.db-wal')).size
  expect(bytes()).toBeGreaterThan(0)
  await until(() => bytes() === 0, 3000)
  expect(bytes()).toBe(0)
})

test('a statement that waits for another connection blocks nobody else in this process', async () => {
  await using database = await openDatabase({ dataDir })
  using other = new DatabaseSync(join(dataDir, 'site.db'))
  other.exec('begin immediate')
  const written = write(database, 'waits')
  await sleep(200)
  other.exec('commit')
  await written
  expect(await database.db.selectFrom('contact_messages').select('name').execute()).toEqual([{ name: 'waits' }])
})
