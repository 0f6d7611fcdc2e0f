/** What the sections of the account page share: lists that are read again after each change, and questions of which one is open. */
import { useCallback, useEffect, useId, useRef, useState } from 'react'
import { untilReleased } from '#web/lib/browser/released.ts'
import { createStore } from '#web/lib/browser/store.ts'
import { useStore } from '#web/lib/browser/use-store.ts'
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

/** Which question is open. Opening one closes another, so that the page asks for one password at a time. */
const questionStore = createStore<string | undefined>(undefined)

/** A question that opens at the press of its button, which gets the focus back. */
export function useQuestion() {
  const id = useId()
  const opener = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  const isOpen = useStore(questionStore, () => undefined) === id
  const close = useCallback(() => void (questionStore.get() === id && questionStore.set(undefined)), [id])
  useEffect(() => {
    if (wasOpen.current && !isOpen && document.activeElement === document.body) opener.current?.focus({ preventScroll: true })
    wasOpen.current = isOpen
  }, [isOpen])
  useEffect(() => close, [close])
  return { isOpen, opener, open: () => questionStore.set(id), close }
}

/** The first field of a question that was opened. */
export const focusOnce = (field: HTMLElement | null) => field?.focus()
