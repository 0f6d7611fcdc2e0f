/** What it costs to remove an expired mailbox with a message of 1 kB, and whether the file grows with each cycle. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteStore } from '../../../server/store/sqlite/sqlite-store.ts'
import type { MessageId } from '../../../server/store/store.ts'
import { LARGE_QUOTA, mailboxRecord, randomId } from '../../../test/harness/mayfly/store-fixture.ts'
import type { Part } from './figures.ts'

const CYCLES = 3
const AT_ONCE = 100

export const expire: Part = {
  name: 'expire',
  async run({ isQuick }) {
    const mailboxes = isQuick ? 100 : 10_000
    const folder = mkdtempSync(join(tmpdir(), 'mayfly-bench-'))
    using _folder = { [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) }
    let now = 1_000_000
    await using store = await openSqliteStore({ folder, diskReserveBytes: 0, clock: () => now })
    const fill = async () => {
      const { mailboxId, createdAt } = await create()
      const message = { messageId: randomId<MessageId>(), receivedAt: now, sealedSummary: randomBytes(300), sealedRaw: randomBytes(1024) }
      await store.deliver(mailboxId, message, LARGE_QUOTA, createdAt)
    }
    const create = async () => {
      const record = mailboxRecord(now + 1000, now)
      await store.createMailbox(record)
      return record
    }
    const fileBytes: number[] = []
    let removingMs = 0
    for (let cycle = 0; cycle < CYCLES; cycle++) {
      for (let made = 0; made < mailboxes; made += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, fill))
      now += 2000
      const before = process.cpuUsage()
      while ((await store.sweep(2000)) > 0);
      const { user, system } = process.cpuUsage(before)
      removingMs += (user + system) / 1000
      fileBytes.push((await store.health()).bytesOnDisk)
    }
    const [first = 0, last = 0] = [fileBytes[0], fileBytes.at(-1)]
    return [
      { name: 'remove a mailbox with a mail, CPU', value: (removingMs * 1000) / (mailboxes * CYCLES), unit: 'µs' },
      { name: `file after ${CYCLES} cycles, of the first`, value: (100 * last) / first, unit: '%' },
    ]
  },
}
