/** Two servers on one cluster and one PostgreSQL with one secret: what they count together, and what each accepts from the other. */
import { randomBytes } from 'node:crypto'
import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encodeSolution } from '#contract/challenge.ts'
import { NEW_ADDRESSES_PER_NETWORK } from '#contract/limits.ts'
import { routes } from '#contract/routes.ts'
import { startApp } from '#server/app.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { createLog } from '#server/platform/log.ts'
import { newFolder } from '#test/harness/until-end.ts'
import { CLUSTER_AWAY } from '../harness/heard-log.ts'
import { ATTACHMENT, bearer, startTestServer, type TestServer } from '../harness/mayfly/start-test-server.ts'
import { findPostgres, type Postgres, startPostgres } from '../harness/servers/postgres.ts'
import { findRedis, type RedisCluster, startRedisCluster } from '../harness/servers/redis-cluster.ts'

const [postgresBin, hasRedis] = [findPostgres(), findRedis() !== undefined]
const SECRET = randomBytes(32).toString('hex')
const ARTICLE = `${routes.blogViews}/identify-ai-phishing`

describe.skipIf(!postgresBin || !hasRedis)('two processes (need redis-server and PostgreSQL)', () => {
  const stack = new AsyncDisposableStack()
  let [cluster, postgres]: [RedisCluster | undefined, Postgres | undefined] = [undefined, undefined]
  let shared: Record<string, string> = {}
  let [a, b] = [] as unknown as [TestServer, TestServer]
  beforeAll(async () => {
    cluster = stack.use(await startRedisCluster({ replicas: 0 }))
    postgres = stack.use(await startPostgres(postgresBin ?? ''))
    shared = {
      MAIL_STORE_URL: cluster.url,
      MAIL_STORE_REPLICAS: '0',
      DATABASE_URL: await postgres.createDatabase(),
      SECRET,
      BOT_CHECK: 'pow',
      NETWORK_LIMIT_FACTOR: '2',
    }
    // A cluster that is away long enough is told of.
    const options = { env: shared, isClockRunning: true, allowLog: CLUSTER_AWAY }
    a = stack.use(await startTestServer(options))
    b = stack.use(await startTestServer(options))
  })
  afterAll(() => stack.disposeAsync())

  async function solved(server: TestServer): Promise<string> {
    const response = await fetch(server.url(`${routes.botCheckChallenge}?action=generate_email`))
    const challenge = (await response.json()) as Challenge
    const solution = await solveChallenge({ challenge, deriveKey })
    if (!solution) throw new Error('no solution')
    return encodeSolution(challenge as never, { ...solution })
  }
  const create = (server: TestServer, botCheck: string) => server.post(routes.mailboxes, JSON.stringify({ botCheck }))

  test('a mailbox created in one process can be read in the other and deleted in the first', async () => {
    // The challenge of one is solved for the other, and used up for both.
    const botCheck = await solved(a)
    const created = await create(b, botCheck)
    expect(created.status).toBe(201)
    for (const server of [a, b]) expect((await create(server, botCheck)).status).toBe(403)
    const { email, token } = await created.json()

    const stream = await fetch(b.url(routes.events), { headers: bearer(token) })
    const events = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
    await events?.read()
    await a.deliver(email)
    expect((await events?.read())?.value).toContain('event: message')

    const id = await b.firstId(token)
    const linked = await fetch(a.url(`${routes.messages}/${id}/attachments/0/link`), { method: 'POST', headers: bearer(token) })
    const { url } = await linked.json()
    const { pathname, search } = new URL(url, 'http://x')
    const attachment = await fetch(b.url(pathname + search))
    expect([attachment.status, Buffer.from(await attachment.arrayBuffer())]).toEqual([200, ATTACHMENT])

    expect((await fetch(a.url(routes.mailbox), { method: 'DELETE', headers: bearer(token) })).status).toBe(204)
    expect((await events?.read())?.value).toContain('event: expired')
    for (const server of [a, b]) expect((await fetch(server.url(routes.mailbox), { headers: bearer(token) })).status).toBe(404)
  })

  test('a limit that is used up in both processes is one limit, and a visitor of both is counted once', async () => {
    // One address was created before. The factor is two.
    const allowed = 2 * NEW_ADDRESSES_PER_NETWORK.max
    const statuses: number[] = []
    for (let n = 0; n < allowed; n++) {
      const server = n % 2 ? a : b
      statuses.push((await create(server, await solved(server))).status)
    }
    expect(statuses).toEqual([...Array(allowed - 1).fill(201), 429])
    await a.post(ARTICLE, '{}')
    await b.post(ARTICLE, '{}')
    expect(await (await fetch(b.url(ARTICLE))).json()).toMatchObject({ views: 1 })
  })

  test('a process with another secret is refused before it does anything', async () => {
    const folder = newFolder()
    const env = { ...shared, SECRET: randomBytes(32).toString('hex'), DATA_DIR: folder, HTTP_PORT: '0', SMTP_PORT: '0', HOST: '127.0.0.1' }
    await expect(startApp(readConfig(env), { log: createLog('silent') })).rejects.toThrow(
      /The secret does not fit .* in SECRET; processes that share a database share one secret/,
    )
  })

  test('while the cluster is unreachable limited requests get 503 with Retry-After, and everything recovers', async () => {
    const botCheck = await solved(a)
    for (const { pid } of cluster?.nodes ?? []) process.kill(pid, 'SIGSTOP')
    const away = await create(b, botCheck).finally(() => {
      for (const { pid } of cluster?.nodes ?? []) process.kill(pid, 'SIGCONT')
    })
    expect([away.status, Number(away.headers.get('retry-after'))]).toEqual([503, expect.any(Number)])
    expect(Number(away.headers.get('retry-after'))).toBeGreaterThan(0)
    await expect.poll(async () => (await fetch(b.url(`${routes.botCheckChallenge}?action=generate_email`))).status).toBe(200)
  })
})
