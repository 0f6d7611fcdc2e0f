/** As many waits as a large test farm has, on one server at once. */
import { expect, test } from 'vitest'
import { createApiToken } from '#server/accounts/api-credentials.ts'
import { Mayfly } from '../../client/index.ts'
import { SmtpClient } from '../harness/clients/smtp-client.ts'
import { startServerProcess } from '../harness/mayfly/start-server-process.ts'
import { composeMail } from './start-client.ts'

const WAITS = 1000
const SENDERS = 10

test(`${WAITS} waits at once each get the code of their own mailbox`, { timeout: 300_000 }, async () => {
  // All of them come from one network.
  const { token, sha256 } = createApiToken()
  await using server = await startServerProcess({ env: { API_TOKENS: `tests:${sha256}`, NETWORK_LIMIT_FACTOR: '10', DNS_SERVERS: 'off' } })
  let waiting = 0
  let allWait = () => {}
  const everyoneWaits = new Promise<void>(resolve => {
    allWait = resolve
  })
  const counting: typeof fetch = (input, init) => {
    if (String(input).includes('/wait') && ++waiting === WAITS) allWait()
    return fetch(input, init)
  }
  const mayfly = new Mayfly({ url: `http://127.0.0.1:${server.httpPort}`, apiKey: token, fetch: counting })
  const mailboxes = await mayfly.createMailboxes(WAITS)
  const codes = mailboxes.map((_, index) => String(100_000 + index * 7))
  const found = Promise.all(mailboxes.map(mailbox => mailbox.waitForCode({ from: 'shop.test', timeoutMs: 240_000 })))
  await everyoneWaits

  await Promise.all(
    Array.from({ length: SENDERS }, async (_, sender) => {
      await using smtp = await SmtpClient.connect(server.smtpPort)
      await smtp.play([['EHLO shop.test', 250]])
      for (const [index, { address }] of mailboxes.entries()) {
        if (index % SENDERS !== sender) continue
        const mail = composeMail(address, { text: `Your code is ${codes[index]}.` })
        await smtp.play([
          ['MAIL FROM:<hello@shop.test>', 250],
          [`RCPT TO:<${address}>`, 250],
          ['DATA', 354],
          [`${mail}.`, 250],
        ])
      }
    }),
  )
  expect(await found).toEqual(codes)
})
