import { expect, test } from 'vitest'
import { countWords, renderMarkdown } from './render-markdown.ts'

test('headings get unique ids from their words, without accents', () => {
  const html = renderMarkdown('## Qué *dicen* SPF y DKIM\n\n## Sources\n\n## Sources')
  expect(html).toBe(
    '<h2 id="que-dicen-spf-y-dkim">Qué <em>dicen</em> SPF y DKIM</h2>\n<h2 id="sources">Sources</h2>\n<h2 id="sources-2">Sources</h2>',
  )
})

test('links to other sites have noopener, links within the site do not', () => {
  expect(renderMarkdown('[a](https://example.com/?x=1&y=2) [b](/blog/x)')).toBe(
    '<p><a href="https://example.com/?x=1&amp;y=2" rel="noopener">a</a> <a href="/blog/x">b</a></p>',
  )
})

test.each(['javascript:alert(1)', 'http://example.com', '//example.com', 'data:text/html,x'])('a link to %s stops the build', href => {
  expect(() => renderMarkdown(`[a](${href})`)).toThrow('not to')
})

test('an image file stops the build', () => {
  expect(() => renderMarkdown('![a](https://example.com/a.png)')).toThrow('image files')
})

test('HTML in the source is escaped', () => {
  expect(renderMarkdown('<script>alert(1)</script>\n\nIs <b onclick="x()">bold</b>?')).not.toMatch(/<(?:script|b)\b/)
})

test('only the words that a reader reads are counted', () => {
  expect(countWords('- One *two* [three four](https://example.com/a/b)\n1. ¿Qué año? `you+shop@example.com`')).toBe(8)
})
