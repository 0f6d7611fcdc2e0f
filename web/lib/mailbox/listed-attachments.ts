import type { Attachment } from '#contract/mailbox.ts'

type Part = Pick<Attachment, 'contentType' | 'size' | 'inline'>

const CALENDAR = /^(?:text\/calendar|application\/ics)$/i

export const isCalendar = ({ contentType }: Pick<Part, 'contentType'>) => CALENDAR.test(contentType)

/** An invitation comes twice, as a form of the text and as a file: the file is listed. */
export function listedAttachments<T extends Part>(attachments: readonly T[]): readonly T[] {
  return attachments.filter(
    (part, at) => !isCalendar(part) || !attachments.slice(at + 1).some(later => isCalendar(later) && later.size === part.size),
  )
}
