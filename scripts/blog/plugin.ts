/**
 * Vite plugin: `import article from 'x.md'` is `{ html, faq }`, `import meta from 'x.md?meta'` is its metadata. A page of content/legal/ is
 * its sections, whose points are sentences, or pairs of a bold subject and the rest.
 */
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Plugin } from 'vite'
import { parsePost } from './parse-post.ts'
import { renderMarkdown } from './render-markdown.ts'

export function blogArticles(): Plugin {
  return {
    name: 'mayfly:blog-articles',
    // Before Vite's own loaders, which do not support Markdown.
    enforce: 'pre',
    async load(id) {
      const [path = '', query] = id.split('?')
      if (!path.endsWith('.md')) return null
      this.addWatchFile(path)
      const text = await readFile(path, 'utf8')
      if (path.includes('/content/legal/')) return module(parseSections(text))
      const { meta, faq, body } = parsePost(text)
      if (meta.id !== basename(path, '.md')) throw new Error(`${path} says its id is ${meta.id}: the file is named after the id`)
      return module(query === 'meta' ? meta : { html: renderMarkdown(body), faq })
    },
  }
}

const module = (value: unknown) => ({ code: `export default ${JSON.stringify(value)}`, moduleType: 'js', map: null }) as const

function parseSections(text: string) {
  return text.split(/^## /m).flatMap(section => {
    const [title = '', ...lines] = section.trim().split(/\n+(?:- )?/)
    const points = lines.map(line => /^\*\*(.+?)\*\* (.+)$/.exec(line)?.slice(1) ?? line)
    return points.length === 0 ? [] : [{ title, points }]
  })
}
