/** Renders articles from Markdown to HTML at build time, so that no Markdown code and no raw HTML reaches a browser. */
import { Marked } from 'marked'
import { escapeHtml } from '#server/platform/escape-html.ts'

const EXTERNAL = /^https?:\/\//
/** Within the site, or https. Anything else is a mistake and fails the build. */
const LINK = /^(?:https:\/\/|\/(?!\/)|#)/

/** HTML in the source is shown as text, external links get `rel="noopener"`. @throws if a link is neither https nor within the site. */
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

/** The words of an article as a reader counts them, without link targets and Markdown syntax. */
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
