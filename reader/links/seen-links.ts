import type { SeenHtml } from '../seen/html.ts'
import { textLinks } from '../seen/plain-text.ts'

/** Newsletters have some 50 links; the thousandth is an attack. */
const LINKS_MAX = 1000

/** Every link that a reader sees, each URL once: those of the HTML with their words, then those that stand in the text. */
export function listLinks(html: SeenHtml | undefined, text = ''): { url: string; text: string }[] {
  const found = new Map<string, { url: string; text: string }>()
  const add = (url: string, shown: string) => found.has(url) || found.set(url, { url, text: shown })
  for (const { url, label } of html?.links ?? []) add(url, label)
  for (const { url, start, end } of textLinks(text, LINKS_MAX)) {
    if (found.size >= LINKS_MAX) break
    if (/^https?:/i.test(url)) add(url, text.slice(start, end).replace(/\s+/g, ''))
  }
  return [...found.values()]
}
