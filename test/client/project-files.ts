/** The files of the empty project into which the package is installed. */

/** Every call with its types, and a wrong option that must not compile. */
export const USED_STRICTLY = `import { MailTimeoutError, Mayfly, type Message } from 'mayfly-client'
const mayfly = new Mayfly({ url: 'http://localhost:8080' })
await using mailbox = await mayfly.createMailbox({ lifetimeSeconds: 60 })
const message: Message = await mailbox.waitForMessage({ from: 'shop', timeoutMs: 1000, after: new Date() }).catch((error: unknown) => {
  throw error instanceof MailTimeoutError ? new Error(error.arrived.map(({ subject }) => subject).join()) : error
})
for await (const next of mailbox.messages({ after: message })) console.log(next.header('subject')?.length, await next.attachments[0]?.text())
// @ts-expect-error: there is no such option
await mailbox.waitForCode({ sender: 'x' })
`

/** A module of CommonJS, whose compiler wants declarations of its own kind. */
export const USED_BY_COMMON_JS = `import { Mayfly, MailTimeoutError, type Message } from 'mayfly-client'
import { withMailbox } from 'mayfly-client/testing'
const mayfly = new Mayfly({ url: 'http://localhost:8080' })
const first: Promise<Message> = withMailbox(mailbox => mailbox.waitForMessage({ timeoutMs: 1000 }), { mayfly })
first.catch(error => console.log(error instanceof MailTimeoutError && error.ignored.map(({ reason }) => reason)))
`

/** For other runtimes than Node: creates, waits, reads live, checks and deletes. */
export const USED_BY_OTHER_RUNTIMES = `import process from 'node:process'
import { withMailbox } from 'mayfly-client/testing'
const page = await withMailbox(async mailbox => {
  const post = (path, form) => fetch(process.env.APP_URL + path, { method: 'POST', body: new URLSearchParams({ email: mailbox.address, ...form }) })
  await post('/sign-up')
  const code = await mailbox.waitForCode({ from: 'garden-club.example' })
  for await (const message of mailbox.messages()) {
    if (message.codes[0] !== code || (await message.check()).links.length > 0) throw new Error('another mail')
    break
  }
  return (await post('/confirm', { code })).text()
}, { lifetimeSeconds: 60 })
console.log(page)
`

/** Fails after its mail has arrived, so that the report must contain that mail. */
export const FAILING_TEST = `import { expect, test } from 'mayfly-client/playwright'
test('fails', async ({ mailbox, request }) => {
  await request.post(process.env.APP_URL + '/sign-up', { form: { email: mailbox.address } })
  await mailbox.waitForMessage()
  expect(mailbox.address).toBe('nobody')
})
`
