/** Webhooks as a test receives them, from the mail to `waitForWebhook`. */
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { untilEnd } from '#test/harness/until-end.ts'
import { Mayfly, verifyWebhook } from '../../client/index.ts'
import { receiveWebhooks } from '../../client/testing.ts'
import { composeMail, startClient } from './start-client.ts'

const client = await untilEnd(startClient({ DNS_SERVERS: 'off', WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' }))

test('a test waits for the webhook of its mail, of one mailbox or of a key, and leaves none behind', async () => {
  await using mailbox = await client.mayfly.createMailbox()
  {
    await using ofMailbox = await receiveWebhooks(mailbox)
    await using ofKey = await receiveWebhooks(client.mayfly)
    await client.server.deliverRaw(mailbox.address, composeMail(mailbox.address))
    const [row] = await mailbox.listMessages()
    for (const received of [ofMailbox, ofKey]) {
      const { type, data } = await received.waitForWebhook({ messageId: row?.id })
      expect([type, data.mailboxId, data.messageId]).toEqual(['message.received', mailbox.id, row?.id])
    }
    expect(await client.mayfly.webhooks.test(ofKey.webhook.id)).toMatchObject({ delivered: true, status: 204 })
    expect(await ofKey.waitForWebhook({ type: 'webhook.test' })).toMatchObject({ data: { webhookId: ofKey.webhook.id } })
    await expect(ofKey.waitForWebhook({ timeoutMs: 200 }), 'each event once').rejects.toMatchObject({ code: 'timeout' })
  }
  expect([await mailbox.webhooks.list(), await client.mayfly.webhooks.list()]).toEqual([[], []])
})

test('a URL that the server may not call is refused, and a misspelt or wrong option named', async () => {
  await expect(client.mayfly.webhooks.create('http://10.0.0.1/')).rejects.toMatchObject({ code: 'webhook_target_refused' })
  // @ts-expect-error: there is no such option
  await expect(receiveWebhooks(client.mayfly, { hostname: 'x' })).rejects.toThrow(/receiveWebhooks has no option "hostname"/)
  await expect(receiveWebhooks(client.mayfly, { port: 65_536 })).rejects.toThrow('port must be a port from 0 to 65535, not 65536')
})

test('what comes before the secret is known is to be sent again', async () => {
  const early: number[] = []
  /** Posts to the new webhook before it answers. */
  const server = createServer(async (request, response) => {
    if (request.method === 'DELETE') return void response.writeHead(204).end()
    const { url } = (await json(request)) as { url: string }
    early.push((await fetch(url, { method: 'POST', body: '{}' })).status)
    const webhook = { id: 'w', url, createdAt: '2026-03-01T12:00:00.000Z', failures: 0, secret: `whsec_${'A'.repeat(32)}` }
    response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(webhook))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  try {
    const mayfly = new Mayfly({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, apiKey: 'key' })
    await using received = await receiveWebhooks(mayfly)
    await expect(received.waitForWebhook({ timeoutMs: 100 })).rejects.toThrow('None came')
  } finally {
    server.closeAllConnections()
    server.close()
  }
  expect(early).toEqual([503])
})

describe('verifyWebhook', () => {
  const key = Buffer.from('0123456789abcdef01234567')
  const secret = `whsec_${key.toString('base64')}`
  const body = JSON.stringify({ type: 'message.received', timestamp: '2026-03-01T12:00:00.000Z', data: { messageId: 'm' } })
  const sign = (seconds: number, signedBody = body) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,bm90aGluZw== v1,${createHmac('sha256', key).update(`msg_1.${seconds}.${signedBody}`).digest('base64')}`,
  })
  const now = () => Math.floor(Date.now() / 1000)

  test('accepts one of several signatures, from the headers of Node, of Fetch and of a gateway that keeps their case', async () => {
    const kept = Object.fromEntries(Object.entries(sign(now())).map(([name, value]) => [name.replace('webhook', 'Webhook'), value]))
    for (const headers of [sign(now()), new Headers(sign(now())), kept]) {
      expect(await verifyWebhook(secret, { headers, body })).toMatchObject({ id: 'msg_1', data: { messageId: 'm' } })
    }
  })

  test.each([
    ['another body', () => sign(now(), '{}'), 'another secret'],
    ['an old request', () => sign(now() - 301), 'last five minutes'],
    ['no headers', () => ({}), 'last five minutes'],
    ['a signature that is no base64', () => ({ ...sign(now()), 'webhook-signature': 'v1,%%' }), 'another secret'],
    ['a signature that is half a base64 character', () => ({ ...sign(now()), 'webhook-signature': 'v1,a' }), 'another secret'],
  ])('refuses %s', async (_, headers, reason) => {
    const refused = verifyWebhook(secret, { headers: headers(), body })
    await expect(refused).rejects.toMatchObject({ code: 'webhook_invalid', message: expect.stringContaining(reason) })
  })

  test.each(['not json', '[]', '{"type":"message.received"}'])('refuses the signed body %j, which is no event', async signedBody => {
    const refused = verifyWebhook(secret, { headers: sign(now(), signedBody), body: signedBody })
    await expect(refused).rejects.toMatchObject({ code: 'webhook_invalid', message: expect.stringContaining('no event of Mayfly') })
  })

  test.each([undefined, '', 'whsec_', 'whsec_a', 'whsec_%%', 'whsec_c2hvcnQ='])(
    'refuses everything with the secret %j, which is none',
    async none => {
      const headers = {
        ...sign(now()),
        'webhook-signature': `v1,${createHmac('sha256', '').update(`msg_1.${now()}.${body}`).digest('base64')}`,
      }
      const message = expect.stringContaining('none of a webhook')
      await expect(verifyWebhook(none as string, { headers, body })).rejects.toMatchObject({ code: 'webhook_invalid', message })
    },
  )
})
