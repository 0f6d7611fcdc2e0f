/** Where the site listens, and SIGTERM as senders, readers, visitors and a load balancer see it. */
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { streamEventSchema } from '#contract/mailbox.ts'
import { routes } from '#contract/routes.ts'
import { dotted, SmtpClient } from '#test/harness/clients/smtp-client.ts'
import { type RunningServer, startServerProcess } from '#test/harness/mayfly/start-server-process.ts'
import { startTestServer } from '#test/harness/mayfly/start-test-server.ts'
import { saidBy } from '#test/harness/said-by.ts'

const ENV = { BOT_CHECK: 'off', DNS_SERVERS: 'off' }
const JSON_TYPE = { 'content-type': 'application/json' }

async function createMailbox(url: string): Promise<{ email: string; token: string }> {
  return await (await fetch(url + routes.mailboxes, { method: 'POST', body: '{}', headers: JSON_TYPE })).json()
}

const DATA_STARTED = (email: string) =>
  [
    ['EHLO client.test', 250],
    ['MAIL FROM:<sender@elsewhere.test>', 250],
    [`RCPT TO:<${email}>`, 250],
    ['DATA', 354],
  ] as const

test('readiness fails first while everything is still served, then running work finishes', async () => {
  // What `/readyz` answers while the server stops.
  const allowLog = [/"code":"unavailable".*"msg":"Request failed"/]
  await using server = await startServerProcess({ env: { ...ENV, SHUTDOWN_DELAY_SECONDS: '2' }, allowLog })
  const url = `http://127.0.0.1:${server.httpPort}`
  const { email, token } = await createMailbox(url)
  const stream = fetch(url + routes.events, { headers: { authorization: `Bearer ${token}` } }).then(response => response.text())
  await using idle = await SmtpClient.connect(server.smtpPort)
  await using sending = await SmtpClient.connect(server.smtpPort)
  await sending.play(DATA_STARTED(email))
  const slowRequest = startSlowRequest(server)

  const stopped = server.stop()
  await expect.poll(async () => (await fetch(url + routes.readyz)).status).toBe(503)
  const served = await fetch(url + routes.healthz)
  expect([served.status, served.headers.get('connection')]).toEqual([200, 'close'])
  await createMailbox(url)
  await using late = await SmtpClient.connect(server.smtpPort)

  expect(await idle.reply()).toMatch(/^421 4\.3\.2/)
  expect(await late.reply()).toMatch(/^421 4\.3\.2/)
  await expect(fetch(url + routes.healthz)).rejects.toThrow()
  await sending.play([[dotted('Subject: on its way\r\n\r\n'), '250 2.0.0']])
  expect(await slowRequest.finish()).toMatch(/^HTTP\/1\.1 201 [\s\S]*connection: close\r\n/i)
  const [, retry = '', data = ''] = /retry: (\d+)\nevent: reconnect\ndata: (.*)\n\n$/.exec(await stream) ?? []
  expect(streamEventSchema.parse(JSON.parse(data))).toEqual({ type: 'reconnect', afterMs: Number(retry) })
  expect(await stopped).toBe(0)
})

test('with an address in HTTP_PORT the site listens there alone, and mail still comes in at HOST', async () => {
  await using server = await startTestServer({ env: { HOST: '0.0.0.0', HTTP_PORT: '127.0.0.1:0' } })
  const { httpPort, smtpPort } = server.app
  expect((await fetch(`http://127.0.0.1:${httpPort}${routes.healthz}`)).status).toBe(200)
  await expect(fetch(`http://127.0.0.2:${httpPort}${routes.healthz}`)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
  await using sender = await SmtpClient.connect(smtpPort, { host: '127.0.0.2' })
  await sender.play([['QUIT', 221]])
})

/** A request that is under way: its body is still missing. */
function startSlowRequest({ httpPort }: RunningServer) {
  const socket = connect(httpPort, '127.0.0.1')
  socket.write(`POST ${routes.mailboxes} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n`)
  const heard = saidBy(socket)
  return {
    async finish() {
      const closed = new Promise(resolve => socket.once('close', resolve))
      socket.write('{}')
      await closed
      return heard()
    },
  }
}

test('a sender and a visitor who never finish delay the stop at most for the drain time', async () => {
  await using server = await startServerProcess({ env: ENV })
  const { email } = await createMailbox(`http://127.0.0.1:${server.httpPort}`)
  await using sending = await SmtpClient.connect(server.smtpPort)
  await sending.play(DATA_STARTED(email))
  const endless = request({ port: server.httpPort, host: '127.0.0.1', method: 'POST', path: routes.mailboxes, headers: JSON_TYPE })
  endless.on('error', () => undefined)
  endless.write('{')
  await sleep(200)
  // A stop that takes longer than that ends with another code.
  expect(await server.stop()).toBe(0)
  expect(await sending.reply()).toMatch(/^421 4\.3\.2/)
})

test('an idle connection that a browser opened in advance does not delay the stop', { timeout: 40_000 }, async () => {
  const server = await startTestServer({ config: { shutdownDrainMs: 60_000 } })
  const ahead = connect(server.app.httpPort, '127.0.0.1')
  const closed = once(ahead, 'close')
  await once(ahead, 'connect')
  await fetch(`http://127.0.0.1:${server.app.httpPort}${routes.healthz}`)
  await server[Symbol.asyncDispose]()
  await closed
})
