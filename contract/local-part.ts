/** The one rule of what a local part somebody chooses may look like; the form and the server both ask it. */
import { LOCAL_PART_CHARS } from './limits.ts'

/** Letters and digits of ASCII, with single dots, hyphens or underscores between them: valid everywhere without quoting (RFC 5321 4.1.2). */
const CHOSEN = /^[a-z0-9]+(?:[._-][a-z0-9]+)*$/i

/** Whether it is reserved or taken is another question. */
export function isChoosable(localPart: string): boolean {
  return localPart.length >= LOCAL_PART_CHARS.min && localPart.length <= LOCAL_PART_CHARS.max && CHOSEN.test(localPart)
}
