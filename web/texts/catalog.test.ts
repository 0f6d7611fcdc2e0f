import { expect, test } from 'vitest'
import { LANGUAGES, type Language } from '#contract/languages.ts'
import { fillIn, MIB } from '#contract/limits.ts'
import { quotaTexts } from '#contract/quota.ts'
import { listPosts } from '#web/features/blog/posts.ts'
import { withSiteFacts } from '#web/lib/site/site-config.ts'
import { catalogs, mapTexts } from './catalog.ts'
import { auth } from './en/account.ts'
import { meta } from './en/core.ts'
import { homeSections as english } from './en/home.ts'
import { homeSections as spanish } from './es/home.ts'

/** Every text by its path, functions by what they say for plausible values. */
function flatten(value: unknown, path: string): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value === 'function') return [[path, String(value(SAMPLE))]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => flatten(inner, `${path}.${key}`))
}

const SAMPLE = new Proxy({}, { get: () => 2 })

async function loadAll(language: Language) {
  const { lazyAreas, ...core } = await catalogs[language]()
  const files: [string, () => Promise<Readonly<Record<string, unknown>>>][] = Object.entries(lazyAreas)
  const lazy = await Promise.all(files.map(async ([area, load]) => [area, (await load())[area]] as const))
  return { core, lazy }
}

const texts = async (language: Language) => {
  const { core, lazy } = await loadAll(language)
  return new Map([...flatten(core, 'core'), ...lazy.flatMap(([area, words]) => flatten(words, area))])
}

test.each(LANGUAGES)('%s has the same texts as English, none of them empty', async language => {
  const [english, own] = [await texts('en'), await texts(language)]
  expect([...own.keys()].sort()).toEqual([...english.keys()].sort())
  expect([...own].filter(([, text]) => text.trim() === '')).toEqual([])
})

test.each(LANGUAGES)('the questions name every language in %s', async language => {
  const names = new Intl.DisplayNames([language], { type: 'language' })
  const answers = [...(await texts(language))].filter(([path]) => /^homeSections\.faq\..*answer$/.test(path))
  const isComplete = (text: string) => LANGUAGES.every(named => text.toLowerCase().includes(names.of(named)?.toLowerCase() ?? named))
  expect(answers.filter(([, text]) => isComplete(text))).toHaveLength(1)
})

const answerTo = (sections: typeof english, index: number) => sections.faq.items[index]?.answer ?? ''

const BY_DEFAULT = {
  siteName: 'Mayfly',
  lifetimeSeconds: 600,
}

test('the questions say ten minutes and not extendable', () => {
  expect(withSiteFacts(answerTo(english, 0), 'en', BY_DEFAULT)).toMatch(/^It lives ten minutes, .*cannot be extended/)
  expect(withSiteFacts(answerTo(spanish, 0), 'es', BY_DEFAULT)).toMatch(/^Vive diez minutos, /)
})

test('it is free, without registration, and allows as many addresses as needed', () => {
  expect(answerTo(english, 1)).toContain('It is free, without registration, and you may use as many addresses as you need.')
  expect(meta.home.description).toContain('No registration.')
})

test('a Pro account offers longer-lasting addresses and more', () => {
  expect(english.faq.items.some(({ answer }) => /Addresses that live %proLifetime% instead of %lifetime%, up to ten/.test(answer))).toBe(
    true,
  )
  expect(auth.lead).toMatch(/^Addresses that live %proLifetime%/)
})

test('texts use the name of the deployment', () => {
  const texts = { title: 'Blog: Mayfly', items: ['Mayfly speaks', 'a mayfly'], count: 2 }
  expect(withSiteFacts(texts, 'en', { ...BY_DEFAULT, siteName: '$& Mail' })).toEqual({
    title: 'Blog: $& Mail',
    items: ['$& Mail speaks', 'a mayfly'],
    count: 2,
  })
  expect(withSiteFacts(texts, 'en', BY_DEFAULT)).toEqual(texts)
})

/** What texts make of the limits of the site in the next test. */
const LIMITS_IN: Readonly<Record<Language, { readonly lifetime: string; readonly quota: RegExp }>> = {
  en: { lifetime: 'after 2 hours', quota: / holds 3 messages or 14 MB\..* up to 7 MB / },
  es: { lifetime: 'tras 2 horas', quota: / caben 3 mensajes o 14 MB\..* hasta 7 MB / },
}

/** Functions are left alone, since a value in their text could be the visitor's own words. */
test.each(LANGUAGES)('%s: no text contains Mayfly, a default limit or a placeholder on a site with other ones', async language => {
  const { core, lazy } = await loadAll(language)
  const site = { siteName: 'Example', lifetimeSeconds: 7200, messageBytesMax: 7 * MIB, messagesMax: 3 }
  const named = [core, ...lazy, listPosts(language)].map(texts =>
    withSiteFacts(
      mapTexts(texts, text => fillIn(text, quotaTexts(site))),
      language,
      site,
    ),
  )
  const shown = JSON.stringify(named, (_, value) => (typeof value === 'function' ? String(value) : value))
  expect(shown).toContain('Example')
  expect(shown).not.toContain('Mayfly')
  expect(shown).toContain(LIMITS_IN[language].lifetime)
  expect(shown).toMatch(LIMITS_IN[language].quota)
  expect(shown).not.toMatch(/%\w+%/)
  // A word that agrees with the minutes would not agree with hours.
  expect(shown).not.toMatch(/\b(?:ten|10) min|\b(?:diez|10) min|\blos \d+ horas/i)
})
