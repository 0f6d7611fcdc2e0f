import { useCallback, useEffect, useId, useRef } from 'react'
import { createStore } from '#web/lib/browser/store.ts'
import { useStore } from '#web/lib/browser/use-store.ts'

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
