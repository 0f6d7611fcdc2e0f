/** Every text of the site in one language, for tests that run in both. */
import type { Language } from '#contract/languages.ts'
import { catalogs, type Texts } from '#web/texts/catalog.ts'

export type Words = Texts

export async function loadWords(language: Language): Promise<Words> {
  const { lazyAreas, ...core } = await catalogs[language]()
  const areas = await Promise.all(Object.entries(lazyAreas).map(async ([area, load]) => [area, await load()] as const))
  return { ...core, ...Object.fromEntries(areas) } as Words
}
