import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { proMailboxesSchema } from '#contract/account.ts'
import { LIFETIME_SECONDS, PRO_LIFETIME_SECONDS } from '#contract/limits.ts'
import { mailboxCreatedSchema, mailboxSchema } from '#contract/mailbox.ts'
import { routes } from '#contract/routes.ts'
import { newFolder } from '#test/harness/until-end.ts'
import { createVisitor, PASSWORD } from '../harness/clients/visitor.ts'
import { startServerProcess } from '../harness/mayfly/start-server-process.ts'
import { bearer } from '../harness/mayfly/start-test-server.ts'
import { startMailRecorder } from '../harness/servers/mail-recorder.ts'

const ROUNDS = 8
/** About as long as keeping takes here, so that the kills fall before, in the middle and after. */
const KILLED_WITHIN_MS = 16
const EMAIL = 'ada@example.com'

test('after a SIGKILL an address has its day and its account, or neither', { timeout: 180_000 }, async () => {
  await using recorder = await startMailRecorder()
  const dataDir = newFolder()
  const env = { BOT_CHECK: 'off', SMTP_RELAY_URL: recorder.url, DNS_SERVERS: 'off', NETWORK_LIMIT_FACTOR: '100' }
  const start = async () => {
    const server = await startServerProcess({ env, dataDir })
    return { server, visitor: createVisitor(`http://127.0.0.1:${server.httpPort}`) }
  }
  const killed: { readonly token: string; readonly reply: number | 'cut' }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const { server, visitor } = await start()
    if (round === 0) {
      expect((await visitor.post(routes.authSignUp, { email: EMAIL, password: PASSWORD, language: 'en' })).status).toBe(202)
      const token = await recorder.nextToken(EMAIL)
      expect((await visitor.post(routes.authConfirm, { token, password: PASSWORD })).status).toBe(204)
      await visitor.post(routes.authSignOut)
    }
    const { token } = mailboxCreatedSchema.parse(JSON.parse((await visitor.post(routes.mailboxes, {})).text))
    expect((await visitor.signIn(EMAIL)).status).toBe(200)
    const kept = visitor.post(routes.accountMailboxes, { token }).then(
      ({ status }) => status,
      () => 'cut' as const,
    )
    await sleep((round / (ROUNDS - 1)) * KILLED_WITHIN_MS)
    await server.kill9()
    killed.push({ token, reply: await kept })
  }

  const { server, visitor } = await start()
  expect((await visitor.signIn(EMAIL)).status).toBe(200)
  // The sweep completes what was begun, a moment after the start.
  await sleep(3000)
  const { mailboxes } = proMailboxesSchema.parse(JSON.parse((await visitor.ask('GET', routes.accountMailboxes)).text))
  for (const { token, reply } of killed) {
    const { lifetimeSeconds } = mailboxSchema.parse(JSON.parse((await visitor.ask('GET', routes.mailbox, { headers: bearer(token) })).text))
    const isListed = mailboxes.some(mailbox => mailbox.token === token)
    expect(lifetimeSeconds).toBe(isListed ? PRO_LIFETIME_SECONDS : LIFETIME_SECONDS)
    if (reply === 200) expect(isListed, 'what was acknowledged is kept').toBe(true)
  }
  await server.stop()
})
