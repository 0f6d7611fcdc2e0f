/** Against a local stand-in for Google's siteverify endpoint; the reply's shape is the one its documentation gives. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRecaptcha } from './recaptcha.ts'

let reply: { status: number; body: string } = { status: 200, body: '{}' }
const asked: URLSearchParams[] = []
const google = createServer(async (request, response) => {
  asked.push(new URLSearchParams(await text(request)))
  response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.body)
})
beforeAll(async () => {
  await once(google.listen(0, '127.0.0.1'), 'listening')
})
afterAll(async () => {
  google.close()
  google.closeAllConnections()
})

const NETWORK = '192.0.2.0/24'
const check = () =>
  createRecaptcha({
    siteKey: 'site',
    secret: 'secret',
    verifyUrl: `http://127.0.0.1:${(google.address() as AddressInfo).port}/`,
    signal: new AbortController().signal,
  })

test.each([
  ['a person', { success: true, score: 0.9, action: 'contact' }, true],
  ['another action', { success: true, score: 0.9, action: 'signup' }, false],
  ['a low score', { success: true, score: 0.3, action: 'contact' }, false],
  ['no score', { success: true, action: 'contact' }, false],
  ['a used token', { success: false, 'error-codes': ['timeout-or-duplicate'] }, false],
])('reCAPTCHA: %s', async (_, body, expected) => {
  reply = { status: 200, body: JSON.stringify(body) }
  expect(await check().verify('token', 'contact', NETWORK)).toBe(expected ? 'passed' : 'failed')
  expect(Object.fromEntries(asked.at(-1) ?? [])).toEqual({ secret: 'secret', response: 'token' })
})

test('a missing token is refused without asking Google, and nobody passes while Google is unreachable', async () => {
  const before = asked.length
  expect(await check().verify(undefined, 'contact', NETWORK)).toBe('failed')
  expect(asked).toHaveLength(before)
  for (const broken of [
    { status: 500, body: '{}' },
    { status: 200, body: '<html>' },
  ]) {
    reply = broken
    await expect(check().verify('token', 'contact', NETWORK)).rejects.toMatchObject({ code: 'unavailable' })
  }
})
