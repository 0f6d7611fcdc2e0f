/**
 * Vite plugin: `import article from 'x.md'` is `{ html, faq }`, `import meta from 'x.md?meta'` is its metadata. A page of content/legal/ is
 * its sections, whose points are sentences, or pairs of a bold subject and the rest.
 */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Plugin } from 'vite'
import { parsePost } from './parse-post.ts'
import { renderMarkdown } from './render-markdown.ts'

export function blogArticles(): Plugin {
  return {
    name: 'mayfly:blog-articles',
    // Before Vite's own loaders, which do not support Markdown.
    enforce: 'pre',
    load(id) {
      const [path = '', query] = id.split('?')
      if (!path.endsWith('.md')) return null
      this.addWatchFile(path)
      return { code: contentModule(path, query), moduleType: 'js', map: null }
    },
  }
}

/** The module that an import of this file is. */
export function contentModule(path: string, query?: string): string {
  const text = readFileSync(path, 'utf8')
  if (path.includes('/content/legal/')) return exported(parseSections(text))
  const { meta, faq, body } = parsePost(text)
  if (meta.id !== basename(path, '.md')) throw new Error(`${path} says its id is ${meta.id}: the file is named after the id`)
  return exported(query === 'meta' ? meta : { html: renderMarkdown(body), faq })
}

const exported = (value: unknown) => `export default ${JSON.stringify(value)}`

function parseSections(text: string) {
  return text.split(/^## /m).flatMap(section => {
    const [title = '', ...lines] = section.trim().split(/\n+(?:- )?/)
    const points = lines.map(line => /^\*\*(.+?)\*\* (.+)$/.exec(line)?.slice(1) ?? line)
    return points.length === 0 ? [] : [{ title, points }]
  })
}
