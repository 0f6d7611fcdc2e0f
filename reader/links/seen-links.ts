import type { SeenHtml } from '../seen/html.ts'

const BARE = /https?:\/\/[^\s<>"']+/gi

/** Every link that a reader sees, each URL once: those of the HTML with their words, then those that stand in the text. */
export function listLinks(html: SeenHtml | undefined, text = ''): { url: string; text: string }[] {
  const found = new Map<string, { url: string; text: string }>()
  const add = (url: string, shown: string) => found.has(url) || found.set(url, { url, text: shown })
  for (const { url, label } of html?.links ?? []) add(url, label)
  // Punctuation at the end belongs to the sentence around the link. Each run of it is searched once, however long it is.
  for (const [bare] of text.matchAll(BARE)) {
    if (found.size >= LINKS_MAX) break
    const url = bare.replace(/(?<![.,;:!?)\]])[.,;:!?)\]]+$/, '')
    add(url, url)
  }
  return [...found.values()]
}

/** Newsletters have some 50 links; the thousandth is an attack. */
const LINKS_MAX = 1000
