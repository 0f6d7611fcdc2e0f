import { Hono } from 'hono'
import { afterAll, expect, test } from 'vitest'
import * as accountApi from '#contract/account.ts'
import * as mailboxApi from '#contract/mailbox.ts'
import * as notificationsApi from '#contract/notifications.ts'
import type { Route } from '#contract/route.ts'
import * as siteApi from '#contract/site.ts'
import { AppError } from '#server/errors.ts'
import { startTestServer } from '#test/harness/mayfly/start-test-server.ts'
import type { HttpEnv } from '../env.ts'
import { defineRoute, type GuardedRequest } from './define-route.ts'

const server = await startTestServer({ isClockRunning: true })
afterAll(() => server[Symbol.asyncDispose]())
const route = { method: 'GET', path: '/api/example', status: 204, problems: ['not_found'] } as const satisfies Route

function catchError(handle: () => undefined): Promise<unknown> {
  const caught = Promise.withResolvers<unknown>()
  const app = new Hono<HttpEnv>()
  const { run } = defineRoute(route, handle)
  app.get(route.path, c => run(c, async () => ({})))
  app.onError((error, c) => {
    caught.resolve(error)
    return c.body(null, 500)
  })
  void app.request(route.path)
  return caught.promise
}

test('a declared problem is sent, an undeclared one is an internal error that names the route', async () => {
  const raise = (code: 'not_found' | 'mailboxes_max') => () => {
    throw new AppError(code)
  }
  await expect(catchError(raise('not_found'))).resolves.toMatchObject({ code: 'not_found' })
  await expect(catchError(raise('mailboxes_max'))).resolves.toMatchObject({
    message: 'GET /api/example does not declare the problem mailboxes_max',
    cause: { code: 'mailboxes_max' },
  })
})

test('a handler and its guards cannot fail with a code that the route does not declare', () => {
  const limit = async (_: GuardedRequest<'rate_limited'>) => undefined
  defineRoute(route, request => {
    // @ts-expect-error: the route does not declare it
    const undeclared = () => request.fail('mailboxes_max')
    // @ts-expect-error: nor what this guard may fail with
    const guarded = () => limit(request)
    expect([undeclared, guarded]).toHaveLength(2)
    return request.fail('not_found')
  })
})

test('a handler cannot leave out the body of a route that does not time out', () => {
  const json = { ...route, status: 200, response: mailboxApi.messageSchema } as const
  // @ts-expect-error: null is no message
  const empty = () => defineRoute(json, () => null)
  expect([empty, () => defineRoute({ ...json, mayTimeOut: true }, () => null)]).toHaveLength(2)
})

test('every route of the contract has a handler, and every handler a route', async () => {
  const document = await (await fetch(server.url('/api/openapi.json'))).json()
  const described = Object.values(document.paths as Record<string, Record<string, { operationId: string }>>).flatMap(methods =>
    Object.values(methods).map(({ operationId }) => operationId),
  )
  const isRoute = (value: unknown) => typeof value === 'object' && value !== null && 'method' in value && 'path' in value
  const declared = [mailboxApi, accountApi, notificationsApi, siteApi].flatMap(room =>
    Object.entries(room).flatMap(([name, value]) => (isRoute(value) ? [name] : [])),
  )
  expect(described.sort()).toEqual(declared.sort())
})
