import type { Attachment } from '#contract/mailbox.ts'

type Part = Pick<Attachment, 'contentType' | 'inline'>

/** The pictures that browsers show everywhere, without SVG, which can contain scripts. */
export const isPicture = ({ contentType }: Pick<Part, 'contentType'>) => /^image\/(?:png|p?jpe?g|gif|webp)$/i.test(contentType)

/** The files beside the text, without the pictures in it. */
export function listedAttachments<T extends Part>(attachments: readonly T[]): readonly T[] {
  return attachments.filter(part => !(part.inline && isPicture(part)))
}
