/** The links of a mail: confirmation links first, then every other link of its HTML and text. */
import type { Message } from '../contract/mailbox.ts'

type Linked = Pick<Message, 'links' | 'html' | 'text'>

/** Stops at the next `<`: searching from each of a hundred thousand `<a ` to the end of the text would take hours. */
const HREF = /<a\s[^<>]*?href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/gi
const BARE = /https?:\/\/[^\s<>"']+/gi

/**
 * The first link to `host` or a subdomain of it; without `host` the first confirmation link. With `host` any link counts, because a test
 * knows where its application runs. `host` may have a port.
 */
export function findLink({ links, html = '', text = '' }: Linked, host?: string): string | undefined {
  const confirmations = links.map(({ url }) => url)
  if (host === undefined) return confirmations[0]
  return [...confirmations, ...hrefs(html), ...bareLinks(text)].find(url => leadsTo(url, host.toLowerCase()))
}

function leadsTo(url: string, host: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, host: withPort, hostname } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'http:') return false
  return withPort === host || hostname === host || hostname.endsWith(`.${host}`)
}

function hrefs(html: string): string[] {
  return [...html.matchAll(HREF)].map(([, double, single, bare]) => decodeReferences(double ?? single ?? bare ?? ''))
}

/** Punctuation at the end belongs to the sentence around the link. Each run of it is searched once, however long it is. */
function bareLinks(text: string): string[] {
  return [...text.matchAll(BARE)].map(([link]) => link.replace(/(?<![.,;:!?)\]])[.,;:!?)\]]+$/, ''))
}

/** The character references that occur in an `href`; URLs need no others. */
function decodeReferences(value: string): string {
  return value.replace(/&(?:amp|#38|#x26);/gi, '&').replace(/&(?:#61|#x3d);/gi, '=')
}
