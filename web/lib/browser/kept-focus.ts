import { useEffect, useRef } from 'react'

/**
 * Moves the focus to `successor()` when the focused element is removed, so that keyboard users do not start at the top again (WCAG 2.4.3).
 * `isOurs` decides whether to watch an element that gets the focus.
 */
export function useKeptFocus(isOurs: (element: Element) => boolean, successor: () => HTMLElement | null | undefined): void {
  const holder = useRef<Element>(undefined)
  const asked = useRef(isOurs)
  asked.current = isOurs
  useEffect(() => {
    const left = new AbortController()
    const note = (event: FocusEvent) => {
      holder.current = event.target instanceof Element && asked.current(event.target) ? event.target : undefined
    }
    // The element is still there, so the user moved the focus.
    const forget = () => queueMicrotask(() => holder.current?.isConnected && document.activeElement === document.body && forgetHolder())
    const forgetHolder = () => {
      if (!(holder.current instanceof HTMLButtonElement && holder.current.disabled)) holder.current = undefined
    }
    document.addEventListener('focusin', note, { signal: left.signal })
    document.addEventListener('focusout', forget, { signal: left.signal })
    return () => left.abort()
  }, [])
  useEffect(() => {
    if (holder.current && !holder.current.isConnected && document.activeElement === document.body)
      successor()?.focus({ preventScroll: true })
  })
}
