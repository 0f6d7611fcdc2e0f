import type { MessageSummary } from '#contract/mailbox.ts'

/**
 * Whether no sender of this inbox could be checked, because DNS did not answer for any. Then this is a fault of the installation, which is
 * said once below the list, and nothing of it beside each sender. One sender whose own DNS fails is not enough.
 */
export function isEverySenderUnchecked(messages: readonly Pick<MessageSummary, 'authentication'>[]): boolean {
  const checked = messages.flatMap(({ authentication }) => authentication ?? [])
  return checked.length > 0 && checked.every(({ spf, dmarc }) => spf === 'temperror' && dmarc === 'temperror')
}
