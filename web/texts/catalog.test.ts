import { expect, test } from 'vitest'
import { catalogs } from './catalog.ts'

/** Every text by its path, functions by what they say for plausible values. */
function flatten(value: unknown, path: string): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value === 'function') return [[path, String(value(SAMPLE))]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => flatten(inner, `${path}.${key}`))
}

const SAMPLE = new Proxy({}, { get: () => 2 })

const texts = async (language: 'en' | 'es') => {
  const { lazyAreas, ...core } = await catalogs[language]()
  const lazy = await Promise.all(Object.entries(lazyAreas).map(async ([area, load]) => flatten(await load(), area)))
  return new Map([...flatten(core, 'core'), ...lazy.flat()])
}

test('both dictionaries have the same texts, none of them empty', async () => {
  const [english, spanish] = [await texts('en'), await texts('es')]
  expect([...spanish.keys()].sort()).toEqual([...english.keys()].sort())
  expect([...english, ...spanish].filter(([, text]) => text.trim() === '')).toEqual([])
})

test('the dictionaries cover header, meta, hero, generator, keywords, how it works, use cases, questions and footer', async () => {
  const keys = [...(await texts('es')).keys()]
  const parts = {
    header: 'core.layout.mainNavigation',
    meta: 'core.meta.home.title',
    hero: 'home.headline',
    generator: 'core.mailbox.generate',
    keywords: 'preview.keywords',
    howItWorks: 'homeSections.howItWorks.title',
    useCases: 'homeSections.useCases.title',
    faq: 'homeSections.faq.title',
    footer: 'footer.navigation',
  }
  for (const key of Object.values(parts)) expect(keys).toContain(key)
})
