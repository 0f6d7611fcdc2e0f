/** Somebody writes to mail.db: no new mail becomes readable for them, and no owner is shown an address that is not theirs. */

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, expect, test } from 'vitest'
import { mailboxCreatedSchema } from '#contract/mailbox.ts'
import { routes } from '#contract/routes.ts'
import type { Log } from '#server/platform/log.ts'
import { SmtpClient } from '#test/harness/clients/smtp-client.ts'
import { envelope, listMessages, mime, receive, startMail, type TestMail } from '#test/harness/mayfly/start-mail.ts'
import { type RunningServer, startServerProcess } from '#test/harness/mayfly/start-server-process.ts'
import { testTelemetry } from '#test/harness/mayfly/test-telemetry.ts'
import { newFolder } from '#test/harness/until-end.ts'
import { createToken, deriveMailboxKeys, hashToken, parseToken, sealAddress } from './keys/token.ts'

let folder: string
let errors: unknown[]
let refusals: number
beforeEach(() => {
  folder = newFolder()
  errors = []
  refusals = 0
})

const ignore = () => undefined
const log: Log = {
  trace: ignore,
  debug: ignore,
  info: ignore,
  warn: ignore,
  fatal: ignore,
  error: (...line: unknown[]) => void errors.push(line),
}
const start = () => startMail(folder, { log, telemetry: testTelemetry({ mailboxRefused: () => void refusals++ }) })

const create = async ({ mail }: TestMail) => (await mail.createAddress({ lifetimeSeconds: 600 })) as { email: string; token: string }
const send = ({ mail }: TestMail, email: string) => receive(mail, envelope(email), mime('new mail'))
async function subjects({ mail }: TestMail, token: string): Promise<string[] | undefined> {
  const mailbox = await mail.openMailbox(token)
  return mailbox && (await listMessages(mail, mailbox))?.messages.map(({ subject }) => subject)
}

const FAILURE = Buffer.from(JSON.stringify({ stage: 'rcpt', reply: '550 5.1.1', attempts: 1000 }))

type Columns = { readonly [column: string]: Uint8Array | number | null }
const idOf = (token: string) => Buffer.from(parseToken(token)?.mailboxId ?? '', 'base64url')
const keysOf = (token: string) => {
  const parsed = parseToken(token)
  if (!parsed) throw new Error('not a token')
  return { parsed, ...deriveMailboxKeys(parsed) }
}

/** The row of a mailbox as an attacker who knows neither its token nor the secret can write it. */
function writeRow(token: string, columns: Columns): void {
  const db = new DatabaseSync(join(folder, 'mail.db'))
  const names = Object.keys(columns)
  db.prepare(`UPDATE mailbox SET ${names.map(name => `${name} = ?`).join(', ')} WHERE mailbox_id = ?`).run(
    ...Object.values(columns),
    idOf(token),
  )
  expect(db.prepare('SELECT changes() AS n').get()).toEqual({ n: 1 })
  db.close()
}

function readRow(token: string): Columns {
  const db = new DatabaseSync(join(folder, 'mail.db'))
  const columns = 'token_hash, public_key, sealed_address, created_at, expires_at, mac'
  const row = db.prepare(`SELECT ${columns} FROM mailbox WHERE mailbox_id = ?`).get(idOf(token)) as Columns
  db.close()
  return row
}

/** A whole row for the victim's mailbox, of a token that the attacker made up for it. */
function rowOfTheirOwn(victim: string, address: string): { token: string; row: Columns } {
  const { parsed } = keysOf(victim)
  const own = createToken(parsed.mailboxId, bytes => Buffer.alloc(bytes, 7))
  const { publicKey } = deriveMailboxKeys(own)
  const sealed = sealAddress(own, address)
  return { token: own.token, row: { token_hash: hashToken(own), public_key: publicKey, sealed_address: sealed } }
}

async function prepare(): Promise<{ victim: { email: string; token: string }; attacker: { email: string; token: string } }> {
  await using core = await start()
  const [victim, attacker] = [await create(core), await create(core)]
  expect(await send(core, victim.email)).toBe('delivered')
  return { victim, attacker }
}

test('unchanged rows work after a restart', async () => {
  const { victim } = await prepare()
  await using core = await start()
  expect([await send(core, victim.email), await subjects(core, victim.token)]).toEqual(['delivered', ['new mail']])
  expect([errors, refusals]).toEqual([[], 0])
})

test.each<[string, (victim: string, attacker: string) => Columns]>([
  ['the key of the attacker', (_, attacker) => ({ public_key: keysOf(attacker).publicKey })],
  ['the whole row of the attacker, MAC included', (_, attacker) => readRow(attacker)],
  ['a later end', () => ({ expires_at: Date.UTC(2030, 0, 1), sweep_at: Date.UTC(2030, 0, 1) })],
  ['a MAC made up', () => ({ mac: Buffer.alloc(32, 1) })],
  ['no MAC', () => ({ mac: null })],
  ['a failure made up', victim => ({ mac: Buffer.concat([Buffer.from(readRow(victim).mac as Uint8Array), FAILURE]) })],
])('with %s, mail is refused temporarily', async (_, change) => {
  const { victim, attacker } = await prepare()
  writeRow(victim.token, change(victim.token, attacker.token))
  await using core = await start()
  expect(await send(core, victim.email)).toBe('unavailable')
  expect(await send(core, attacker.email)).toBe('delivered')
  expect([errors.length, refusals]).toEqual([1, 1])
  expect(JSON.stringify(errors)).not.toContain(victim.email)
})

test('a row forged for a victim’s name receives nothing, with and without a MAC', async () => {
  const { victim, attacker } = await prepare()
  const { token, row } = rowOfTheirOwn(victim.token, victim.email)
  for (const mac of [null, readRow(attacker.token).mac ?? null]) {
    writeRow(victim.token, { ...row, mac })
    await using core = await start()
    expect(await send(core, victim.email)).toBe('unavailable')
    await core.mail.openMailbox(token).catch(ignore)
    expect(await send(core, victim.email), 'after the attacker opened it').toBe('unavailable')
  }
})

test('a reader whose row has another key is refused without details', async () => {
  const { victim, attacker } = await prepare()
  writeRow(victim.token, { public_key: keysOf(attacker.token).publicKey, mac: null })
  await using core = await start()
  await expect(core.mail.openMailbox(victim.token)).rejects.toMatchObject({ code: 'unavailable' })
  await expect(core.mail.openMailbox(victim.token)).rejects.toMatchObject({ code: 'unavailable' })
  // Logged once a minute, counted each time.
  expect([errors.length, refusals]).toEqual([1, 2])
})

test('an owner is never shown another address', async () => {
  const { victim, attacker } = await prepare()
  const sealed = sealAddress(keysOf(victim.token).parsed, attacker.email)
  for (const mac of [null, Buffer.from((readRow(victim.token).mac as Uint8Array | null) ?? [])]) {
    writeRow(victim.token, { sealed_address: sealed, mac })
    await using core = await start()
    await expect(core.mail.openMailbox(victim.token)).rejects.toMatchObject({ code: 'unavailable' })
  }
})

test('a row without a MAC is refused to its owner too', async () => {
  const { victim } = await prepare()
  writeRow(victim.token, { mac: null })
  await using core = await start()
  await expect(core.mail.openMailbox(victim.token)).rejects.toMatchObject({ code: 'unavailable' })
})

test('the sender gets 451, the reader 503, and a metric counts both', { timeout: 60_000 }, async () => {
  const env = { BOT_CHECK: 'off', NETWORK_LIMIT_FACTOR: '1000' }
  const create = async ({ httpPort }: RunningServer) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`http://127.0.0.1:${httpPort}${routes.mailboxes}`, { method: 'POST', body: '{}', headers })
    return mailboxCreatedSchema.parse(await response.json())
  }
  const first = await startServerProcess({ dataDir: folder, env })
  const [victim, attacker] = [await create(first), await create(first)]
  await first.stop()
  writeRow(victim.token, { public_key: keysOf(attacker.token).publicKey })

  await using second = await startServerProcess({ dataDir: folder, env, allowLog: [/was changed by somebody else/] })
  await using client = await SmtpClient.connect(second.smtpPort)
  await client.play([
    ['EHLO sender.test', 250],
    ['MAIL FROM:<ann@sender.test>', 250],
    [`RCPT TO:<${victim.email}>`, 451],
    [`RCPT TO:<${attacker.email}>`, 250],
  ])
  const origin = `http://127.0.0.1:${second.httpPort}`
  const response = await fetch(origin + routes.mailbox, { headers: { authorization: `Bearer ${victim.token}` } })
  expect([response.status, (await response.json()).code]).toEqual([503, 'unavailable'])
  expect(await (await fetch(`${origin}/metrics`)).text()).toContain('mayfly_mailboxes_refused_total 2')
  expect(second.output()).toContain('was changed by somebody else')
})
