import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const TOKEN = 'Az0_-'.repeat(12).padEnd(64, 'x')
const replaceState = vi.fn()
let kept: Map<string, string>

beforeEach(() => {
  kept = new Map()
  vi.stubGlobal('history', { state: null, replaceState })
  vi.stubGlobal('addEventListener', vi.fn())
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
  replaceState.mockClear()
})

async function visit(hash: string): Promise<string | undefined> {
  vi.stubGlobal('location', { hash, pathname: '/', search: '?lang=es' })
  vi.resetModules()
  return (await import('./hand-off.ts')).linkTokenStore.get()
}

test('the token of a link is removed from the address bar and survives a reload', async () => {
  expect(await visit(`#m=${TOKEN}`)).toBe(TOKEN)
  expect(replaceState).toHaveBeenCalledExactlyOnceWith(null, '', '/?lang=es')
  expect(await visit('')).toBe(TOKEN)
})

test.each(['', '%E2%82%AC', TOKEN.slice(1), `${TOKEN}x`, `${TOKEN}%0A`])(
  'an invalid token (%j) is removed from the address bar and not kept, and the page knows that there was one',
  async text => {
    expect(await visit(`#m=${text}`)).toBe('')
    expect(replaceState).toHaveBeenCalledOnce()
    expect(kept.size).toBe(0)
  },
)

test('an invalid token is not taken from an earlier visit either', async () => {
  kept.set('mayfly.hand-off', '€')
  expect(await visit('')).toBeUndefined()
})

test('other fragments are kept', async () => {
  expect(await visit('#message-1')).toBeUndefined()
  expect(replaceState).not.toHaveBeenCalled()
})
