/** The limits of sign-in, writes and the bot check on the real application, each where its name says. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { afterAll, expect, test } from 'vitest'
import { NEW_ADDRESSES_PER_NETWORK } from '#contract/limits.ts'
import { pathTo } from '#contract/path-to.ts'
import { routes } from '#contract/routes.ts'
import { startApp } from '#server/app.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { HeardLog } from '#test/harness/heard-log.ts'
import { sharedFolder, untilEnd } from '#test/harness/until-end.ts'

const heardLog = new HeardLog()
afterAll(() => heardLog.check())
const folder = sharedFolder()
const env = { HTTP_PORT: '0', SMTP_PORT: '0', HOST: '127.0.0.1', DATA_DIR: folder, TRUST_PROXY: '127.0.0.1', DNS_SERVERS: 'off' }
const deps = { log: heardLog.log, siteFolder: join(folder, 'no-site') }
const app = await untilEnd(startApp(readConfig(env), deps))
const open = await untilEnd(startApp(readConfig({ ...env, DATA_DIR: join(folder, 'open'), BOT_CHECK: 'off' }), deps))

const createFrom = async (from: string) => {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': from }
  return fetch(`http://127.0.0.1:${open.httpPort}${routes.mailboxes}`, { method: 'POST', headers, body: '{}' })
}

test.each([
  ['an IPv6 /56', 8, (n: number) => `2001:db8:5:${(0x1100 + (n % 200)).toString(16)}::${n}`, '2001:db8:5:1200::1'],
  ['an IPv6 /48', 20, (n: number) => `2001:db8:6:${(n * 256).toString(16)}::1`, '2001:db8:7::1'],
  ['an IPv4 /24', 8, (n: number) => `203.0.113.${n}`, '203.0.114.1'],
])('new addresses: who walks through %s is refused after %d times as many, and nobody beside it', async (network, growth, walk, beside) => {
  const max = growth * NEW_ADDRESSES_PER_NETWORK.max
  const statuses: number[] = []
  for (let n = 0; n < max; n++) statuses.push((await createFrom(walk(n))).status)
  expect(statuses).toEqual(Array(max).fill(201))
  const refused = await createFrom(walk(max))
  expect(refused.headers.get('ratelimit-policy')).toBe(`"generation";q=${max};w=${NEW_ADDRESSES_PER_NETWORK.windowSeconds}`)
  expect(await refused.json()).toMatchObject({ code: 'rate_limited', detail: expect.stringContaining(network.split(' ')[2] ?? '') })
  expect((await createFrom(beside)).status).toBe(201)
})

test('new addresses: an IPv6 /64 has five, and the one beside it has five of its own', async () => {
  for (let n = 0; n < NEW_ADDRESSES_PER_NETWORK.max; n++) expect((await createFrom(`2001:db8:8:0:${n}::1`)).status).toBe(201)
  const refused = await createFrom('2001:db8:8:0:9::1')
  const retryAfterSeconds = Number(refused.headers.get('retry-after'))
  expect(await refused.json()).toMatchObject({ code: 'rate_limited', status: 429, retryAfterSeconds })
  expect((await createFrom('2001:db8:8:1:9::1')).status).toBe(201)
})

test('a page of another site gets no address or challenge without a key, and uses up nothing of its visitor; extensions and programs do', async () => {
  const ask = async (path: string, headers: Record<string, string>, body?: string) => {
    const json = { 'content-type': 'application/json', 'x-forwarded-for': '203.0.115.7' }
    const init = body === undefined ? {} : { method: 'POST', body }
    const response = await fetch(`http://127.0.0.1:${app.httpPort}${path}`, { ...init, headers: { ...json, ...headers } })
    return [response.status, JSON.parse(await response.text()).code, response.headers.get('access-control-allow-origin')]
  }
  const challenge = `${routes.botCheckChallenge}?action=generate_email`
  for (const site of ['cross-site', 'same-site', undefined]) {
    const page = { origin: 'https://shop.example', ...(site && { 'sec-fetch-site': site, 'sec-fetch-mode': 'cors' }) }
    for (let n = 0; n < 6; n++) {
      expect(await ask(routes.mailboxes, page, '{"botCheck":"e30="}')).toEqual([403, 'forbidden', '*'])
      expect(await ask(challenge, page)).toEqual([403, 'forbidden', '*'])
    }
    expect(await ask(routes.mailboxes, { ...page, authorization: 'Bearer mfk_wrong' }, '{}')).toEqual([401, 'api_token_invalid', '*'])
  }
  // The first two have a permission for this host; browsers send no `Sec-Fetch-Site` to a host without TLS.
  const extension = 'chrome-extension://foeecolfinjbggolmecjocjcpkffghbe'
  for (const headers of [
    { origin: extension, 'sec-fetch-site': 'none' },
    { origin: extension.replace('chrome', 'moz'), 'sec-fetch-site': 'same-origin' },
    { origin: extension },
  ])
    expect((await ask(routes.mailboxes, headers, '{}'))[1]).toBe('bot_check_failed')
  expect((await ask(routes.mailboxes, {}, '{}'))[1], 'three wrong solutions of this very network').toBe('rate_limited')
  expect((await ask(challenge, {}))[0]).toBe(200)
})

/** Posts `count` times from one address; resolves to the statuses, and the seconds of the last `Retry-After`. */
async function postTimes(count: number, from: string, path: string, body: unknown) {
  const statuses: number[] = []
  let waitSeconds = 0
  let limit: (string | null)[] = []
  for (let i = 0; i < count; i++) {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': from }
    const response = await fetch(`http://127.0.0.1:${app.httpPort}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    statuses.push(response.status)
    waitSeconds = Number(response.headers.get('retry-after') ?? 0)
    limit = [response.headers.get('ratelimit-policy'), response.headers.get('ratelimit')]
    await response.arrayBuffer()
  }
  return { statuses, waitSeconds, limit }
}

test.each([
  ['auth-sign-in: the sixth', '192.0.2.1', routes.authSignIn, { email: 'nobody@example.com', password: 'secret1' }, 401, 5, 900],
  ['api: the eleventh write without a token', '192.0.2.2', pathTo(routes.blogViewsOf, { slug: 'identify-ai-phishing' }), {}, 200, 10, 60],
  ['captcha: unchecked, the fourth attempt after three failures', '192.0.2.3', routes.mailboxes, { botCheck: 'made up' }, 403, 3, 180],
] as const)('%s is refused', async (title, from, path, body, status, max, windowSeconds) => {
  const { statuses, waitSeconds, limit } = await postTimes(max + 1, from, path, body)
  expect(statuses).toEqual([...Array(max).fill(status), 429])
  const name = `"${title.split(':')[0]}"`
  expect(limit).toEqual([`${name};q=${max};w=${windowSeconds}`, `${name};r=0;t=${waitSeconds}`])
  expect(waitSeconds).toBeGreaterThan(0)
  expect(waitSeconds).toBeLessThanOrEqual(windowSeconds)
})

test('captcha: a solution for another network is refused without being counted, but a wrong one counts', async () => {
  const challengeUrl = `http://127.0.0.1:${app.httpPort}${routes.botCheckChallenge}?action=generate_email`
  const solveFor = async (network: string) => {
    const challenge = (await (await fetch(challengeUrl, { headers: { 'x-forwarded-for': network } })).json()) as Challenge
    return Buffer.from(JSON.stringify({ challenge, solution: await solveChallenge({ challenge, deriveKey }) })).toString('base64')
  }
  const post = async (botCheck: string) => (await postTimes(1, '192.0.2.8', routes.mailboxes, { botCheck })).statuses[0]
  for (let n = 0; n < 4; n++) expect(await post(await solveFor('198.51.100.8'))).toBe(403)
  for (let n = 0; n < 3; n++) expect(await post('made up')).toBe(403)
  expect(await post(await solveFor('192.0.2.8'))).toBe(429)
})

test('captcha: with no attempt left, an Idempotency-Key is not written to the database', async () => {
  using database = new DatabaseSync(join(folder, 'site.db'), { readOnly: true })
  const version = () => database.prepare('pragma data_version').get()?.data_version
  const post = async (n: number, asked: object = {}) => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': '192.0.2.6', 'idempotency-key': `made-up-key-number-${n}` }
    const body = JSON.stringify({ botCheck: 'made up', ...asked })
    return (await fetch(`http://127.0.0.1:${app.httpPort}${routes.mailboxes}`, { method: 'POST', headers, body })).status
  }
  for (let n = 0; n < 3; n++) expect(await post(n)).toBe(403)
  // The removal of the three keys is written again while the log is emptied: see LogTruncation.
  await expect.poll(() => statSync(join(folder, 'site.db-wal')).size).toBe(0)
  const before = version()
  for (let n = 3; n < 10; n++) expect(await post(n)).toBe(429)
  expect(await post(10, { localPart: 'chosen' })).toBe(401)
  expect(version()).toBe(before)
})

test('challenges: the 241st within 60 s is refused, but not for another network', async () => {
  const ask = (from: string) =>
    fetch(`http://127.0.0.1:${app.httpPort}${routes.botCheckChallenge}?action=contact`, { headers: { 'x-forwarded-for': from } })
  const answers = await Promise.all(Array.from({ length: 241 }, () => ask('192.0.2.4')))
  const refused = answers.filter(({ status }) => status !== 200)
  expect(refused.map(({ status }) => status)).toEqual([429])
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeLessThanOrEqual(60)
  expect((await ask('192.0.2.5')).status).toBe(200)
})
