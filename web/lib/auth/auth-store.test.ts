import { expect, test } from 'vitest'
import { createMemoryStore } from '#test/harness/clients/memory-store.ts'
import { ACCOUNT_KEY } from '../browser/storage.ts'
import { createAuthStore } from './auth-store.ts'

const NOW = Date.UTC(2026, 10, 21)
const session = { email: 'ada@example.com', expiresAt: new Date(NOW + 1000).toISOString() }
const signedIn = { status: 'signed-in', email: session.email }

function setUp(ask: () => Promise<typeof session | null> = async () => session, stored?: string) {
  const store = createMemoryStore()
  if (stored !== undefined) store.setItem(ACCOUNT_KEY, stored)
  const left: string[] = []
  return {
    store,
    auth: createAuthStore(
      store,
      () => NOW,
      ask,
      email => left.push(email),
    ),
    left,
  }
}

test('the session is loading until started, and a visitor without a stored session causes no request', () => {
  let asked = 0
  const { auth } = setUp(async () => {
    asked += 1
    return session
  })
  expect(auth.get()).toEqual({ status: 'loading' })
  auth.start()
  expect(auth.get()).toEqual({ status: 'signed-out' })
  expect(asked).toBe(0)
})

test('a stored session is used at once, and removed when the server says it ended', async () => {
  const answer = Promise.withResolvers<null>()
  const { auth, store } = setUp(() => answer.promise, JSON.stringify(session))
  auth.start()
  expect(auth.get()).toEqual(signedIn)
  const refreshed = auth.refresh()
  answer.resolve(null)
  await refreshed
  expect(auth.get()).toEqual({ status: 'signed-out' })
  expect(store.getItem(ACCOUNT_KEY)).toBeNull()
})

test('a response to a request made before signing out does not sign in again', async () => {
  const answer = Promise.withResolvers<typeof session>()
  const { auth } = setUp(() => answer.promise)
  const refreshed = auth.refresh()
  auth.set(null)
  answer.resolve(session)
  await refreshed
  expect(auth.get()).toEqual({ status: 'signed-out' })
})

test('the session follows the other tabs, and ignores ended sessions and invalid values', () => {
  const { auth } = setUp()
  auth.adopt(JSON.stringify(session))
  expect(auth.get()).toEqual(signedIn)
  auth.adopt(null)
  expect(auth.get()).toEqual({ status: 'signed-out' })
  auth.adopt(JSON.stringify({ ...session, expiresAt: new Date(NOW).toISOString() }))
  expect(auth.get()).toEqual({ status: 'signed-out' })
  auth.adopt('{"email":1}')
  expect(auth.get()).toEqual({ status: 'signed-out' })
})

test('without a network the state stays, and loading ends', async () => {
  const { auth } = setUp(async () => {
    throw new Error('offline')
  })
  await auth.refresh()
  expect(auth.get()).toEqual({ status: 'signed-out' })
  auth.set(session)
  await auth.refresh()
  expect(auth.get()).toEqual(signedIn)
})

test('the turn changes when another account follows one, also after a time without any, and at no other change', () => {
  const { auth } = setUp()
  const eve = { ...session, email: 'eve@example.com' }
  const turns: unknown[] = []
  for (const next of [null, session, { ...session, isOperator: true }, null, session, null, eve, null, eve, session]) {
    const before = auth.get().turn
    auth.adopt(JSON.stringify(next))
    turns.push(auth.get().turn !== before)
  }
  expect(turns).toEqual([false, false, false, false, false, false, true, false, false, true])
})

test('the end of a session and the session of another account are told, and no other change is', async () => {
  const { auth, left } = setUp(async () => null)
  const later = { ...session, expiresAt: new Date(NOW + 2000).toISOString() }
  for (const next of [null, session, later]) auth.set(next)
  expect(left).toEqual([])
  for (const next of [{ ...session, email: 'eve@example.com' }, session]) auth.set(next)
  expect(left).toEqual(['ada@example.com', 'eve@example.com'])
  await auth.refresh()
  expect(left).toHaveLength(3)
})

test('a session that ran out while no page was open is told once the server was asked', async () => {
  const { auth, left } = setUp(async () => null, JSON.stringify({ ...session, expiresAt: new Date(NOW - 1).toISOString() }))
  auth.start()
  await expect.poll(() => left).toEqual(['ada@example.com'])
})
