import { useTexts } from '#web/lib/i18n.tsx'
import { problemText } from '#web/lib/problem-text.ts'
import { ProblemError } from '#web/lib/request.ts'

/** The sentence for a failed call; a limit says how long to wait. */
export function useProblemText(): (error: unknown) => string {
  const { waitSeconds } = useTexts('auth')
  const errors = useTexts('errors')
  return error => {
    const seconds = error instanceof ProblemError && error.code === 'rate_limited' ? error.retryAfterSeconds : undefined
    return seconds === undefined ? problemText(error, errors) : waitSeconds({ seconds })
  }
}
