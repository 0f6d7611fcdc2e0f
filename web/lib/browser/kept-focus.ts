import { useEffect, useRef } from 'react'

/**
 * Moves the focus to `successor()` when the focused element is removed from the page, so that a keyboard user does not start at the top
 * again (WCAG 2.4.3). `isOurs` says, when an element gets the focus, whether to watch it.
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
    // A blur that leaves the element where it is was somebody's wish.
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
