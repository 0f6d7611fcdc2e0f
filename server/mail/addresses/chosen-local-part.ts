import { isChoosable } from '#contract/local-part.ts'
import { AppError } from '#server/errors.ts'
import { isReserved } from './reserved-names.ts'

/**
 * Normalises a local part that somebody chose. `operatorNames`: see `operatorLocalParts`.
 * @throws AppError `local_part_reserved`, `invalid_request`.
 */
export function normaliseChosenLocalPart(text: string, operatorNames: ReadonlySet<string>): string {
  const localPart = text.trim().toLowerCase()
  if (isReserved(localPart, operatorNames)) throw new AppError('local_part_reserved')
  if (isChoosable(localPart)) return localPart
  throw new AppError('invalid_request', {
    detail:
      'A local part has 3 to 32 letters a to z and digits, with single dots, hyphens or underscores between them, and does not look like a generated one.',
  })
}
