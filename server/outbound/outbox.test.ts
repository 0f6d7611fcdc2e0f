/** Outgoing mail at a stop. */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '#server/database/database.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { HeardLog } from '#test/harness/heard-log.ts'
import { testDatabaseAccess } from '#test/harness/mayfly/test-database-access.ts'
import { testTelemetry } from '#test/harness/mayfly/test-telemetry.ts'
import { createMailOut } from './mail-out.ts'
import { Outbox } from './outbox.ts'

test('a relay that does not reply keeps no server from stopping, and every mail is due at the next start', async () => {
  const connected: unknown[] = []
  const relay = createServer(socket => void connected.push(socket.on('error', () => undefined)))
  await once(relay.listen(0, '127.0.0.1'), 'listening')
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-outbox-'))
  try {
    using heardLog = new HeardLog()
    const config = readConfig({ SMTP_RELAY_URL: `smtp://127.0.0.1:${(relay.address() as AddressInfo).port}`, DATA_DIR: folder })
    await using database = await openDatabase({ ...config, log: heardLog.log })
    const access = testDatabaseAccess(database, { log: heardLog.log })
    await using mailOut = createMailOut(config)
    const outbox = new Outbox({ ...access, mailOut, telemetry: testTelemetry() })
    for (const subject of ['one', 'two', 'three'])
      await outbox.enqueue({ to: 'ada@example.com', subject, text: '' }, { givesUpAfterMs: 600_000 })
    await expect.poll(() => connected.length).toBe(1)
    await outbox[Symbol.asyncDispose]()
    expect(connected).toHaveLength(1)
    const kept = await database.db.selectFrom('outbox').select('next_attempt_at').execute()
    expect(kept.map(({ next_attempt_at }) => next_attempt_at <= access.clock())).toEqual([true, true, true])
  } finally {
    relay.close()
    rmSync(folder, { recursive: true })
  }
})
