import { describe, expect, test } from 'vitest'
import { DAY_MS } from '#contract/limits.ts'
import { openDatabase } from '#server/database/database.ts'
import type { TestDatabaseFeatures } from '../harness/mayfly/start-database-features.ts'

export function blogViewsSuite(features: TestDatabaseFeatures): void {
  describe('database', () => {
    test('migrations run once, also when two processes start together', async () => {
      const opened = await Promise.all([1, 2, 3].map(() => openDatabase(features.location)))
      await Promise.all(opened.map(database => database[Symbol.asyncDispose]()))
      expect(await features.withDatabase(({ db }) => db.selectFrom('blog_post_views').selectAll().execute())).toEqual([])
    })
  })

  describe('blog views', () => {
    const visitor = { address: '192.0.2.1', userAgent: 'Firefox' }

    test('are counted once per visitor, article and day', async () => {
      features.now = Date.UTC(2026, 10, 21, 12)
      expect(await features.views.count('identify-ai-phishing', visitor)).toEqual({ slug: 'identify-ai-phishing', views: 1 })
      expect(await features.views.count('identify-ai-phishing', visitor)).toEqual({ slug: 'identify-ai-phishing', views: 1 })
      await features.views.count('identify-ai-phishing', { ...visitor, address: '192.0.2.2' })
      await features.views.count('why-use-temporary-email', visitor)
      features.now += DAY_MS
      expect(await features.views.count('identify-ai-phishing', visitor)).toEqual({ slug: 'identify-ai-phishing', views: 3 })
      expect(await features.views.all()).toEqual([
        { slug: 'why-use-temporary-email', views: 1 },
        { slug: 'identify-ai-phishing', views: 3 },
      ])
      expect(await features.views.find('identify-ai-phishing')).toEqual({ slug: 'identify-ai-phishing', views: 3 })
    })

    test('are not counted for an unknown article', async () => {
      for (const slug of ['nothing', '__proto__', 'constructor']) {
        expect(await features.views.find(slug)).toBeUndefined()
        expect(await features.views.count(slug, visitor)).toBeUndefined()
      }
    })
  })
}
