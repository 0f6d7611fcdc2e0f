import { useLayoutEffect, useRef } from 'react'
import { useLocation } from '#web/lib/routing/router.tsx'

/** Every route change starts at the top and hands the focus to the new page, so that a screen reader starts there too. */
export function ScrollToTop() {
  const { pathname } = useLocation()
  // Before the new page is painted, else it would be seen for an instant where the old one was left.
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
