/** The rules for a chosen local part, checked by the form and by the server. */
import { LOCAL_PART_CHARS } from './limits.ts'

/** ASCII letters and digits with single dots, hyphens or underscores between them: valid everywhere without quoting (RFC 5321 4.1.2). */
export const CHOSEN_LOCAL_PART = /^[A-Za-z0-9]+(?:[._-][A-Za-z0-9]+)*$/

/**
 * The shape of generated names, `word.word.xxxxxxxxx`, with shorter and longer endings. It is reserved: if somebody could choose a name
 * that was generated before, they could read mail meant for its last owner.
 */
const GENERATED = /^[a-z]{3,8}\.[a-z]{3,8}\.[0-9a-z]{4,12}$/i

/** Does not check whether the name is reserved or taken. */
export function isChoosable(localPart: string): boolean {
  return (
    localPart.length >= LOCAL_PART_CHARS.min &&
    localPart.length <= LOCAL_PART_CHARS.max &&
    CHOSEN_LOCAL_PART.test(localPart) &&
    !GENERATED.test(localPart)
  )
}
