/** Detects deceptive From lines: a name that is somebody else's address or a brand's, or look-alike letters. Pure: no DOM. */

import { displayHost, isLookalike, isSameSite } from '#contract/links/link-target.ts'
import type { Message } from '#contract/mailbox.ts'
import { claimedBrand } from './brands.ts'
import { hasLookalikeWord } from './lookalike-words.ts'

/** `name` is what the reader should know instead: the true address, or the domain in Punycode. `brand` is the misused name. */
export type SenderWarning =
  | { readonly kind: 'otherAddress' | 'lookalike' | 'lookalikeName'; readonly name: string }
  | { readonly kind: 'brand'; readonly name: string; readonly brand: string }

/** One character before the `@` is enough. A run of them would be searched again from each of its characters. */
const ADDRESS = /[^\s"'<>()[\],;:@]@((?:[\p{L}\p{N}-]+\.)+[\p{L}\p{N}-]{2,})/u

export function senderWarning(from: Message['from']): SenderWarning | undefined {
  const host = parseHost(from.address.slice(from.address.lastIndexOf('@') + 1))
  if (host === undefined) return undefined
  if (isLookalike(host)) return { kind: 'lookalike', name: displayHost(host) }
  const named = parseHost(ADDRESS.exec(from.name)?.[1] ?? '')
  if (named !== undefined && !isSameSite(named, host)) return { kind: 'otherAddress', name: from.address }
  const brand = claimedBrand(from.name, host)
  if (brand !== undefined) return { kind: 'brand', name: displayHost(host), brand }
  return hasLookalikeWord(from.name) ? { kind: 'lookalikeName', name: from.address } : undefined
}

/** In lower case and Punycode, as the judgement of links reads it. */
function parseHost(domain: string): string | undefined {
  return domain === '' ? undefined : URL.parse(`https://${domain}`)?.hostname
}
