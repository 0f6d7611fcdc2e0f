/** Whether the expiry of many mailboxes slows deliveries down. `npm run lab -- expiry --store valkey --mailboxes 100000` */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sweepExpired } from '../../server/mail/mailboxes.ts'
import { createLog } from '../../server/platform/log.ts'
import { openSqliteStore } from '../../server/store/sqlite/sqlite-store.ts'
import type { MailboxId, MailStore } from '../../server/store/store.ts'
import { openCluster } from '../../server/store/valkey/client/open-cluster.ts'
import { openValkeyStore } from '../../server/store/valkey/valkey-store.ts'
import { deliverTo, mailboxRecord, randomId } from '../../test/harness/mayfly/store-fixture.ts'
import { startRedisCluster } from '../../test/harness/servers/redis-cluster.ts'

const MESSAGE_BYTES = 1024
const AT_ONCE = 100
/** Deliveries per second during the measurement, far below the capacity of the store. */
const RATE = 100
const EXPIRY_MS = 60_000

const { values } = parseArgs({
  options: { store: { type: 'string', default: 'valkey' }, mailboxes: { type: 'string', default: '100000' } },
})
const mailboxes = Number(values.mailboxes)
await using stack = new AsyncDisposableStack()
const store = stack.use(values.store === 'sqlite' ? await openFile() : await openOnCluster())
const stopping = new AbortController()
const sweeping = sweepExpired(store, stopping.signal, createLog('silent'))
stack.defer(async () => {
  stopping.abort()
  await sweeping
})

async function openFile(): Promise<MailStore> {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-expiry-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  return await openSqliteStore({ folder, diskReserveBytes: 0, clock: Date.now })
}

async function openOnCluster(): Promise<MailStore> {
  const cluster = stack.use(await startRedisCluster({ settings: ['--active-expire-effort', '5', '--lazyfree-lazy-expire', 'yes'] }))
  const connection = await openCluster({ urls: cluster.url.split(','), replicas: 1, isSynced: false })
  return await openValkeyStore({ cluster: connection, clock: Date.now, keyCheck: 'bench' })
}

async function create(expiresAt: number): Promise<MailboxId> {
  const record = mailboxRecord(Math.floor(expiresAt), Date.now())
  await store.createMailbox(record)
  return record.mailboxId
}

const deliver = (mailboxId: MailboxId) =>
  deliverTo(store, mailboxId, {
    messageId: randomId(),
    receivedAt: Date.now(),
    sealedSummary: randomBytes(300),
    sealedRaw: randomBytes(MESSAGE_BYTES),
  })

/** The p99 and the median in milliseconds. */
async function measure(ms: number, living: readonly MailboxId[]): Promise<{ p50: number; p99: number }> {
  const tookMs: number[] = []
  const pending: Promise<void>[] = []
  const startedMs = performance.now()
  for (let i = 0; performance.now() - startedMs < ms; i++) {
    const sentMs = performance.now()
    const mailboxId = living[i % living.length] as MailboxId
    pending.push(deliver(mailboxId).then(() => void tookMs.push(performance.now() - sentMs)))
    await sleep(Math.max(0, startedMs + ((i + 1) * 1000) / RATE - performance.now()))
  }
  await Promise.all(pending)
  const sorted = tookMs.toSorted((a, b) => a - b)
  const at = (share: number) => Number((sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1))
  return { p50: at(0.5), p99: at(0.99) }
}

const living = await Promise.all(Array.from({ length: 1000 }, () => create(Date.now() + 3_600_000)))
console.log('nothing expires:', await measure(20_000, living))
const fillMs = Math.max(30_000, mailboxes * 2.5)
const firstEndsAt = Date.now() + fillMs
let made = 0
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    while (made < mailboxes) {
      made += 1
      await deliver(await create(firstEndsAt + Math.random() * EXPIRY_MS))
    }
  }),
)
console.log(`${mailboxes} mailboxes with a message each are there:`, await store.health())
await sleep(firstEndsAt - Date.now())
console.log(`while they expire within a minute:`, await measure(EXPIRY_MS, living))
await sleep(5000)
console.log('5 s later:', await store.health())
