import { ProblemError } from '#web/lib/api/request.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { problemText } from '#web/lib/notify/failure-toast.ts'

/** The sentence for a failed call; for a rate limit, how long to wait. */
export function useProblemText(): (error: unknown) => string {
  const { waitSeconds } = useTexts('auth')
  const errors = useTexts('errors')
  return error => {
    const seconds = error instanceof ProblemError && error.code === 'rate_limited' ? error.retryAfterSeconds : undefined
    return seconds === undefined ? problemText(error, errors) : waitSeconds({ seconds })
  }
}
