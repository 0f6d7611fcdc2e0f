import { domainToASCII } from 'node:url'
import { parseMessage } from '#server/mime/structure/parse.ts'
import { shownSender } from '../message/shown-sender.ts'

/** Whether the sender that readers see is of this domain. False in doubt. */
export function isShownDomain(raw: Uint8Array, domain: string | undefined): boolean {
  if (domain === undefined) return false
  const shown = asciiDomain(shownDomain(raw))
  return shown !== '' && shown === asciiDomain(domain)
}

function shownDomain(raw: Uint8Array): string {
  try {
    // Only the header of the message is needed.
    const { address } = shownSender(parseMessage(raw, { partsMax: 1 }))
    return address.slice(address.lastIndexOf('@') + 1)
  } catch {
    return ''
  }
}

/** Lower case, in Punycode, without the root's dot; empty if it is not a domain. */
function asciiDomain(domain: string): string {
  return domainToASCII(domain).replace(/\.$/, '')
}
