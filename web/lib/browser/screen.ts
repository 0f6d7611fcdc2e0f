const watchers = new Set<() => void>()

/** Calls `changed` whenever something may have moved on the screen. The page too changes its size: what is above a part of it grows. */
export function watchScreen(changed: () => void): () => void {
  const sizes = new ResizeObserver(changed)
  sizes.observe(document.body)
  addEventListener('scroll', changed, { passive: true })
  addEventListener('resize', changed)
  // The keyboard of a phone changes nothing else.
  visualViewport?.addEventListener('resize', changed)
  watchers.add(changed)
  return () => {
    watchers.delete(changed)
    sizes.disconnect()
    removeEventListener('scroll', changed)
    removeEventListener('resize', changed)
    visualViewport?.removeEventListener('resize', changed)
  }
}

/** To be called when something is there that was not before, or no longer is, without a change of the page's size. */
export function tellScreenWatchers(): void {
  for (const changed of watchers) changed()
}
