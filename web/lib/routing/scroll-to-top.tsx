import { useLayoutEffect, useRef } from 'react'
import { useLocation } from '#web/lib/routing/router.tsx'

/** Scrolls to the top on every page change and moves the focus to the new page, so that screen readers start there too. */
export function ScrollToTop() {
  const { pathname } = useLocation()
  // Before the new page is painted, or it would appear for an instant at the old scroll position.
  const isFirst = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what it reacts to
  useLayoutEffect(() => {
    if (isFirst.current) {
      isFirst.current = false
      return
    }
    scrollTo({ top: 0, behavior: 'instant' })
    document.getElementById('main')?.focus({ preventScroll: true })
  }, [pathname])
  return null
}
