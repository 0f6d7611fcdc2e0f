import { useEffect, useRef } from 'react'

/**
 * Moves the focus to `successor()` when the focused element is removed, so that keyboard users do not start at the top again (WCAG 2.4.3).
 * `isOurs` decides whether to watch an element that gets the focus.
 */
export function useKeptFocus(isOurs: (element: Element) => boolean, successor: () => HTMLElement | null | undefined): void {
  const holder = useRef<Element>(undefined)
  const latestIsOurs = useRef(isOurs)
  latestIsOurs.current = isOurs
  useEffect(() => {
    const unmounted = new AbortController()
    // What the served page lets visitors use before the application has loaded.
    if (document.activeElement && latestIsOurs.current(document.activeElement)) holder.current = document.activeElement
    const note = (event: FocusEvent) => {
      holder.current = event.target instanceof Element && latestIsOurs.current(event.target) ? event.target : undefined
    }
    // The element is still there, so the user moved the focus.
    const forget = () => queueMicrotask(() => holder.current?.isConnected && document.activeElement === document.body && forgetHolder())
    const forgetHolder = () => {
      if (!(holder.current instanceof HTMLButtonElement && holder.current.disabled)) holder.current = undefined
    }
    document.addEventListener('focusin', note, { signal: unmounted.signal })
    document.addEventListener('focusout', forget, { signal: unmounted.signal })
    return () => unmounted.abort()
  }, [])
  useEffect(() => {
    if (holder.current && !holder.current.isConnected && document.activeElement === document.body)
      successor()?.focus({ preventScroll: true })
  })
}
