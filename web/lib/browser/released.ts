/**
 * A button that moves between press and release gets no click: nothing happens, and nobody knows why. What comes late, and is drawn above
 * what a visitor may be pressing, waits for the release.
 */
let isPressed = false

if (typeof window !== 'undefined') {
  const note = (event: Event) => {
    isPressed = event.type === 'pointerdown'
  }
  for (const type of ['pointerdown', 'pointerup', 'pointercancel']) addEventListener(type, note, { capture: true, passive: true })
}

/** Resolves at once while nothing is pressed, else after the click that the release brings. */
export function untilReleased(): Promise<void> {
  if (!isPressed) return Promise.resolve()
  return new Promise(resolve => {
    const released = new AbortController()
    const end = () => {
      released.abort()
      setTimeout(resolve)
    }
    for (const type of ['pointerup', 'pointercancel']) addEventListener(type, end, { capture: true, signal: released.signal })
  })
}
