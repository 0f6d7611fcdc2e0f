/** The home page's own script and the challenge that comes with it, on the real application, with a small built site. */
import { createHash } from 'node:crypto'
import { type IncomingMessage, request as send } from 'node:http'
import { text } from 'node:stream/consumers'
import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { expect, test, vi } from 'vitest'
import { encodeSolution, FIRST_CHALLENGE_PATH } from '#contract/challenge.ts'
import { routes } from '#contract/routes.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { createMemoryLimits } from '#server/platform/limits/limiter.ts'
import { limitsFor } from '#server/platform/limits/rate-limits.ts'
import { createLog, type Log } from '#server/platform/log.ts'
import { startTestServer } from '#test/harness/mayfly/start-test-server.ts'
import { untilEnd } from '#test/harness/until-end.ts'
import { createPow } from '../bot-check/pow.ts'
import { createChallengeHeader } from './pages.ts'

const SCRIPT = 'run("first address")'
const VISIT = { 'sec-fetch-mode': 'navigate' }

const siteFiles = {
  'pages/en/index.html': `<html lang="en" data-config=""><script>${SCRIPT}</script><script type="application/ld+json">{"name":"Mayfly"}</script><script src="/a.js"></script><body>home`,
  'pages/es/index.html': `<html lang="es"><script>${SCRIPT}</script>inicio`,
  'pages/en/blog/index.html': '<html lang="en">blog',
  'pages/en/404.html': '<html lang="en">nothing',
}
const env = { SITE_NAME: 'Ours <script>evil()</script>', TRUST_PROXY: '127.0.0.1', BOT_CHECK: 'pow', NETWORK_LIMIT_FACTOR: '1' }
const server = await untilEnd(startTestServer({ siteFiles, env, isClockRunning: true }))

type Asked = { method?: string; from?: string; headers?: Record<string, string> }
type Answer = { status: number | undefined; headers: IncomingMessage['headers']; body: string }

/** Not by `fetch`, which writes `Sec-Fetch-Mode` itself. */
async function ask(path: string, { method = 'GET', from = '192.0.2.1', headers = {} }: Asked = {}): Promise<Answer> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const all = { 'accept-language': 'en', 'x-forwarded-for': from, ...headers }
    send({ port: server.app.httpPort, host: '127.0.0.1', path, method, headers: all }, resolve).on('error', reject).end()
  })
  return { status: response.statusCode, headers: response.headers, body: await text(response) }
}

const visit = (asked: Asked = {}) => ask('/', { ...asked, headers: { ...VISIT, ...asked.headers } })

function challengeOf({ headers }: Pick<Answer, 'headers'>): Challenge {
  const [, description = ''] = /^challenge;desc=(".+")$/.exec(String(headers['server-timing'])) ?? []
  return JSON.parse(JSON.parse(description))
}

/** Repeated, because a busy machine can need longer than a page waits; then the pages of the next seconds have none either. */
const visitForChallenge = (asked: Asked = {}) =>
  vi.waitFor(
    async () => {
      const answer = await visit(asked)
      challengeOf(answer)
      return answer
    },
    { timeout: 30_000, interval: 500 },
  )

async function createAddress(challenge: Challenge, from = '192.0.2.1') {
  const solution = await solveChallenge({ challenge, deriveKey })
  if (!solution) throw new Error('The challenge has no solution')
  const response = await fetch(server.url(routes.mailboxes), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    body: JSON.stringify({ botCheck: encodeSolution(challenge as Parameters<typeof encodeSolution>[0], { ...solution }) }),
  })
  const { code, email } = await response.json()
  return { status: response.status, code, email }
}

test('a visit brings a challenge that creates an address, once; after that a requested one does', async () => {
  const challenge = challengeOf(await visitForChallenge())
  expect(await createAddress(challenge)).toMatchObject({ status: 201, email: expect.stringContaining('@') })
  expect(await createAddress(challenge)).toMatchObject({ status: 403, code: 'bot_check_failed' })
  const fresh: Challenge = JSON.parse((await ask(FIRST_CHALLENGE_PATH)).body)
  expect(await createAddress(fresh)).toMatchObject({ status: 201 })
  expect(await createAddress(challengeOf(await visitForChallenge()), '198.51.100.1'), 'of another network').toMatchObject({ status: 403 })
})

test('each visit has a challenge of its own, with 304 too, and no cache between may keep it', async () => {
  const first = await visitForChallenge()
  const again = await visitForChallenge({ headers: { 'if-none-match': String(first.headers.etag) } })
  expect([first.status, again.status]).toEqual([200, 304])
  expect(challengeOf(again).parameters.nonce).not.toBe(challengeOf(first).parameters.nonce)
  for (const { headers } of [first, again]) expect(headers['cache-control']).toBe('private, no-cache')
})

test('only visits of the home page have one: no crawler, HEAD request, file or other page', async () => {
  const others = [
    await ask('/'),
    await ask('/', { headers: { 'sec-fetch-mode': 'cors' } }),
    await ask('/', { method: 'HEAD', headers: VISIT }),
    await ask('/blog', { headers: VISIT }),
    await ask('/nothing', { headers: VISIT }),
  ]
  expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 200, 404])
  // The home page has the header all the same: a 304 replaces with it the challenge that a browser has kept.
  expect(others.map(({ headers }) => headers['server-timing'])).toEqual([...Array(3).fill('challenge'), undefined, undefined])
  expect(others.map(({ headers }) => headers['cache-control'])).toEqual([...Array(3).fill('private, no-cache'), 'no-cache', 'no-cache'])
})

test('visits use up no challenge that is asked for, and each is answered', async () => {
  const from = '203.0.113.9'
  const visits: Answer[] = []
  for (let sent = 0; sent < 248; sent += 8) visits.push(...(await Promise.all(Array.from({ length: 8 }, () => visit({ from })))))
  expect(visits.every(({ status }) => status === 200)).toBe(true)
  expect((await ask(FIRST_CHALLENGE_PATH, { from })).status).toBe(200)
})

// Not over HTTP: a busy machine needs longer than a page waits, and such a page has no challenge either.
test('the 241st visit of a network within 60 s has no challenge, and those of another network have', async () => {
  let now = 0
  const { pageChallenges, challenges } = limitsFor(readConfig({ DATA_DIR: '/nowhere' }))
  const sharedLimits = createMemoryLimits(() => now)
  const parts = { botCheck: createPow(Date.now, { sharedLimits }), sharedLimits, limits: { pageChallenges }, log: createLog('silent') }
  const header = createChallengeHeader({ ...parts, challengeTimeoutMs: 60_000 })
  const headers: (string | undefined)[] = []
  for (let made = 0; made < 241; made++) headers.push(await header(['192.0.2.0']))
  expect(headers.map(value => value?.slice(0, 14))).toEqual([...Array(240).fill('challenge;desc'), undefined])
  expect(await header(['198.51.100.0'])).toBeDefined()
  expect(await sharedLimits.peek(challenges, '192.0.2.0')).toMatchObject({ remaining: challenges.max })
  now += 60_000
  expect(await header(['192.0.2.0'])).toBeDefined()
})

test('the policy of the home page allows the script that was built into it, and nothing inline elsewhere', async () => {
  const scripts = ({ headers }: Answer) => /script-src ([^;]*);/.exec(String(headers['content-security-policy']))?.[1]
  const hash = createHash('sha256').update(SCRIPT).digest('base64')
  const home = await visit()
  expect(home.body).toContain(`<script>${SCRIPT}</script>`)
  const again = await visit({ headers: { 'if-none-match': String(home.headers.etag) } })
  // Only that one: not the data, and no script that comes with the name of the site.
  for (const page of [home, again, await ask('/', { headers: { 'accept-language': 'es' } })])
    expect(scripts(page)).toBe(`'self' 'sha256-${hash}'`)
  for (const path of ['/blog', '/nothing', routes.config]) expect(scripts(await ask(path, { headers: VISIT }))).toBe("'self'")
})

test('a page does not wait for a limiter that does not answer, and is sent without a challenge if that fails', async () => {
  const silent = withLimiter(() => new Promise(() => undefined))
  const failing = withLimiter(() => Promise.reject(new Error('connection lost')))
  expect(await silent.header(['192.0.2.0'])).toBeUndefined()
  expect(await failing.header(['192.0.2.0'])).toBeUndefined()
})

test('after a time-out the next pages do not ask the limiter, until some seconds have passed', async () => {
  vi.useFakeTimers()
  try {
    const { header, taken, warnings } = withLimiter(() => new Promise(() => undefined))
    const visits = async () => {
      const first = header(['192.0.2.0'])
      await vi.advanceTimersByTimeAsync(250)
      return [await first, await header(['192.0.2.0']), await header(['198.51.100.0'])]
    }
    expect(await visits()).toEqual([undefined, undefined, undefined])
    expect(taken()).toBe(1)
    await vi.advanceTimersByTimeAsync(5000)
    await visits()
    expect(taken()).toBe(2)
    expect(warnings()).toBe(1)
  } finally {
    vi.useRealTimers()
  }
})

test('a limiter that fails is logged once a minute', async () => {
  vi.useFakeTimers()
  try {
    const { header, taken, warnings } = withLimiter(() => Promise.reject(new Error('connection lost')))
    for (let second = 0; second < 60; second++) {
      await header(['192.0.2.0'])
      await vi.advanceTimersByTimeAsync(1000)
    }
    expect([taken(), warnings()]).toEqual([60, 1])
    await header(['192.0.2.0'])
    expect([taken(), warnings()]).toEqual([61, 2])
  } finally {
    vi.useRealTimers()
  }
})

function withLimiter(take: () => Promise<never>) {
  const limits = { pageChallenges: { name: 'page-challenges', max: 1, windowSeconds: 60 } }
  const calls = { taken: 0, warnings: 0 }
  const sharedLimits = {
    ...createMemoryLimits(Date.now),
    take() {
      calls.taken++
      return take()
    },
  }
  const log: Log = { ...createLog('silent'), warn: () => void calls.warnings++ }
  const botCheck = createPow(Date.now, { sharedLimits: createMemoryLimits(Date.now) })
  const header = createChallengeHeader({ botCheck, limits, sharedLimits, log })
  return { header, taken: () => calls.taken, warnings: () => calls.warnings }
}
