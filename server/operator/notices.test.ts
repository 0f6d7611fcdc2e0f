/** What the operator hears of by mail, through a real relay, and by webhook, at a real receiver. */
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { routes } from '#contract/routes.ts'
import { selfSign } from '#server/platform/certificates/self-signed.ts'
import { startTestServer } from '#test/harness/mayfly/start-test-server.ts'

const OPERATOR = 'operator@elsewhere.test'

/** Of the operator's own; it refuses the first posts with 503. */
async function startReceiver(refusals = 0) {
  const bodies: unknown[] = []
  let left = refusals
  const server = createServer(async (request, response) => {
    const body = await json(request)
    if (left-- > 0) return response.writeHead(503).end()
    bodies.push(body)
    response.end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    bodies,
    [Symbol.asyncDispose]: async () => void server.close(),
  }
}

test('a full disk is told once by mail and, after a failed try, by webhook', async () => {
  await using receiver = await startReceiver(1)
  await using site = await startTestServer({
    env: { CONTACT_TO: OPERATOR, OPERATOR_WEBHOOK_URL: receiver.url },
    config: { diskReserveBytes: 2 ** 40 },
    allowLog: [/The disk of .* is full/, /receiver of OPERATOR_WEBHOOK_URL did not take a notice/],
  })
  const mail = await site.recorder.next(OPERATOR)
  expect(mail.subject).toBe('[Mayfly] The disk is full: mail is refused for now.')
  expect(mail.text).toContain('docs/operations.md#disk-full')
  await expect.poll(() => receiver.bodies, { timeout: 15_000 }).toHaveLength(1)
  expect(receiver.bodies[0]).toEqual({
    kind: 'store_full',
    text: `[Mayfly] The disk is full: mail is refused for now. ${site.app.config.publicUrl}/operator`,
    at: expect.stringMatching(/^20.*Z$/),
  })
  expect(site.recorder.mails).toHaveLength(1)
})

test('a certificate that ends within 14 days is told', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-notices-'))
  const lifetimeMs = 825 * 86_400_000
  try {
    await using receiver = await startReceiver()
    for (const daysLeft of [15, 13]) {
      const { cert, key } = selfSign('mx.mayfly.test', Date.now() - lifetimeMs + (daysLeft + 0.5) * 86_400_000)
      const [TLS_CERT, TLS_KEY] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
      writeFileSync(TLS_CERT, cert)
      writeFileSync(TLS_KEY, key)
      await using site = await startTestServer({ env: { CONTACT_TO: OPERATOR, OPERATOR_WEBHOOK_URL: receiver.url, TLS_CERT, TLS_KEY } })
      if (daysLeft < 14) await expect.poll(() => receiver.bodies, { timeout: 15_000 }).toHaveLength(1)
      else expect(site.recorder.mails).toEqual([])
    }
    expect(receiver.bodies).toEqual([
      expect.objectContaining({
        kind: 'certificate',
        text: expect.stringContaining('The certificate of mx.mayfly.test was not renewed. It expires in 13 days.'),
      }),
    ])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a report of abuse is told with its words by mail and without them by webhook; a flood of them is not', async () => {
  await using receiver = await startReceiver()
  await using site = await startTestServer({ env: { CONTACT_TO: OPERATOR, OPERATOR_WEBHOOK_URL: receiver.url } })
  const report = { kind: 'phishing', address: 'bad@mayfly.test', message: 'It asks for my password.', email: 'ann@elsewhere.test' }
  const send = async () => expect((await site.visitor().post(routes.reports, report)).status).toBe(202)
  await send()
  const mail = await site.recorder.next(OPERATOR)
  expect(mail).toMatchObject({ subject: '[Mayfly] Report of abuse: phishing', replyTo: 'ann@elsewhere.test' })
  expect(mail.text).toContain('It asks for my password.')
  await expect.poll(() => receiver.bodies).toHaveLength(1)
  expect(receiver.bodies[0]).toMatchObject({
    kind: 'abuse_report',
    text: expect.stringMatching(/^\[Mayfly\] Report of abuse: phishing http/),
  })
  for (let more = 0; more < 30; more++) await send()
  await expect.poll(() => site.recorder.mails.length).toBe(20)
  await expect.poll(() => receiver.bodies.length).toBe(20)
  site.advance(3_600_000)
  await send()
  await expect.poll(() => site.recorder.mails.length).toBe(21)
})
