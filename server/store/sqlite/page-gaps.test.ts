/** Rows that SQLite moved between pages before they were removed: no copy of them stays in the unused part of a page. */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { createdAtOf, deliverTo, mailboxRecord, randomId } from '#test/harness/mayfly/store-fixture.ts'
import { newFolder } from '#test/harness/until-end.ts'
import type { MailboxId, MailStore, MessageId } from '../store.ts'
import { openSqliteStore } from './sqlite-store.ts'

const MAILBOXES = 400
const MESSAGES = 2400

let folder: string
beforeEach(() => {
  folder = newFolder()
})

/** A value of a row that names its mailbox every 32 bytes, so that any piece of it tells whose it was. */
const rowValue = (mailbox: number, bytes: number) => Buffer.alloc(bytes, `<needle of ${String(mailbox).padStart(6, '0')}>            `)

async function deliver(store: MailStore, mailboxId: MailboxId, mailbox: number): Promise<void> {
  const messageId = randomId<MessageId>()
  const sealedSummary = rowValue(mailbox, 200 + Math.floor(Math.random() * 900))
  const sealedRaw = rowValue(mailbox, 500 + Math.floor(Math.random() * 5000))
  await deliverTo(store, mailboxId, { messageId, receivedAt: Date.now(), sealedSummary, sealedRaw })
  // A row that grows makes room for itself by moving its neighbours.
  await store.addAuthentication(mailboxId, messageId, randomBytes(300), createdAtOf(mailboxId))
}

/** Numbers of the mailboxes of which something stands in the files. */
function mailboxesInFiles(): Set<number> {
  const found = ['mail.db', 'mail.db-wal'].flatMap(name => [...readFileSync(join(folder, name), 'latin1').matchAll(/<needle of (\d{6})>/g)])
  return new Set(found.map(([, mailbox]) => Number(mailbox)))
}

test('after half of 400 mailboxes were destroyed under load, no file contains anything of them, and the others are complete', {
  timeout: 120_000,
}, async () => {
  const ids: MailboxId[] = []
  {
    await using store = await openSqliteStore({ folder, diskReserveBytes: 0, clock: Date.now })
    for (let mailbox = 0; mailbox < MAILBOXES; mailbox++) {
      const record = mailboxRecord(Date.now() + 3_600_000, Date.now())
      await store.createMailbox(record)
      ids.push(record.mailboxId)
    }
    for (let at = 0; at < MESSAGES; at += 60) {
      const picked = Array.from({ length: 60 }, () => Math.floor(Math.random() * MAILBOXES))
      await Promise.all(picked.map(mailbox => deliver(store, ids[mailbox] ?? randomId(), mailbox)))
    }
    expect(mailboxesInFiles().size).toBeGreaterThan(MAILBOXES * 0.9)
    for (const [mailbox, mailboxId] of ids.entries()) if (mailbox % 2 === 0) await store.destroyMailbox(mailboxId)
    const endMs = performance.now() + 4000
    while (performance.now() < endMs) {
      await deliver(store, ids[1] ?? randomId(), 1)
      await sleep(100)
    }
    expect([...mailboxesInFiles()].filter(mailbox => mailbox % 2 === 0)).toEqual([])
  }
  // By SQLite's own program where it is there: what was erased was no part of the database.
  const check = spawnSync('sqlite3', [join(folder, 'mail.db'), 'PRAGMA integrity_check'], { encoding: 'utf8' })
  if (!check.error) expect(check.stdout.trim()).toBe('ok')
  await using store = await openSqliteStore({ folder, diskReserveBytes: 0, clock: Date.now })
  const counts = await Promise.all(ids.map(async id => (await store.findMailbox(id))?.messageCount ?? 0))
  const listed = await Promise.all(ids.map(async id => (await store.changesSince(id, 0, 1000))?.length ?? 0))
  expect(listed).toEqual(counts)
  expect(counts.filter((_, mailbox) => mailbox % 2 === 0)).toEqual(Array(MAILBOXES / 2).fill(0))
})
