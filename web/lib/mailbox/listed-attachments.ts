import type { Attachment } from '#contract/mailbox.ts'

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
