/**
 * What remains after a power cut on Linux: a write is on the disk once a later sync of its file has succeeded. A write that was
 * waiting when a sync failed is lost, although it can still be read until the power cut.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import type { MailboxId } from '../../store.ts'
import { openSqliteStore } from '../sqlite-store.ts'

const canRun = process.platform === 'linux' && spawnSync('cc', ['--version']).status === 0
const HEAD_BYTES = 18

type Step = { readonly op: string; readonly file: number; readonly offset: number; readonly data: Buffer }

test.skipIf(!canRun)('nothing acknowledged is lost in a power cut after failed syncs (needs Linux and a C compiler)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-power-'))
  const [data, library, journal, failSyncs] = ['data', 'journal.so', 'journal', 'fail-syncs'].map(name => join(folder, name)) as [
    string,
    string,
    string,
    string,
  ]
  const compiled = spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, join(import.meta.dirname, 'journal.c'), '-ldl', '-lpthread'])
  expect(compiled.stderr.toString()).toBe('')
  await (await openSqliteStore({ folder: data, diskReserveBytes: 0, clock: Date.now }))[Symbol.asyncDispose]()
  const start = readFileSync(join(data, 'mail.db'))
  const env = { ...process.env, LD_PRELOAD: library, WRITE_JOURNAL: journal, FAIL_SYNCS: failSyncs }
  const child = spawn(process.execPath, [join(import.meta.dirname, 'sender.ts'), data, failSyncs], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    said.push(line)
    if (line === 'done') break
  }
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(said.filter(line => line === 'refused').length).toBeGreaterThan(0)
  const mailboxId = said.find(line => line.startsWith('mailbox '))?.slice('mailbox '.length) as MailboxId
  const stored = said.filter(line => line.startsWith('stored ')).map(line => line.slice('stored '.length))
  expect(stored.length).toBeGreaterThanOrEqual(20)

  const left = join(folder, 'left')
  mkdirSync(left)
  const [database, log] = onDisk(parseSteps(readFileSync(journal)), [start, Buffer.alloc(0)])
  writeFileSync(join(left, 'mail.db'), database ?? '')
  writeFileSync(join(left, 'mail.db-wal'), log ?? '')
  {
    await using store = await openSqliteStore({ folder: left, diskReserveBytes: 0, clock: Date.now })
    const found = (await store.changesSince(mailboxId, 0, 1000))?.map(change => change.messageId) ?? []
    expect(found).toEqual(expect.arrayContaining(stored))
  }
  rmSync(folder, { recursive: true })
})

function parseSteps(journal: Buffer): Step[] {
  const steps: Step[] = []
  for (let at = 0; at < journal.length; ) {
    const op = String.fromCharCode(journal[at] ?? 0)
    const end = at + HEAD_BYTES + (op === 'w' ? Number(journal.readBigUInt64LE(at + 10)) : 0)
    steps.push({
      op,
      file: journal[at + 1] ?? 0,
      offset: Number(journal.readBigUInt64LE(at + 2)),
      data: journal.subarray(at + HEAD_BYTES, end),
    })
    at = end
  }
  return steps
}

/** What the disk holds in the end of files that began as `start`. */
function onDisk(steps: readonly Step[], start: readonly Buffer[]): Buffer[] {
  return start.map((bytes, file) => {
    let disk = bytes
    let waiting: Step[] = []
    for (const step of steps) {
      if (step.file !== file) continue
      if (step.op === 'w' || step.op === 't') waiting.push(step)
      if (step.op === 's') disk = waiting.reduce(applied, disk)
      if (step.op === 's' || step.op === 'f') waiting = []
    }
    return disk
  })
}

function applied(disk: Buffer, { op, offset, data }: Step): Buffer {
  if (op === 't') return disk.length > offset ? disk.subarray(0, offset) : Buffer.concat([disk, Buffer.alloc(offset - disk.length)])
  const grown =
    disk.length >= offset + data.length ? Buffer.from(disk) : Buffer.concat([disk, Buffer.alloc(offset + data.length - disk.length)])
  data.copy(grown, offset)
  return grown
}
