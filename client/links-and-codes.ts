/** Finds links and codes in the content of a message. Pure: the site imports it too. */
import type { Message } from '../contract/mailbox.ts'

/** Stops at the next `<`: searching from each of a hundred thousand `<a ` to the end of the text would take hours. */
const HREF = /<a\s[^<>]*?href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))[^<>]*>?/gi
const BARE = /https?:\/\/[^\s<>"']+/gi
/** How far the text of a link is read, for the same reason. */
const LINK_CHARS_MAX = 1000

/** `text` is what a reader sees: of an image its alternative text, of a bare URL the URL. */
export type Link = { readonly url: string; readonly text: string }

type Content = Pick<Message, 'links' | 'html' | 'text'>

/**
 * The first link to `host` or a subdomain of it; without `host` the first confirmation link. With `host` any link counts, because a test
 * knows where its application runs. `host` may have a port.
 */
export function findLink(message: Content, host?: string): string | undefined {
  const confirmations = message.links.map(({ url }) => url)
  if (host === undefined) return confirmations[0]
  return [...confirmations, ...listLinks(message).map(({ url }) => url)].find(url => leadsTo(url, host.toLowerCase()))
}

/** The most likely code, or what `pattern` finds in subject and text; nothing is no code. */
export function findCode({ codes, subject, text, html = '' }: Message, pattern?: RegExp): string | undefined {
  if (!pattern) return codes[0]
  // With `g` or `y` it would remember where it stopped in another message.
  const [whole, group] = new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, '')).exec(`${subject}\n${text ?? plainText(html)}`) ?? []
  return (group ?? whole) || undefined
}

/** Every link of HTML and text in their order, each URL once, with the text that is shown for it. */
export function listLinks({ html = '', text = '' }: Omit<Content, 'links'>): Link[] {
  const anchors = [...html.matchAll(HREF)].map(({ 0: tag, 1: double, 2: single, 3: bare, index }) => {
    const [shown = ''] = html.slice(index + tag.length, index + tag.length + LINK_CHARS_MAX).split(/<\/?a[\s>]/i, 1)
    return { url: decodeReferences(double ?? single ?? bare ?? ''), text: plainText(shown) }
  })
  // Punctuation at the end belongs to the sentence around the link. Each run of it is searched once, however long it is.
  const bare = [...text.matchAll(BARE)].map(([link]) => link.replace(/(?<![.,;:!?)\]])[.,;:!?)\]]+$/, '')).map(url => ({ url, text: url }))
  const found = new Map<string, Link>()
  for (const link of [...anchors, ...bare]) if (!found.has(link.url)) found.set(link.url, link)
  return [...found.values()]
}

function leadsTo(url: string, host: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, host: withPort, hostname } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'http:') return false
  return withPort === host || hostname === host || hostname.endsWith(`.${host}`)
}

const REFERENCES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** The character references that occur in an `href` and in the text of links. */
function decodeReferences(value: string): string {
  return value.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos|nbsp));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return REFERENCES[name.toLowerCase()] ?? whole
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code > 0x10ffff ? whole : String.fromCodePoint(code)
  })
}

/** What a reader sees, roughly: good enough to find a code or name a link. */
function plainText(html: string): string {
  const shown = html
    .replace(/<(style|script)\b[^<>]*>[^<]*/gi, ' ')
    .replace(/<[^<>]*>/g, tag => ` ${(/^<img\s/i.test(tag) && /alt\s*=\s*"([^"]*)"/i.exec(tag)?.[1]) || ''} `)
  return decodeReferences(shown).replace(/\s+/g, ' ').trim()
}
