import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'

const SOURCE = readFileSync(new URL('../../web/public/sw.js', import.meta.url), 'utf8')
  .replace('__SHELL__', '[]')
  .replace('__LANGUAGES__', '["en"]')

test('a cached page has no fragment, because it may contain a token', async () => {
  const kept: unknown[] = []
  const listeners = new Map<string, (event: unknown) => void>()
  runInNewContext(SOURCE, {
    self: { addEventListener: (type: string, listener: (event: unknown) => void) => listeners.set(type, listener) },
    location: { origin: 'https://mayfly.test' },
    caches: { open: async () => ({ put: async (request: unknown) => void kept.push(request) }) },
    fetch: async () => new Response('page'),
    Headers,
    Response,
    URL,
  })
  const work: Promise<unknown>[] = []
  listeners.get('fetch')?.({
    request: { method: 'GET', mode: 'navigate', url: 'https://mayfly.test/?lang=es#m=secret' },
    respondWith: (answer: Promise<unknown>) => work.push(answer),
    waitUntil: (task: Promise<unknown>) => work.push(task),
  })
  await work[0]
  await Promise.all(work)
  expect(kept).toEqual(['https://mayfly.test/?lang=es'])
})
