import { expect, test } from 'vitest'
import { listPosts } from '#web/features/blog/posts.ts'
import { withSiteName } from '#web/lib/site/site-config.ts'
import { catalogs } from '#web/texts/catalog.ts'

test('texts use the name of the deployment', () => {
  const texts = { title: 'Blog: Mayfly', items: ['Mayfly speaks', 'a mayfly'], count: 2 }
  expect(withSiteName(texts, '$& Mail')).toEqual({ title: 'Blog: $& Mail', items: ['$& Mail speaks', 'a mayfly'], count: 2 })
  expect(withSiteName(texts, 'Mayfly')).toBe(texts)
})

/** Functions are left alone, since a value in their text could be the visitor's own words. */
test.each(['en', 'es'] as const)('%s: no text contains Mayfly on a site with another name', async language => {
  const { lazyAreas, ...core } = await catalogs[language]()
  const areas = await Promise.all(Object.values(lazyAreas).map(load => load()))
  const named = [core, ...areas, listPosts(language)].map(texts => withSiteName(texts, 'Example'))
  const shown = JSON.stringify(named, (_, value) => (typeof value === 'function' ? String(value) : value))
  expect(shown).toContain('Example')
  expect(shown).not.toContain('Mayfly')
})
