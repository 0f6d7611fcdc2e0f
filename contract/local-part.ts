/** What a chosen local part may look like; the form and the server both check it. */
import { LOCAL_PART_CHARS } from './limits.ts'

/** Letters and digits of ASCII, with single dots, hyphens or underscores between them: valid everywhere without quoting (RFC 5321 4.1.2). */
export const CHOSEN = /^[A-Za-z0-9]+(?:[._-][A-Za-z0-9]+)*$/

/**
 * The shape of generated names, `word.word.xxxxxxxx`, with room for shorter and longer endings. Nobody can choose one: an address that was generated once would otherwise come back,
 * and its next owner could read mail meant for the last one.
 */
const GENERATED = /^[a-z]{3,8}\.[a-z]{3,8}\.[0-9a-z]{4,12}$/i

/** Whether it is reserved or taken is another question. */
export function isChoosable(localPart: string): boolean {
  return (
    localPart.length >= LOCAL_PART_CHARS.min &&
    localPart.length <= LOCAL_PART_CHARS.max &&
    CHOSEN.test(localPart) &&
    !GENERATED.test(localPart)
  )
}
