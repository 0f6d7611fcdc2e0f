/**
 * What remains after a power cut on Linux: a write is on the disk once a later sync of its file has succeeded. A write that was
 * waiting when a sync failed is lost, although it can still be read until the power cut. Every write and sync of a store is kept in a
 * journal, and the power is cut at many places of it. `npm run lab -- power-cut` cuts at every sync of longer journals.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { openSqliteStore } from '#server/store/sqlite/sqlite-store.ts'
import type { MailboxId } from '#server/store/store.ts'
import { DiskFile, parseSteps } from './disk.ts'

const canRun = process.platform === 'linux' && spawnSync('cc', ['--version']).status === 0
const ROUNDS = Number(process.env.POWER_CUT_ROUNDS ?? 1)
/** Mails before and after the second without syncs. */
const MAILS = process.env.POWER_CUT_MAILS ?? '10'
/** Places where the power is cut, spread over the journal, with its end. */
const CUTS = Number(process.env.POWER_CUT_CUTS ?? 8)

/** `after`: the size of the journal when it was acknowledged. */
type Acknowledged = { readonly messageId: string; readonly after: number }
type Recorded = {
  readonly mailboxId: MailboxId
  readonly stored: readonly Acknowledged[]
  readonly refused: number
  readonly journal: Buffer
}

test.skipIf(!canRun).each(Array.from({ length: ROUNDS }, (_, round) => [round + 1]))(
  'nothing acknowledged is lost in a power cut, before, during and after failed syncs (needs Linux and a C compiler): round %d',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mayfly-power-'))
    const data = join(folder, 'data')
    await (await openSqliteStore({ folder: data, diskReserveBytes: 0, clock: Date.now }))[Symbol.asyncDispose]()
    const files = [new DiskFile(readFileSync(join(data, 'mail.db'))), new DiskFile(Buffer.alloc(0))] as const
    const recorded = await record(folder, data)
    expect(recorded.refused).toBeGreaterThan(0)
    expect(recorded.stored.length).toBeGreaterThanOrEqual(2 * Number(MAILS))

    const steps = parseSteps(recorded.journal)
    const syncs = steps.flatMap(({ op }, i) => (op === 's' || op === 'f' ? [i] : []))
    const every = Math.max(1, Math.floor(syncs.length / CUTS))
    let cuts = 0
    for (const [i, step] of steps.entries()) {
      files[step.file === 0 ? 0 : 1].take(step)
      if (i !== steps.length - 1 && !(syncs.includes(i) && syncs.indexOf(i) % every === 0)) continue
      cuts += 1
      await expectAcknowledged(join(folder, 'left'), files, recorded, step.end)
    }
    console.info(`power cut: ${cuts} cuts in ${syncs.length} syncs, ${recorded.stored.length} acknowledged, ${recorded.refused} refused`)
    rmSync(folder, { recursive: true })
  },
)

async function expectAcknowledged(left: string, [database, log]: readonly [DiskFile, DiskFile], recorded: Recorded, end: number) {
  const due = recorded.stored.filter(({ after }) => after <= end).map(({ messageId }) => messageId)
  if (due.length === 0) return
  mkdirSync(left)
  writeFileSync(join(left, 'mail.db'), database.content)
  writeFileSync(join(left, 'mail.db-wal'), log.content)
  {
    await using store = await openSqliteStore({ folder: left, diskReserveBytes: 0, clock: Date.now })
    const found = new Set((await store.changesSince(recorded.mailboxId, 0, 100_000))?.map(change => change.messageId as string))
    expect(due.filter(messageId => !found.has(messageId))).toEqual([])
  }
  rmSync(left, { recursive: true })
}

/** Delivers to a store of its own process, through a second in which no sync succeeds, until it is killed. */
async function record(folder: string, data: string): Promise<Recorded> {
  const [library, journal, failSyncs] = [join(folder, 'journal.so'), join(folder, 'journal'), join(folder, 'fail-syncs')]
  const compiled = spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, join(import.meta.dirname, 'journal.c'), '-ldl', '-lpthread'])
  expect(compiled.stderr.toString()).toBe('')
  const child = spawn(process.execPath, [join(import.meta.dirname, 'sender.ts'), data, failSyncs, MAILS, journal], {
    env: { ...process.env, LD_PRELOAD: library, WRITE_JOURNAL: journal, FAIL_SYNCS: failSyncs },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said: string[][] = []
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === 'done') break
    said.push(line.split(' '))
  }
  child.kill('SIGKILL')
  await once(child, 'exit')
  const lines = (kind: string) => said.filter(([word]) => word === kind)
  return {
    mailboxId: lines('mailbox')[0]?.[1] as MailboxId,
    stored: lines('stored').map(([, messageId = '', after]) => ({ messageId, after: Number(after) })),
    refused: lines('refused').length,
    journal: readFileSync(journal),
  }
}
