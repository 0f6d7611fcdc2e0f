/** Deleted and expired data leaves every row of PostgreSQL; the files of SQLite have a test of their own (test/privacy/erasure). */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findPostgres, type Postgres, startPostgres } from '../harness/servers/postgres.ts'
import { GONE_MS, Scenario } from '../privacy/erasure/scenario.ts'

const bin = findPostgres()
describe.skipIf(!bin)('with accounts in PostgreSQL (needs initdb and postgres)', () => {
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres(bin ?? '')
  })
  afterAll(() => postgres[Symbol.asyncDispose]())

  test('no row contains anything of deleted data', async () => {
    const url = await postgres.createDatabase()
    await using scenario = await Scenario.start({ DATABASE_URL: url })
    const made = await scenario.make()
    const own = made.words.filter(word => !word.includes('contact') && !word.includes('Needle'))
    const before = await readRows(url)
    expect(own.filter(word => before.includes(word))).toContain('needle key name')
    await made.remove()
    await sleep(GONE_MS)
    const after = await readRows(url)
    expect([...own, ...made.tokens].filter(word => after.includes(word))).toEqual([])
    expect(after).not.toMatch(/"sealed"|"key_hash"|"token_hash"|"link_hash"|"email_key"|"password"/)
  })
})

/** Every row of every table, as JSON. */
async function readRows(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>("select tablename as name from pg_tables where schemaname = 'public'")
    const tables = rows.filter(({ name }) => name !== 'contact_messages' && name !== 'chosen_names')
    const all: unknown[] = []
    for (const { name } of tables) all.push((await client.query(`select to_jsonb(t) as row from "${name}" t`)).rows)
    return JSON.stringify(all)
  } finally {
    await client.end()
  }
}
