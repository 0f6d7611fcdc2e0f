/** A mailbox per test for Playwright. When a test fails, the mails that arrived are attached to its report. */
import { test as base, type TestInfo } from '@playwright/test'
import { asyncDispose, type Mailbox } from './mailbox.ts'
import type { Mayfly } from './mayfly.ts'
import type { CreateMailboxOptions } from './options.ts'
import { mayflyFromEnvironment } from './testing.ts'

type MailboxFixtures = {
  /** A new mailbox for this test: created when the test uses it, deleted after it. */
  mailbox: Mailbox
  /** Options for creating mailboxes: `test.use({ mailboxOptions: { lifetimeSeconds: 60 } })`. */
  mailboxOptions: CreateMailboxOptions
}

type MayflyFixtures = {
  /** The server of `MAYFLY_URL` and `MAYFLY_API_KEY`: the same for all workers. `globalSetup: 'mayfly-client/global-setup'` starts one. */
  mayfly: Mayfly
}

export const test = base.extend<MailboxFixtures, MayflyFixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that are used from this pattern
  mayfly: [async ({}, use) => use(mayflyFromEnvironment()), { scope: 'worker' }],
  mailboxOptions: [{}, { option: true }],
  mailbox: async ({ mayfly, mailboxOptions }, use, testInfo) => {
    const mailbox = await mayfly.createMailbox(mailboxOptions)
    await use(mailbox)
    if (testInfo.status !== testInfo.expectedStatus) await attachMessages(mailbox, testInfo)
    await mailbox[asyncDispose]()
  },
})

export { expect } from '@playwright/test'

/** A test has failed, and its server may be the reason. */
const READ_MS_MAX = 5000

/** As `.eml`, which mail programs open, and as text, which the report shows. A failure here must not hide why the test failed. */
async function attachMessages(mailbox: Mailbox, testInfo: TestInfo): Promise<void> {
  try {
    const summaries = (await mailbox.listMessages({ timeoutMs: READ_MS_MAX })).reverse()
    if (summaries.length === 0) await attachText(testInfo, `mail to ${mailbox.address}`, 'No mail arrived at all.')
    for (const [index, { id }] of summaries.entries()) {
      const message = await mailbox.readMessage(id)
      const name = `mail ${index + 1} to ${mailbox.address}`
      const { subject, from, receivedAt, codes, text = '(no text)' } = message
      const head = [`Subject: ${subject}`, `From: ${from.name} <${from.address}>`, `Received: ${receivedAt}`, `Codes: ${codes.join(', ')}`]
      await attachText(testInfo, name, `${head.join('\n')}\n\n${text}`)
      await testInfo.attach(`${name}.eml`, { body: Buffer.from(await message.raw()), contentType: 'message/rfc822' })
    }
  } catch (error) {
    await attachText(testInfo, `mail to ${mailbox.address}`, `The mailbox could not be read: ${error}`)
  }
}

async function attachText(testInfo: TestInfo, name: string, body: string): Promise<void> {
  await testInfo.attach(name, { body, contentType: 'text/plain' })
}
