/** The home page's own script and the challenge that comes with it, on the real application, with a small built site. */
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request as send } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encodeSolution } from '#contract/bot-check-solution.ts'
import { FIRST_CHALLENGE } from '#contract/first-challenge.ts'
import { routes } from '#contract/routes.ts'
import { type App, startApp } from '#server/app.ts'
import { createPow } from '#server/bot-check/pow.ts'
import { readConfig } from '#server/config/config.ts'
import { createLog } from '#server/log.ts'
import { createFirstChallenge } from './first-challenge.ts'

const SCRIPT = 'run("first address")'
const VISIT = { 'sec-fetch-mode': 'navigate' }

let app: App
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-first-challenge-'))
  const files = {
    'pages/en/index.html': `<html lang="en" data-config=""><script>${SCRIPT}</script><script type="application/ld+json">{"name":"Mayfly"}</script><script src="/a.js"></script><body>home`,
    'pages/es/index.html': `<html lang="es"><script>${SCRIPT}</script>inicio`,
    'pages/en/blog/index.html': '<html lang="en">blog',
    'pages/en/404.html': '<html lang="en">nothing',
  }
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(folder, 'web', dirname(path)), { recursive: true })
    await writeFile(join(folder, 'web', path), content)
  }
  const env = {
    HTTP_PORT: '0',
    SMTP_PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: join(folder, 'data'),
    SITE_NAME: 'Ours <script>evil()</script>',
    TRUST_PROXY: '127.0.0.1',
    AUTHENTICATE_MAIL: 'off',
  }
  app = await startApp(readConfig(env), { log: createLog('silent'), siteFolder: join(folder, 'web') })
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

type Asked = { method?: string; from?: string; headers?: Record<string, string> }
type Answer = { status: number | undefined; headers: IncomingMessage['headers']; body: string }

/** Not by `fetch`, which writes `Sec-Fetch-Mode` itself. */
async function ask(path: string, { method = 'GET', from = '192.0.2.1', headers = {} }: Asked = {}): Promise<Answer> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const all = { 'accept-language': 'en', 'x-forwarded-for': from, ...headers }
    send({ port: app.httpPort, host: '127.0.0.1', path, method, headers: all }, resolve).on('error', reject).end()
  })
  return { status: response.statusCode, headers: response.headers, body: await text(response) }
}

const visit = (asked: Asked = {}) => ask('/', { ...asked, headers: { ...VISIT, ...asked.headers } })

function challengeOf({ headers }: Pick<Answer, 'headers'>): Challenge {
  const [, description = ''] = /^challenge;desc=(".+")$/.exec(String(headers['server-timing'])) ?? []
  return JSON.parse(JSON.parse(description))
}

async function createAddress(challenge: Challenge, from = '192.0.2.1') {
  const solution = await solveChallenge({ challenge, deriveKey })
  if (!solution) throw new Error('The challenge has no solution')
  const response = await fetch(`http://127.0.0.1:${app.httpPort}${routes.mailboxes}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    body: JSON.stringify({ botCheck: encodeSolution(challenge as Parameters<typeof encodeSolution>[0], { ...solution }) }),
  })
  const { code, email } = await response.json()
  return { status: response.status, code, email }
}

test('a visit brings a challenge that creates an address, once; after that a requested one does', async () => {
  const challenge = challengeOf(await visit())
  expect(await createAddress(challenge)).toMatchObject({ status: 201, email: expect.stringContaining('@') })
  expect(await createAddress(challenge)).toMatchObject({ status: 403, code: 'bot_check_failed' })
  const fresh: Challenge = JSON.parse((await ask(FIRST_CHALLENGE)).body)
  expect(await createAddress(fresh)).toMatchObject({ status: 201 })
  expect(await createAddress(challengeOf(await visit()), '198.51.100.1'), 'of another network').toMatchObject({ status: 403 })
})

test('each visit has a challenge of its own, with 304 too, and no cache between may keep it', async () => {
  const first = await visit()
  const again = await visit({ headers: { 'if-none-match': String(first.headers.etag) } })
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

test('visits use up no challenge that is asked for, and the 241st of a network within 60 s has none', async () => {
  const from = '203.0.113.9'
  const visits: Answer[] = []
  // Few at a time, because a page does not wait long for its challenge.
  for (let sent = 0; sent < 240; sent += 8) visits.push(...(await Promise.all(Array.from({ length: 8 }, () => visit({ from })))))
  visits.push(await visit({ from }))
  expect(visits.every(({ status }) => status === 200)).toBe(true)
  expect(visits.filter(({ headers }) => headers['server-timing'] === 'challenge')).toHaveLength(1)
  expect((await ask(FIRST_CHALLENGE, { from })).status).toBe(200)
  expect((await visit({ from: '203.0.114.9' })).headers['server-timing']).not.toBe('challenge')
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
  const limits = { pageChallenges: { name: 'page-challenges', attempts: 1, windowSeconds: 60 } }
  const peek = async () => ({ remaining: 1, retryAfterSeconds: 0 })
  const parts = { botCheck: createPow(Date.now), limits, log: createLog('silent') }
  const silent = createFirstChallenge({ ...parts, limiter: { peek, take: () => new Promise(() => undefined) } })
  const failing = createFirstChallenge({ ...parts, limiter: { peek, take: () => Promise.reject(new Error('connection lost')) } })
  expect(await silent('192.0.2.0')).toBeUndefined()
  expect(await failing('192.0.2.0')).toBeUndefined()
})
