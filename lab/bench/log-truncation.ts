/**
 * How long deliveries wait while removed mail is erased from the log and the pages, at the same steady rate with and without removals. `npm
 * run lab -- log-truncation --seconds 20 --rate 500`. Put `chrt -r 1` before it to run ahead of other programs.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openSqliteStore } from '../../server/store/sqlite/sqlite-store.ts'
import type { MailboxId, MessageId } from '../../server/store/store.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    rate: { type: 'string', default: '500' },
    bytes: { type: 'string', default: '4096' },
  },
})
const [seconds, rate, bytes] = [Number(values.seconds), Number(values.rate), Number(values.bytes)]
const MAILBOXES = 200
const REMOVALS_PER_SECOND = 10
const QUOTA = { messagesMax: 1_000_000, bytesMax: 1e12 }

const anId = <Id>() => randomBytes(16).toString('base64url') as Id

async function run(hasRemovals: boolean): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-truncation-'))
  await using store = await openSqliteStore({ folder, diskReserveBytes: 0, clock: Date.now })
  const create = async () => {
    const mailboxId = anId<MailboxId>()
    const keys = { tokenHash: randomBytes(32), publicKey: randomBytes(32), sealedAddress: randomBytes(90), mac: randomBytes(32) }
    await store.createMailbox({ mailboxId, ...keys, createdAt: Date.now(), expiresAt: Date.now() + 3_600_000 })
    return mailboxId
  }
  const mailboxes = await Promise.all(Array.from({ length: MAILBOXES }, create))
  const waits: number[] = []
  const deliver = async (at: number) => {
    const startedMs = performance.now()
    const message = { messageId: anId<MessageId>(), receivedAt: Date.now(), sealedSummary: randomBytes(600), sealedRaw: randomBytes(bytes) }
    const { outcome } = await store.deliver(mailboxes[at % MAILBOXES] ?? anId(), message, QUOTA)
    if (outcome === 'stored') waits.push(performance.now() - startedMs)
  }
  const remove = async (at: number) => {
    const doomed = mailboxes[at]
    mailboxes[at] = await create()
    if (doomed !== undefined) await store.destroyMailbox(doomed)
  }
  const beganMs = performance.now()
  const running: Promise<void>[] = []
  let [sent, removed] = [0, 0]
  while (performance.now() - beganMs < seconds * 1000) {
    const elapsed = (performance.now() - beganMs) / 1000
    while (sent < elapsed * rate) running.push(deliver(sent++))
    while (hasRemovals && removed < elapsed * REMOVALS_PER_SECOND) running.push(remove(removed++ % MAILBOXES))
    await sleep(1)
  }
  await Promise.all(running)
  rmSync(folder, { recursive: true })
  const sorted = waits.toSorted((one, other) => one - other)
  const at = (share: number) => `${(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1)} ms`
  return `${sorted.length} deliveries, ${removed} mailboxes destroyed: p50 ${at(0.5)}, p99 ${at(0.99)}, p99.9 ${at(0.999)}, most ${at(1)}`
}

console.log(`without removals: ${await run(false)}`)
console.log(`with removals:    ${await run(true)}`)
process.exit(0)
