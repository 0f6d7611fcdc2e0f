import type { ErrorTexts } from '#web/texts/en/errors.ts'
import { ProblemError } from './request.ts'

/** The sentence to show for an error of an API call. */
export function problemText(error: unknown, texts: ErrorTexts): string {
  if (!(error instanceof ProblemError)) return texts.internal
  return error.code === 'unreadable_reply' ? texts.internal : (texts[error.code] ?? texts.internal)
}
