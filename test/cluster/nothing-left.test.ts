/**
 * What a mailbox and an account leave in a cluster. Every key is of a kind that is named here; a key of a new kind fails this test until it
 * is told what it holds, and how that goes.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiKeyCreatedSchema } from '#contract/account.ts'
import { mailboxCreatedSchema } from '#contract/mailbox.ts'
import { routes } from '#contract/routes.ts'
import { type Answer, PASSWORD } from '../harness/clients/visitor.ts'
import { OWN_ACCOUNTS } from '../harness/heard-log.ts'
import { bearer, startTestServer, type TestServer } from '../harness/mayfly/start-test-server.ts'
import { findRedis, type RedisCluster, startRedisCluster } from '../harness/servers/redis-cluster.ts'

const LIFETIME_SECONDS = 600
/** The engine removes a mailbox a second after its expiry; limits count for a day at most. */
const [MAILBOX_MS_MAX, LIMIT_MS_MAX] = [(LIFETIME_SECONDS + 2) * 1000, 24 * 3_600_000]

type Key = { readonly name: string; readonly type: string; readonly leftMs: number }
/** `leftMsMax`: the engine itself removes it by then. */
type Kind = { readonly name: RegExp; readonly holds: string; readonly leftMsMax?: number }

const OF_A_MAILBOX: readonly Kind[] = [
  { name: /^mayfly:\{[\w-]{22}\}$/, holds: 'a mailbox with its index, rows and small messages', leftMsMax: MAILBOX_MS_MAX },
  { name: /^mayfly:\{[\w-]{22}\}[0-9a-f]{16}:\d+$/, holds: 'a piece of a large message', leftMsMax: MAILBOX_MS_MAX },
]
const OF_NEITHER: readonly Kind[] = [
  { name: /^mayfly:about(?::\d)?$/, holds: 'facts about the store' },
  { name: /^mayfly:health$/, holds: 'the last measurement of the nodes' },
  {
    name: /^mayfly:limit:[\w-]{22}$/,
    holds: 'a count under the hash of a network, an account or a solved bot check',
    leftMsMax: LIMIT_MS_MAX,
  },
]

describe.skipIf(!findRedis())('what is left in a cluster (needs redis-server on this machine)', () => {
  let cluster: RedisCluster
  let server: TestServer
  beforeAll(async () => {
    cluster = await startRedisCluster()
    const env = { MAIL_STORE_URL: cluster.url, SECRET: 'a secret of this test, and of no other one' }
    server = await startTestServer({ env, isClockRunning: true, allowLog: [OWN_ACCOUNTS] })
  })
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
    await cluster?.[Symbol.asyncDispose]()
  })

  async function readKeys(): Promise<Key[]> {
    const roles = await Promise.all(cluster.nodes.map(async node => ({ node, role: String(await node.call('INFO', 'replication')) })))
    const masters = roles.filter(({ role }) => role.includes('role:master')).map(({ node }) => node)
    const found = masters.map(async node => {
      const names = ((await node.call('KEYS', '*')) as Buffer[]).map(String)
      const read = async (name: string) => ({
        name,
        type: String(await node.call('TYPE', name)),
        leftMs: Number(await node.call('PTTL', name)),
      })
      return await Promise.all(names.map(read))
    })
    // -2: it went in between.
    return (await Promise.all(found)).flat().filter(({ leftMs }) => leftMs !== -2)
  }

  const isOf = (kinds: readonly Kind[], { name }: Key) => kinds.some(kind => kind.name.test(name))

  test('every key is of a known kind; a destroyed mailbox keeps its hashed name until its expiry, and nothing else', async () => {
    const pro = await server.signedIn('ada@sender.test')
    const { key } = parsed(apiKeyCreatedSchema, await pro.post(routes.accountApiKeys, { name: 'a key' }))
    const made = await server.visitor(bearer(key)).post(routes.mailboxes, { lifetimeSeconds: LIFETIME_SECONDS })
    const mailbox = parsed(mailboxCreatedSchema, made)
    const chosen = parsed(mailboxCreatedSchema, await pro.post(routes.mailboxes, { localPart: 'chosen-by-ada' }))
    await server.deliver(mailbox.email)
    await server.deliverRaw(mailbox.email, Buffer.from(`Subject: large\r\n\r\n${'x'.repeat(700_000)}\r\n`))
    await server.deliver(chosen.email)
    await expect.poll(async () => (await readKeys()).map(({ name }) => name)).toContain('mayfly:health')

    const keys = await readKeys()
    const unknown = keys.filter(one => !isOf([...OF_A_MAILBOX, ...OF_NEITHER], one)).map(({ name }) => name)
    expect(unknown, 'name this kind of key here, say what it holds, and let it go with its mailbox or account').toEqual([])
    for (const { name, holds, leftMsMax } of [...OF_A_MAILBOX, ...OF_NEITHER]) {
      const ofKind = keys.filter(one => name.test(one.name))
      expect(ofKind.length, holds).toBeGreaterThan(0)
      if (leftMsMax !== undefined) for (const one of ofKind) expect(one.leftMs, `${holds}: ${one.name}`).toBeGreaterThan(0)
    }
    const own = keys.filter(one => isOf(OF_A_MAILBOX, one))
    const limits = keys.filter(({ name }) => name.startsWith('mayfly:limit:'))
    expect(limits.filter(({ leftMs }) => leftMs > LIMIT_MS_MAX)).toEqual([])
    // A hash and its three pieces; the chosen address lives longer.
    expect(own.filter(({ leftMs }) => leftMs <= MAILBOX_MS_MAX)).toHaveLength(4)

    expect((await server.visitor(bearer(mailbox.token)).ask('DELETE', routes.mailbox)).status).toBe(204)
    expect((await pro.post(routes.authDeleteAccount, { password: PASSWORD })).status).toBe(204)
    const left = async () => (await readKeys()).filter(one => isOf(OF_A_MAILBOX, one)).map(({ type }) => type)
    // The name of each, so that it is not given out again while mail for it may still come.
    await expect.poll(left).toEqual(['string', 'string'])
  })
})

function parsed<Value>(schema: { parse(value: unknown): Value }, { status, text }: Answer): Value {
  if (status !== 201) throw new Error(`answered ${status}: ${text}`)
  return schema.parse(JSON.parse(text))
}
