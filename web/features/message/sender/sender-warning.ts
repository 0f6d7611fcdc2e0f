/** What a From line pretends: a name that is somebody else's address, or a domain in letters that imitate others. Pure: no DOM. */
import type { Message } from '#contract/mailbox.ts'
import { displayHost, isLookalike, isSameSite } from '../links/link-target.ts'

/** `name` is what the reader should know instead: the true address, or the domain in Punycode. */
type SenderWarning = { readonly kind: 'otherAddress' | 'lookalike'; readonly name: string }

/** One character before the `@` is enough; a run of them would be read again from each of its characters. */
const ADDRESS = /[^\s"'<>()[\],;:@]@((?:[\p{L}\p{N}-]+\.)+[\p{L}\p{N}-]{2,})/u

export function senderWarning(from: Message['from']): SenderWarning | undefined {
  const host = parseHost(from.address.slice(from.address.lastIndexOf('@') + 1))
  if (host === undefined) return undefined
  if (isLookalike(host)) return { kind: 'lookalike', name: displayHost(host) }
  const named = parseHost(ADDRESS.exec(from.name)?.[1] ?? '')
  return named === undefined || isSameSite(named, host) ? undefined : { kind: 'otherAddress', name: from.address }
}

/** In lower case and Punycode, as the judgement of links reads it. */
function parseHost(domain: string): string | undefined {
  return domain === '' ? undefined : URL.parse(`https://${domain}`)?.hostname
}
