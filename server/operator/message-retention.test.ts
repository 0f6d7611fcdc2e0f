/** That the application deletes old messages, on a data folder with some; test/suites/operator-suite.ts has the rule itself. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { DAY_MS } from '#contract/limits.ts'
import { routes } from '#contract/routes.ts'
import { startApp } from '#server/app.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { HeardLog } from '#test/harness/heard-log.ts'

test('a start deletes what is older than CONTACT_DAYS, and logs how much of what', async () => {
  using heardLog = new HeardLog()
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-retention-'))
  try {
    const base = { HTTP_PORT: '0', SMTP_PORT: '0', HOST: '127.0.0.1', DATA_DIR: folder, BOT_CHECK: 'off', DNS_SERVERS: 'off' }
    const config = readConfig({ ...base, CONTACT_DAYS: '20' })
    let now = Date.now() - 21 * DAY_MS
    const clock = () => now
    {
      await using app = await startApp(config, { log: heardLog.log, clock, siteFolder: folder })
      await sendMessage(app.httpPort, 'Sent 21 days ago')
      now += 2 * DAY_MS
      await sendMessage(app.httpPort, 'Sent 19 days ago')
      expect(readSubjects(folder)).toEqual(['Sent 21 days ago', 'Sent 19 days ago'])
    }
    now += 19 * DAY_MS
    const lines: unknown[][] = []
    const log = Object.assign(heardLog.log, { info: (...line: unknown[]) => void lines.push(line) })
    {
      await using _ = await startApp(config, { log, clock, siteFolder: folder })
      await expect.poll(() => readSubjects(folder)).toEqual(['Sent 19 days ago'])
    }
    const deleted = { contactMessages: 1, abuseReports: 0, operatorMessages: 0, keptDays: 20 }
    expect(lines).toContainEqual([deleted, 'Old messages to the operator were deleted'])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

async function sendMessage(port: number, subject: string): Promise<void> {
  const form = { name: 'Ada L.', email: 'ada@example.com', subject, message: 'For how long is this kept?' }
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`http://127.0.0.1:${port}${routes.contact}`, { method: 'POST', headers, body: JSON.stringify(form) })
  expect(response.status).toBeLessThan(300)
}

function readSubjects(folder: string): unknown[] {
  const database = new DatabaseSync(join(folder, 'site.db'), { readOnly: true })
  try {
    return database
      .prepare('select subject from contact_messages order by id')
      .all()
      .map(({ subject }) => subject)
  } finally {
    database.close()
  }
}
