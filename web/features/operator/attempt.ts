import { useCallback, useState } from 'react'
import { ProblemError } from '#web/lib/api/request.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { problemText, showFailure } from '#web/lib/notify/failure-toast.ts'
import { showToast } from '#web/lib/notify/toasts.ts'

/** Runs an action and shows the outcome in a toast; resolves to whether it worked. Leave `done` out if the page shows the result itself. */
export function useAttempt(): (work: () => Promise<unknown>, done?: string) => Promise<boolean> {
  const texts = useTexts('operator')
  const errors = useTexts('errors')
  return useCallback(
    async (work, done) => {
      try {
        await work()
        if (done !== undefined) showToast({ title: done })
        return true
      } catch (error) {
        const detail = error instanceof ProblemError ? error.detail : undefined
        showFailure(texts.failed, detail ?? problemText(error, errors))
        return false
      }
    },
    [texts, errors],
  )
}

/** Whether a press came before its field was filled in, which the field's `error` then says. */
export function useMissing(): { readonly error: string | undefined; isMissing(value: string): boolean } {
  const { missing } = useTexts('operator')
  const [error, setError] = useState<string>()
  const isMissing = (value: string) => {
    const isEmpty = value.trim() === ''
    setError(isEmpty ? missing : undefined)
    return isEmpty
  }
  return { error, isMissing }
}
