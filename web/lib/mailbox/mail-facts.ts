/** What rows and the opened mail say of a mail. */
import type { Attachment, MessageSummary } from '#contract/mailbox.ts'

type Part = Pick<Attachment, 'contentType' | 'inline'>

/** The pictures that browsers show everywhere, without SVG, which can contain scripts. */
export const isPicture = ({ contentType }: Pick<Part, 'contentType'>) => /^image\/(?:png|p?jpe?g|gif|webp)$/i.test(contentType)

/** The part of a report that programs read. The card of the report shows what it says. */
export const isReportPart = ({ contentType }: Pick<Part, 'contentType'>) =>
  /^message\/(?:(?:global-)?(?:delivery-status|disposition-notification)|feedback-report)$/i.test(contentType)

/** The files beside the text, without the pictures in it and the fields of a report. */
export function listedAttachments<T extends Part>(attachments: readonly T[]): readonly T[] {
  return attachments.filter(part => !(part.inline && isPicture(part)) && !isReportPart(part))
}

/**
 * Whether no sender of this inbox could be checked, because DNS did not answer for any. Then this is a fault of the installation, which is
 * said once below the list, and nothing of it beside each sender. One sender whose own DNS fails is not enough.
 */
export function isEverySenderUnchecked(messages: readonly Pick<MessageSummary, 'authentication'>[]): boolean {
  const checked = messages.flatMap(({ authentication }) => authentication ?? [])
  return checked.length > 0 && checked.every(({ spf, dmarc }) => spf === 'temperror' && dmarc === 'temperror')
}
