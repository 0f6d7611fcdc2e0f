/** What stands in the empty project that the package is installed into. */

/** Every call with its types; a wrong option is refused. */
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

/** Fails when its mail has come, which the report must then hold. */
export const FAILING_TEST = `import { expect, test } from 'mayfly-client/playwright'
test('fails', async ({ mailbox, request }) => {
  await request.post(process.env.APP_URL + '/sign-up', { form: { email: mailbox.address } })
  await mailbox.waitForMessage()
  expect(mailbox.address).toBe('nobody')
})
`
