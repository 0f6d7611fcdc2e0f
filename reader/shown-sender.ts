import { domainToASCII } from 'node:url'
import { readSender } from './mime/headers/headers.ts'
import type { MailAddress, ParsedMessage } from './mime/types.ts'

/** Characters of a name or an address in a row; the whole text is in the message's headers. */
const NAME_CHARS_MAX = 320

export function shownSender(parsed: ParsedMessage): MailAddress {
  const { name, address } = readSender(parsed)
  return { name: truncate(name, NAME_CHARS_MAX), address: truncate(address, NAME_CHARS_MAX) }
}

/** Lower case, in Punycode, without the root's dot; empty if the address has no domain. */
export const senderDomain = (address: string): string => domainToASCII(address.slice(address.lastIndexOf('@') + 1)).replace(/\.$/, '')

/** Never cuts a surrogate pair in half. */
export function truncate(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text
  const last = text.charCodeAt(charsMax - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? charsMax - 1 : charsMax)
}
