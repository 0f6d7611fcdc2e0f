/**
 * A server whose control group has 512 MiB, and twelve senders of the largest mail at once: it refuses for a while what does not fit, and
 * survives.
 */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MIB } from '#contract/limits.ts'
import { mailboxCreatedSchema } from '#contract/mailbox.ts'
import { routes } from '#contract/routes.ts'
import { deliver } from '../harness/clients/smtp-client.ts'
import { startServerProcess } from '../harness/mayfly/start-server-process.ts'

const LIMIT_BYTES = 512 * MIB
const SENDERS = 12
const MAIL_BYTES = 24 * MIB

const root = ['/sys/fs/cgroup', '/sys/fs/cgroup/memory'].find(folder => existsSync(join(folder, 'cgroup.procs')))
const group = join(root ?? '', `mayfly-limit-${process.pid}`)
const canLimit = process.getuid?.() === 0 && root !== undefined && makeGroup()

/** Created when tests are collected, so that a machine without the necessary rights skips them. */
function makeGroup(): boolean {
  try {
    mkdirSync(group)
    const file = ['memory.max', 'memory.limit_in_bytes'].map(name => join(group, name)).find(existsSync)
    if (file === undefined) return false
    writeFileSync(file, String(LIMIT_BYTES))
    return true
  } catch {
    return false
  }
}

let folder: string
beforeAll(() => {
  // On a disk: files in memory would count for the group as well.
  folder = mkdtempSync(join(existsSync('/var/tmp') ? '/var/tmp' : tmpdir(), 'mayfly-limit-'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await sleep(200)
  if (existsSync(group)) rmdirSync(group)
})

/** Node, moved to the group before it starts. */
function limitedNode(): string {
  const path = join(folder, 'node')
  writeFileSync(path, `#!/bin/sh\necho $$ > ${join(group, 'cgroup.procs')} && exec "${process.execPath}" "$@"\n`)
  chmodSync(path, 0o755)
  return path
}

/** How often the kernel killed a process of the group. */
function kills(): number {
  const file = ['memory.events', 'memory.oom_control'].map(name => join(group, name)).find(existsSync) ?? ''
  return Number(/^oom_kill (\d+)$/m.exec(readFileSync(file, 'utf8'))?.[1])
}

test.skipIf(!canLimit)(
  'in 512 MiB, twelve mails of 24 MiB at once do not kill the process (needs root and a writable /sys/fs/cgroup)',
  { timeout: 240_000 },
  async () => {
    const env = { BOT_CHECK: 'off', DNS_SERVERS: 'off', NETWORK_LIMIT_FACTOR: '1000', LOG_LEVEL: 'info' }
    await using server = await startServerProcess({ node: limitedNode(), dataDir: join(folder, 'data'), env })
    expect(server.output()).toContain(
      'Of 512 MiB of memory, mail being received may take 96 MiB, sealed copies 32 MiB and responses 64 MiB',
    )

    const raw = `Subject: large\r\n\r\n${`${'x'.repeat(76)}\r\n`.repeat(Math.floor(MAIL_BYTES / 78))}`
    const send = async () => {
      const headers = { 'content-type': 'application/json' }
      const created = await fetch(`http://127.0.0.1:${server.httpPort}${routes.mailboxes}`, { method: 'POST', body: '{}', headers })
      const { email } = mailboxCreatedSchema.parse(await created.json())
      const reply = await deliver(server.smtpPort, email, raw).catch(String)
      // A refusal may come before the message is sent, and ends the transaction.
      return /\b(?:250 2\.0\.0|452 4\.3\.1)\b/.exec(reply)?.[0] ?? reply
    }
    const replies = await Promise.all(Array.from({ length: SENDERS }, send))
    expect(replies.filter(reply => reply !== '250 2.0.0' && reply !== '452 4.3.1')).toEqual([])
    expect(replies).toContain('250 2.0.0')
    expect(kills()).toBe(0)
    expect(await send()).toBe('250 2.0.0')
    expect(await server.stop()).toBe(0)
  },
)
