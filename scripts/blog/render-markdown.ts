/** Our articles from Markdown to HTML, when the site is built: no Markdown code and no raw HTML ever reaches a browser. */
import { Marked } from 'marked'

const EXTERNAL = /^https?:\/\//
/** Within the site, or over the web. Anything else in an article is a mistake and stops the build. */
const LINK = /^(?:https:\/\/|\/(?!\/)|#)/

/**
 * Headings carry ids made from their words, links to other sites `rel="noopener"`; HTML in the source is shown as text.
 * @throws when a link is neither https nor within the site.
 */
export function renderMarkdown(source: string): string {
  const ids = new Set<string>()
  const marked = new Marked({
    gfm: true,
    renderer: {
      html: ({ text }) => escapeHtml(text),
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${uniqueId(slugify(text), ids)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }) {
        if (!LINK.test(href)) throw new Error(`An article may link to https:// and to its own site only, not to ${href}`)
        const rel = EXTERNAL.test(href) ? ' rel="noopener"' : ''
        return `<a href="${escapeHtml(href)}"${rel}>${this.parser.parseInline(tokens)}</a>`
      },
      image: ({ href }) => {
        throw new Error(`An article has drawings of ours, not image files: ${href}`)
      },
    },
  })
  return marked.parse(source, { async: false }).trim()
}

/** Words of an article's text as a reader counts them: targets of links and Markdown's signs are not read. */
export function countWords(source: string): number {
  const text = source.replace(/\]\([^)]*\)/g, ']')
  return text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}’'@.,+-]*/gu)?.length ?? 0
}

function slugify(text: string): string {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return plain.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '')
}

function uniqueId(slug: string, taken: Set<string>): string {
  let id = slug
  for (let n = 2; taken.has(id); n++) id = `${slug}-${n}`
  taken.add(id)
  return id
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
