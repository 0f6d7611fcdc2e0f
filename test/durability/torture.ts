/**
 * Kills the server with SIGKILL under load and compares what it acknowledged with what it stores. `npm run lab -- torture` does it for
 * longer.
 */

import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MailCore } from '#server/mail/mail-core.ts'
import { createMailCore } from '#server/mail/mail-core.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { createLog } from '#server/platform/log.ts'
import { loadSecret } from '#server/start/data-folder.ts'
import { openSqliteStore } from '#server/store/sqlite/sqlite-store.ts'
import { dotted, SmtpClient } from '../harness/clients/smtp-client.ts'
import { listMessages, mailAlone, READER } from '../harness/mayfly/start-mail.ts'
import { startServerProcess } from '../harness/mayfly/start-server-process.ts'

const SENDERS = 20
const ADDRESSES = 40
const KILL_AFTER_MS = { min: 200, max: 1500 }
const FIRST_REPLY_MS_MAX = 30_000

type Address = { readonly email: string; readonly token: string; readonly expiresAt: number }
/** SHA-256 of every message by address: those with a 250, and those without a reply (which may be stored once or not at all). */
type Ledger = { readonly acknowledged: Map<string, Set<string>>; readonly unanswered: Map<string, Set<string>> }
type TortureResult = {
  readonly acknowledged: number
  readonly lost: number
  readonly doubled: number
  readonly ghosts: number
  readonly closed: number
}

/**
 * Each round starts the server on the same folder, sends until it is killed, and compares. Counts over all rounds; all but `acknowledged`
 * must be 0.
 */
export async function torture(rounds: number): Promise<TortureResult> {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-torture-'))
  const total = { acknowledged: 0, lost: 0, doubled: 0, ghosts: 0, closed: 0 }
  let previousAddresses: Address[] = []
  let previousLedger: Ledger | undefined
  try {
    for (let round = 0; round < rounds; round++) {
      const addresses = await withMail(folder, mail =>
        Promise.all(Array.from({ length: ADDRESSES }, () => mail.createAddress({ lifetimeSeconds: 600 }))),
      )
      const ledger = await sendUntilKilled(folder, addresses)
      // Compares the previous round again: a crash must not damage what an earlier one has kept.
      const comparisons = [
        compare(folder, addresses, ledger),
        ...(previousLedger ? [compare(folder, previousAddresses, previousLedger)] : []),
      ]
      for (const compareRound of comparisons) {
        const found = await compareRound()
        for (const key of ['lost', 'doubled', 'ghosts', 'closed'] as const) total[key] += found[key]
      }
      total.acknowledged += countAll(ledger.acknowledged)
      previousAddresses = addresses
      previousLedger = ledger
    }
    return total
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function sendUntilKilled(folder: string, addresses: readonly Address[]): Promise<Ledger> {
  const ledger: Ledger = { acknowledged: new Map(), unanswered: new Map() }
  const server = await startServerProcess({ dataDir: folder, env: { DNS_SERVERS: 'off' } })
  const senders = Array.from({ length: SENDERS }, () => send(server.smtpPort, addresses, ledger).catch(() => undefined))
  // On a busy machine the first 250 may take seconds, and before it there is nothing to lose.
  const giveUpAt = performance.now() + FIRST_REPLY_MS_MAX
  while (ledger.acknowledged.size === 0 && performance.now() < giveUpAt) await sleep(20)
  await sleep(KILL_AFTER_MS.min + Math.random() * (KILL_AFTER_MS.max - KILL_AFTER_MS.min))
  await server.kill9()
  await Promise.all(senders)
  return ledger
}

/** Sends one message after the other until the connection is lost. Some go to two mailboxes at once. */
async function send(port: number, addresses: readonly Address[], { acknowledged, unanswered }: Ledger): Promise<void> {
  await using client = await SmtpClient.connect(port)
  await client.play([['EHLO torture.test', 250]])
  for (;;) {
    const to = [pick(addresses), ...(Math.random() < 0.2 ? [pick(addresses)] : [])]
    const raw = aMessage()
    const hash = sha256(raw)
    for (const { email } of to) note(unanswered, email, hash)
    await client.play([
      ['MAIL FROM:<torture@sender.test>', 250],
      ...to.map(({ email }) => [`RCPT TO:<${email}>`, 250] as const),
      ['DATA', 354],
    ])
    client.send(dotted(raw))
    if ((await client.reply()).startsWith('250')) for (const { email } of to) note(acknowledged, email, hash)
  }
}

function compare(folder: string, addresses: readonly Address[], ledger: Ledger) {
  return () =>
    withMail(folder, async mail => {
      const found = { lost: 0, doubled: 0, ghosts: 0, closed: 0 }
      for (const address of addresses) {
        const mailbox = await mail.openMailbox(address.token)
        const listed = mailbox && (await listMessages(mail, mailbox))
        if (!mailbox || !listed || mailbox.expiresAt !== address.expiresAt) {
          found.closed += 1
          continue
        }
        const hashes: string[] = []
        // One after the other, because few reads of a mailbox may wait (server/mail/reading/read-queue.ts).
        for (const { id } of listed.messages) hashes.push(sha256((await mail.readRaw(mailbox, id, READER)) ?? Buffer.alloc(0)))
        const there = new Set(hashes)
        const sent = ledger.unanswered.get(address.email) ?? new Set()
        found.lost += [...(ledger.acknowledged.get(address.email) ?? [])].filter(hash => !there.has(hash)).length
        found.ghosts += hashes.filter(hash => !sent.has(hash)).length
        found.doubled += hashes.length - there.size
      }
      return found
    })
}

async function withMail<Result>(folder: string, use: (mail: MailCore) => Promise<Result>): Promise<Result> {
  const config = readConfig({ DATA_DIR: folder })
  // Before the store, as in the server, which refuses a database without a secret.
  const secret = loadSecret(folder)
  await using store = await openSqliteStore({ folder, diskReserveBytes: 0, clock: Date.now })
  const basics = { config, secret, clock: Date.now, log: createLog('silent') }
  await using mail = createMailCore({ ...basics, ...mailAlone(config, Date.now), store })
  return await use(mail)
}

function aMessage(): Buffer {
  const id = randomBytes(12).toString('hex')
  const lines = Array.from({ length: Math.ceil(Math.random() * 60) }, () => `${randomBytes(30).toString('base64')}\r\n`)
  return Buffer.from(`Message-ID: <${id}@torture.test>\r\nSubject: ${id}\r\n\r\n${lines.join('')}`)
}

function pick(addresses: readonly Address[]): Address {
  const address = addresses[Math.floor(Math.random() * addresses.length)]
  if (!address) throw new Error('there is no address to send to')
  return address
}

function note(ledger: Map<string, Set<string>>, email: string, hash: string): void {
  ledger.set(email, (ledger.get(email) ?? new Set()).add(hash))
}

function countAll(ledger: Map<string, Set<string>>): number {
  return [...ledger.values()].reduce((count, hashes) => count + hashes.size, 0)
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
