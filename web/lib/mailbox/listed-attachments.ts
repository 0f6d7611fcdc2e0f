import type { Attachment } from '#contract/mailbox.ts'

type Part = Pick<Attachment, 'contentType' | 'size' | 'inline'>

const CALENDAR = /^(?:text\/calendar|application\/ics)$/i

export const isCalendar = ({ contentType }: Pick<Part, 'contentType'>) => CALENDAR.test(contentType)

/** The pictures that browsers show everywhere, without SVG, which can contain scripts. */
export const isPicture = ({ contentType }: Pick<Part, 'contentType'>) => /^image\/(?:png|p?jpe?g|gif|webp)$/i.test(contentType)

/**
 * The files beside the text, without the pictures in it. An invitation comes twice, as a form of the text and as a file: the file is
 * listed.
 */
export function listedAttachments<T extends Part>(attachments: readonly T[]): readonly T[] {
  return attachments.filter(
    (part, at) =>
      !(part.inline && isPicture(part)) &&
      (!isCalendar(part) || !attachments.slice(at + 1).some(later => isCalendar(later) && later.size === part.size)),
  )
}
