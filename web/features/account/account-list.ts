import { useCallback, useEffect, useState } from 'react'
import { untilReleased } from '#web/lib/browser/released.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { problemText, showFailure } from '#web/lib/notify/failure-toast.ts'

/** A list of the account: undefined until it was read. */
type AccountList<T> = {
  readonly list: T | undefined
  /** Does something; what fails is shown. */
  attempt(work: () => Promise<unknown>): Promise<void>
  /** The same, and reads the list again if it succeeds. */
  change(work: () => Promise<unknown>): Promise<void>
  reload(): Promise<void>
}

/** `failed` is the title of what is shown then. `read` is one function for all renderings. */
export function useAccountList<T>(failed: string, read: () => Promise<T>): AccountList<T> {
  const errors = useTexts('errors')
  const [list, setList] = useState<T>()
  const attempt = useCallback(
    async (work: () => Promise<unknown>) => {
      try {
        await work()
      } catch (error) {
        showFailure(failed, problemText(error, errors))
      }
    },
    [failed, errors],
  )
  const change = useCallback(
    (work: () => Promise<unknown>) =>
      attempt(async () => {
        await work()
        const next = await read()
        await untilReleased()
        setList(next)
      }),
    [attempt, read],
  )
  const reload = useCallback(() => change(async () => undefined), [change])
  useEffect(() => void reload(), [reload])
  return { list, attempt, change, reload }
}
