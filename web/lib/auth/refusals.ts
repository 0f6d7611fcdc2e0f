/** What the forms of an account say when the server refuses. */
import { ProblemError } from '../api/request.ts'
import { BotCheckError, botCheckRefused } from '../bot-check/bot-check.ts'
import { useTexts } from '../i18n/i18n.tsx'
import { problemText, showFailure } from '../notify/failure-toast.ts'
import { showToast } from '../notify/toasts.ts'

/** The sentence for a failed call; for a rate limit, how long to wait. */
export function useProblemText(): (error: unknown) => string {
  const { waitSeconds } = useTexts('auth')
  const errors = useTexts('errors')
  return error => {
    const seconds = error instanceof ProblemError && error.code === 'rate_limited' ? error.retryAfterSeconds : undefined
    return seconds === undefined ? problemText(error, errors) : waitSeconds({ seconds })
  }
}

/** Shows why a sign-up failed. Returns what belongs at the field of the address, if that is why. */
export function useSignUpRefusal(): (error: unknown) => string | undefined {
  const texts = useTexts('auth')
  const problemText = useProblemText()
  return error => {
    const code = error instanceof ProblemError ? error.code : undefined
    const refused = code === 'bot_check_failed' ? botCheckRefused('signup') : error
    if (code === 'account_exists') {
      showToast({ title: texts.accountExists, description: texts.accountExistsText, variant: 'destructive' })
      return texts.accountExistsText
    }
    if (refused instanceof BotCheckError)
      showToast({ title: texts.botCheckFailed, description: texts.botCheck[refused.failure], variant: 'destructive' })
    else showFailure(texts.signUpFailed, problemText(error))
    return undefined
  }
}
