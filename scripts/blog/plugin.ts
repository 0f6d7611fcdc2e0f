/** Vite plugin: `import article from 'x.md'` is `{ html, faq }`, `import meta from 'x.md?meta'` is its metadata. */
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
      const { meta, faq, body } = parsePost(await readFile(path, 'utf8'))
      if (meta.id !== basename(path, '.md')) throw new Error(`${path} says its id is ${meta.id}: the file is named after the id`)
      const value = query === 'meta' ? meta : { html: renderMarkdown(body), faq }
      return { code: `export default ${JSON.stringify(value)}`, moduleType: 'js', map: null }
    },
  }
}
