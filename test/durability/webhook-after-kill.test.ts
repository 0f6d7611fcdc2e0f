/** A process that is killed right after its 250 loses no webhook: real processes, SIGKILL, a real receiver. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { mailboxCreatedSchema, messageListSchema } from '#contract/mailbox.ts'
import { routes } from '#contract/routes.ts'
import { newFolder } from '#test/harness/until-end.ts'
import { dotted, SmtpClient } from '../harness/clients/smtp-client.ts'
import { startServerProcess } from '../harness/mayfly/start-server-process.ts'
import { bearer } from '../harness/mayfly/start-test-server.ts'

const TOKEN = `mft_${'k'.repeat(43)}`
const ROUNDS = 4

test('each message acknowledged before a SIGKILL has its webhook once after the next start', { timeout: 180_000 }, async () => {
  const told: string[] = []
  const receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    told.push(JSON.parse(Buffer.concat(chunks).toString()).data.messageId)
    response.writeHead(204).end()
  })
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  const dataDir = newFolder()
  const env = {
    API_TOKENS: `ci:${createHash('sha256').update(TOKEN).digest('hex')}`,
    WEBHOOK_ALLOW_PRIVATE: '127.0.0.1',
    DNS_SERVERS: 'off',
  }
  const ask = (port: number, path: string, token: string, body?: unknown) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { ...bearer(token), 'content-type': 'application/json' },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    })
  try {
    let mailbox: { email: string; token: string } | undefined
    for (let round = 0; round < ROUNDS; round++) {
      const server = await startServerProcess({ env, dataDir })
      if (!mailbox) {
        const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
        expect((await ask(server.httpPort, routes.webhooks, TOKEN, { url })).status).toBe(201)
        mailbox = mailboxCreatedSchema.parse(await (await ask(server.httpPort, routes.mailboxes, TOKEN, {})).json())
      }
      const sender = await SmtpClient.connect(server.smtpPort)
      await sender.beginMail(mailbox.email, 'a@kill.test')
      sender.send(dotted(`From: A <a@kill.test>\r\nSubject: Round ${round}\r\n\r\nHello.\r\n`))
      expect(await sender.reply()).toMatch(/^250/)
      await server.kill9()
      await sender[Symbol.asyncDispose]()
    }
    const server = await startServerProcess({ env, dataDir })
    const list = await (await ask(server.httpPort, routes.messages, mailbox?.token ?? '')).json()
    const ids = messageListSchema.parse(list).messages.map(({ id }) => id)
    expect(ids).toHaveLength(ROUNDS)
    // A kill between the message and its confirmation leaves the webhook to the search for such, a minute later.
    await expect.poll(() => [...new Set(told)].sort(), { timeout: 120_000 }).toEqual(ids.sort())
    expect(await server.stop()).toBe(0)
  } finally {
    receiver.close()
  }
})
