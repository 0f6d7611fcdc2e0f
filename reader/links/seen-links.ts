import type { SeenHtml } from '../seen/html.ts'
import { type TextLink, textLinks } from '../seen/plain-text.ts'

/** Newsletters have some 50 links; the thousandth is an attack. */
const LINKS_MAX = 1000

/** What is written as a URL in the text, or without one that is shown in the HTML. */
export function writtenLinks(html: SeenHtml | undefined, text: string | undefined): TextLink[] {
  return text === undefined && html ? bareLinks(html, LINKS_MAX) : textLinks(text ?? '', LINKS_MAX)
}

/** Every link that a reader sees, each URL once: those of the HTML with their words, then `links`, which are written as URLs. */
export function listLinks(
  html: SeenHtml | undefined,
  text: string | undefined,
  links: readonly TextLink[],
): { url: string; text: string }[] {
  const found = new Map<string, { url: string; text: string }>()
  const add = (url: string, shown: string) => {
    if (!found.has(url) && URL.canParse(url)) found.set(url, { url, text: shown })
  }
  for (const { url, label } of html?.links ?? []) add(url, label)
  const written = text ?? html?.text ?? ''
  for (const { url, start, end } of links) {
    if (found.size >= LINKS_MAX) break
    if (/^https?:/i.test(url)) add(url, written.slice(start, end).replace(/\s+/g, ''))
  }
  return [...found.values()]
}

/** The URLs in the words of an HTML mail that are no link's own words. */
export function bareLinks({ text, links }: SeenHtml, linksMax: number): TextLink[] {
  let next = 0
  return textLinks(text, linksMax).filter(({ start, end }) => {
    while ((links[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next++
    return (links[next]?.start ?? Number.POSITIVE_INFINITY) >= end
  })
}
