import { describe, expect, test } from 'vitest'
import { createPasswords } from '#server/accounts/password-hash.ts'
import { openDatabase } from '#server/database/database.ts'
import { DAY_MS, SECRET, type SiteUnderTest } from '#test/site-under-test.ts'

export function blogViewsSuite(it: SiteUnderTest): void {
  describe('database', () => {
    test('migrations run once, also when two processes start together', async () => {
      const opened = await Promise.all([1, 2, 3].map(() => openDatabase(it.place)))
      await Promise.all(opened.map(database => database[Symbol.asyncDispose]()))
      expect(await it.rows(({ db }) => db.selectFrom('blog_post_views').selectAll().execute())).toEqual([])
    })

    test('the tables are what better-auth expects', async () => {
      const { getMigrations } = await import('better-auth/db/migration')
      const { createAuth } = await import('#server/accounts/auth.ts')
      const { createSecretBox } = await import('#server/database/secret-box.ts')
      await it.rows(async database => {
        const parts = {
          database,
          vault: createSecretBox(SECRET),
          secret: SECRET,
          passwords: createPasswords(),
          publicUrl: 'https://x.test',
        }
        const { options } = createAuth(parts)
        const plan = await getMigrations({ ...options, database: { db: database.db, type: database.dialect } })
        expect({ created: plan.toBeCreated, added: plan.toBeAdded }).toEqual({ created: [], added: [] })
      })
    })
  })

  describe('blog views', () => {
    const visitor = { address: '192.0.2.1', userAgent: 'Firefox' }

    test('count once per visitor, article and day', async () => {
      it.now = Date.UTC(2026, 10, 21, 12)
      expect(await it.site.views.count('identify-ai-phishing', visitor)).toEqual({ slug: 'identify-ai-phishing', views: 1 })
      expect(await it.site.views.count('identify-ai-phishing', visitor)).toEqual({ slug: 'identify-ai-phishing', views: 1 })
      await it.site.views.count('identify-ai-phishing', { ...visitor, address: '192.0.2.2' })
      await it.site.views.count('why-use-temporary-email', visitor)
      it.now += DAY_MS
      expect(await it.site.views.count('identify-ai-phishing', visitor)).toEqual({ slug: 'identify-ai-phishing', views: 3 })
      expect(await it.site.views.all()).toEqual([
        { slug: 'why-use-temporary-email', views: 1 },
        { slug: 'identify-ai-phishing', views: 3 },
      ])
      expect(await it.site.views.of('identify-ai-phishing')).toEqual({ slug: 'identify-ai-phishing', views: 3 })
    })

    test('an unknown article is not counted', async () => {
      for (const slug of ['nothing', '__proto__', 'constructor']) {
        expect(await it.site.views.of(slug)).toBeUndefined()
        expect(await it.site.views.count(slug, visitor)).toBeUndefined()
      }
    })
  })
}
