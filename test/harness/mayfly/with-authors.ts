import { parseMessage } from '#reader/mime/structure/parse.ts'
import { type SignedMail, shownAuthors } from '#server/mail/authentication/shown-authors.ts'

/** A mail as its mail thread hands it on to the checks of its sender. */
export function withAuthors(raw: Uint8Array): SignedMail {
  return { raw, ...shownAuthors(parseMessage(raw)) }
}
