import type { KyselyPlugin } from 'kysely'
import { expect, test } from 'vitest'
import { openDatabase } from '#server/database/database.ts'
import { readConfig } from '#server/platform/config/config.ts'
import type { MailboxId } from '#server/store/store.ts'
import { HeardLog } from '#test/harness/heard-log.ts'
import { testDatabaseAccess } from '#test/harness/mayfly/test-database-access.ts'
import { testTelemetry } from '#test/harness/mayfly/test-telemetry.ts'
import { newFolder } from '#test/harness/until-end.ts'
import { openPush } from './push.ts'

test('mails that nobody subscribed to ask the database once, not once each', async () => {
  let queries = 0
  const counting: KyselyPlugin = {
    transformQuery({ node }) {
      queries++
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const config = readConfig({ DATA_DIR: newFolder() })
  const heard = new HeardLog()
  await using database = await openDatabase(config)
  const secret = 'a secret of a test, long enough'
  const access = { ...testDatabaseAccess(database, { log: heard.log }), db: database.db.withPlugin(counting) }
  const push = openPush(access, { config, secret, contact: 'help@mayfly.test', isLive: async () => true, telemetry: testTelemetry() })
  for (let mail = 0; mail < 100; mail++) push?.mailStored(`mailbox ${mail}` as MailboxId, [])
  await push?.[Symbol.asyncDispose]()
  expect(queries).toBe(1)
  heard.check()
})
