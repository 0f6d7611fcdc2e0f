import { safeTarget } from '#reader/seen/opened-url.ts'

/** Where leaving the list is offered: a web address, or else a mail address. */
type MailingList = { readonly url: string } | { readonly address: string }

const VALUE_CHARS_MAX = 4096
const ENTRIES_MAX = 8
const WEB = new Set(['http:', 'https:'])

/**
 * What a mailing list offers to be left by (RFC 2369). Read only: nothing is ever sent there from here, the one-click POST of RFC 8058
 * included.
 */
export function mailingList(headers: readonly { readonly name: string; readonly value: string }[]): MailingList | undefined {
  const value = headers.find(({ name }) => name.toLowerCase() === 'list-unsubscribe')?.value.slice(0, VALUE_CHARS_MAX) ?? ''
  const entries = Array.from(value.matchAll(/<([^<>]*)>/g), ([, entry = '']) => entry.replace(/\s/g, '')).slice(0, ENTRIES_MAX)
  const url = entries.map(entry => safeTarget(entry, WEB)).find(target => target !== undefined)
  if (url !== undefined) return { url }
  const address = entries.map(entry => /^mailto:([^?]{3,320})/i.exec(entry)?.[1]).find(found => found !== undefined)
  return address === undefined ? undefined : { address: decodeAddress(address) }
}

function decodeAddress(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
