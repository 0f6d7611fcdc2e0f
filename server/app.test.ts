import { expect, test } from 'vitest'
import { startApp } from '#server/app.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { deliver } from '#test/harness/clients/smtp-client.ts'
import { HeardLog } from '#test/harness/heard-log.ts'
import { listMessages } from '#test/harness/mayfly/start-mail.ts'
import { newFolder } from '#test/harness/until-end.ts'

test('after a restart live addresses continue, and those that expired meanwhile are gone', async () => {
  using heardLog = new HeardLog()
  const folder = newFolder()
  const config = readConfig({ HTTP_PORT: '0', SMTP_PORT: '0', HOST: '127.0.0.1', DATA_DIR: folder, DNS_SERVERS: 'off' })
  let now = Date.now()
  const start = () => startApp(config, { clock: () => now, log: heardLog.log })
  const before = await start()
  const create = (lifetimeSeconds: number) => before.mail.createAddress({ lifetimeSeconds })
  const [due, dueAtStart, live] = await Promise.all([create(60), create(300), create(301)])
  for (const { email } of [due, dueAtStart, live]) expect(await deliver(before.smtpPort, email, 'Subject: x\r\n\r\n')).toMatch(/^250 /)
  await before[Symbol.asyncDispose]()
  now += 300_000

  await using after = await start()
  for (const { email, token } of [due, dueAtStart]) {
    expect(await after.mail.openMailbox(token)).toBeUndefined()
    expect(await deliver(after.smtpPort, email, 'Subject: y\r\n\r\n').catch(String)).toContain('550 5.1.1')
  }
  const mailbox = await after.mail.openMailbox(live.token)
  expect(mailbox).toMatchObject({ email: live.email, expiresAt: live.expiresAt })
  expect(mailbox && (await listMessages(after.mail, mailbox))?.messages).toHaveLength(1)
  expect(await deliver(after.smtpPort, live.email, 'Subject: y\r\n\r\n')).toMatch(/^250 /)
  await expect.poll(() => after.store.sweep(10), { timeout: 30_000 }).toBe(0)
  expect((await after.store.health()).mailboxes).toBe(1)
})
