/** Checks the facts that the articles state about themselves. */
import { describe, expect, test } from 'vitest'
import { LANGUAGES, type Language } from '#contract/languages.ts'
import { articleFiles } from './article-files.ts'
import type { ParsedPost } from './parse-post.ts'
import { countWords, renderMarkdown } from './render-markdown.ts'

/** Words per minute that adults read silently: 238 for English prose (Brysbaert 2019), and a little less for texts to learn from. */
const WORDS_PER_MINUTE = 225
const posts = LANGUAGES.flatMap(language => articleFiles(language).map(post => ({ language, ...post })))
const named = (language: Language) => posts.filter(post => post.language === language).map(post => post.meta.id)

test.each(LANGUAGES)('%s: both articles exist', language => {
  expect(named(language).sort()).toEqual(['identify-ai-phishing', 'why-use-temporary-email'])
})

describe.each(posts.map(post => [`${post.language} ${post.meta.id}`, post] as const))('%s', (_, post) => {
  test('takes as long to read as it says', () => {
    expect(Math.round(countWords(post.body) / WORDS_PER_MINUTE)).toBe(Number.parseInt(post.meta.readTime, 10))
  })

  test('shows the date of publication', () => {
    const day = new Intl.DateTimeFormat(post.language === 'en' ? 'en-GB' : 'es', { dateStyle: 'long', timeZone: 'UTC' })
    expect(post.meta.date).toBe(day.format(new Date(post.meta.published)))
  })

  test('has only headings below the first level, and links within the site lead to articles', () => {
    const html = renderMarkdown(post.body)
    expect(html).not.toContain('<h1')
    const targets = [...html.matchAll(/href="\/([^"]*)"/g)].map(match => match[1])
    expect(targets).not.toEqual([])
    for (const target of targets) expect(named(post.language).map(id => `blog/${id}`)).toContain(target)
  })

  test('names its sources', () => {
    expect(renderMarkdown(post.body).match(/href="https:/g)?.length).toBeGreaterThanOrEqual(5)
  })

  test('does not promise the lifetime of a Pro address to others', () => {
    for (const sentence of splitSentences(post))
      if (/24[ -](?:hours?|horas?)|24 h\b|%proLifetime%/i.test(sentence)) expect(sentence).toMatch(/Pro\b|€/)
  })
})

function splitSentences(post: ParsedPost): string[] {
  const text = [post.meta.description, post.body, ...post.faq.flatMap(item => [item.question, item.answer])].join('\n')
  return text.split(/(?<=[.!?])\s/)
}

test.each(LANGUAGES)('%s: both posts have the same author', language => {
  const authors = posts
    .filter(post => post.language === language)
    .map(({ meta }) => [meta.authorName, meta.authorRole, meta.authorBio].join('\n'))
  expect(new Set(authors).size).toBe(1)
})
