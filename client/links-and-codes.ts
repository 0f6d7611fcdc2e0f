/** Finds links and codes in the content of a message. Pure: the site imports it too. */
import type { Message } from '../contract/mailbox.ts'

/** `text` is what a reader sees: of an image its alternative text, of a bare URL the URL. */
export type Link = Readonly<Message['allLinks'][number]>

/**
 * The first link to `host` or a subdomain of it; without `host` the first confirmation link. With `host` any link that a reader sees
 * counts, because a test knows where its application runs. `host` may have a port.
 */
export function findLink({ links, allLinks }: Pick<Message, 'links' | 'allLinks'>, host?: string): string | undefined {
  if (host === undefined) return links[0]?.url
  return [...links, ...allLinks].map(({ url }) => url).find(url => leadsTo(url, host.toLowerCase()))
}

/** The most likely code, or what `pattern` finds in subject and text; nothing is no code. */
export function findCode({ codes, subject, text, htmlText }: Message, pattern?: RegExp): string | undefined {
  if (!pattern) return codes[0]
  // With `g` or `y` it would remember where it stopped in another message.
  const [whole, group] = new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, '')).exec(`${subject}\n${htmlText ?? text ?? ''}`) ?? []
  return (group ?? whole) || undefined
}

function leadsTo(url: string, host: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, host: withPort, hostname } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'http:') return false
  return withPort === host || hostname === host || hostname.endsWith(`.${host}`)
}
