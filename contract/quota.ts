/** How much an address holds. Not in limits.ts, because it is not needed before the first paint. */
import { KIB, MIB } from './limits.ts'
import type { SiteConfig } from './site.ts'

/** Bytes of all messages in one mailbox: half a MiB for each, and room for two of the largest. */
export const quotaBytes = (messagesMax: number, messageBytesMax: number) => Math.max((messagesMax * MIB) / 2, 2 * messageBytesMax)

/** What texts say of it: see `fillIn`. */
export function quotaTexts({ messagesMax, messageBytesMax }: Pick<SiteConfig, 'messagesMax' | 'messageBytesMax'>): Record<string, string> {
  return {
    messageBytesMax: sizeIn(messageBytesMax),
    messagesMax: `${messagesMax}`,
    quotaBytes: sizeIn(quotaBytes(messagesMax, messageBytesMax)),
  }
}

const sizeIn = (bytes: number) => (bytes < MIB ? `${Math.floor(bytes / KIB)} kB` : `${Math.floor(bytes / MIB)} MB`)
