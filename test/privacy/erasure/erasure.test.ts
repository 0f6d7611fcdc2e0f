/** Deleted and expired data leaves every file within 5 s on a busy server, and nothing opens what is left. */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { proOwner } from '#server/accounts/owned-mailboxes.ts'
import { openDatabase } from '#server/database/database.ts'
import { createSecretBox } from '#server/platform/cryptography.ts'
import { loadSecret } from '#server/start/data-folder.ts'
import { sharedFolder } from '#test/harness/until-end.ts'
import { listMessages, startMail } from '../../harness/mayfly/start-mail.ts'
import { readAll, replays, valuesIn } from './forensics.ts'
import { GONE_MS, Scenario } from './scenario.ts'

/** `npm run lab -- erasure --rounds N` repeats everything. */
const ROUNDS = Number(process.env.ERASURE_ROUNDS ?? 1)
/** One more than is kept, so that the oldest is removed. */
const CONTACT_MESSAGES_MAX = 5000

const folder = sharedFolder()
const path = (name: string) => join(folder, name)

test.each(Array.from({ length: ROUNDS }, (_, round) => [round + 1]))(
  'a copy of the data folder contains nothing of deleted data, and old tokens open no earlier state of its logs: round %d',
  async () => {
    for (const name of readdirSync(folder)) rmSync(path(name), { recursive: true })
    await using scenario = await Scenario.start()
    const { dataDir } = scenario.server
    const made = await scenario.make()
    await pushOutContactMessage(scenario, dataDir)
    await scenario.copyData(path('before'), path('before-open'))
    const before = valuesIn(path('before-open'))
    const userIds = userIdsIn(path('before-open'))
    expect(await opened(path('before'), made)).toHaveLength(made.tokens.length)
    expect(userIds).toHaveLength(1)

    await made.remove()
    expectStatus(await contact(scenario), 202)
    const requestsBefore = scenario.requests
    await sleep(Math.max(0, made.expiresAtMs - Date.now()) + GONE_MS)
    await scenario.copyData(path('after'), path('after-open'))
    expect(scenario.requests - requestsBefore).toBeGreaterThan(10)
    const live = valuesIn(path('after-open'))

    // The time of a log line may be the very millisecond in which something was created.
    const output = scenario.server.output().replaceAll(/"time":"[^"]*"/g, '')
    const files = [...readAll(path('after')), { name: 'output', text: output }]
    const gone = [...before].filter(([value]) => !live.has(value))
    expect(gone.length).toBeGreaterThan(50)
    const found = gone.flatMap(([value, place]) =>
      files.filter(({ text }) => text.includes(value)).map(({ name }) => `${place} in ${name}`),
    )
    expect(found).toEqual([])
    const words = [...made.words, ...made.tokens]
    expect(words.filter(word => files.some(({ text }) => text.includes(word)))).toEqual([])

    let count = 0
    for (const replay of replays(path('after'), 'mail.db', path('replay'))) {
      expect(await opened(replay, made)).toEqual([])
      count++
    }
    for (const replay of replays(path('after'), 'site.db', path('replay'))) {
      expect(await openedWithSecret(replay, userIds)).toEqual([])
      count++
    }
    console.info(`erasure: ${gone.length} values are gone, ${count} states of the logs were opened`)
    expect(count).toBeGreaterThanOrEqual(2)
  },
)

function contact(scenario: Scenario) {
  const form = { name: 'Somebody', email: 'somebody@else.test', subject: 'Another message', message: 'Another message.' }
  return scenario.visitor().post('/api/contact', { ...form, language: 'en' })
}

/** Enough later ones for the next one to remove the first. */
async function pushOutContactMessage(scenario: Scenario, dataDir: string): Promise<void> {
  expectStatus(await contact(scenario), 202)
  using db = new DatabaseSync(join(dataDir, 'site.db'), { timeout: 5000 })
  const columns = 'name, email, subject, message, language, received_at, network'
  db.exec(`with recursive copies (n) as (select 1 union all select n + 1 from copies where n < ${CONTACT_MESSAGES_MAX - 2})
           insert into contact_messages (${columns}) select ${columns} from contact_messages, copies where id = 2`)
}

function userIdsIn(copy: string): string[] {
  using db = new DatabaseSync(join(copy, 'site.db'))
  return db
    .prepare('select id from users')
    .all()
    .map(({ id }) => String(id))
}

/** The tokens that open a mailbox of this copy, by the server's own code and at a time when all of them were live. */
async function opened(copy: string, { tokens, expiresAtMs }: { tokens: readonly string[]; expiresAtMs: number }): Promise<string[]> {
  const db = new DatabaseSync(join(copy, 'mail.db'))
  db.exec("delete from about where name = 'clock'")
  db.close()
  await using core = await startMail(copy, { secret: loadSecret(copy) })
  core.clock.set(expiresAtMs - 1000)
  const found: string[] = []
  for (const token of tokens) {
    const mailbox = await core.mail.openMailbox(token)
    const listed = mailbox && (await listMessages(core.mail, mailbox))
    if (listed && listed.messages.length > 0) found.push(token)
  }
  return found
}

/** What the secret alone opens in this copy: tokens of Pro addresses, and mail with links. */
async function openedWithSecret(copy: string, userIds: readonly string[]): Promise<unknown[]> {
  const secretBox = createSecretBox(loadSecret(copy))
  await using database = await openDatabase({ dataDir: copy })
  const open = (context: string, sealed: string) => secretBox.open(context, Buffer.from(sealed, 'base64'))
  const rows = await database.db.selectFrom('owned_mailboxes').select(['id', 'owner', 'sealed']).execute()
  const outbox = await database.db.selectFrom('outbox').select('sealed').execute()
  const tokens = rows
    .filter(({ owner }) => userIds.some(id => owner === proOwner(id)))
    .map(({ id, owner, sealed }) => open(`owned-mailbox/${owner}/${id}`, sealed))
  return [...tokens.filter(token => token !== undefined), ...outbox.map(({ sealed }) => open('outbox', sealed))]
}

function expectStatus({ status, text }: { status: number; text: string }, expected: number): void {
  if (status !== expected) throw new Error(`answered ${status}, not ${expected}: ${text}`)
}
