/**
 * A button that moves between press and release gets no click: nothing happens, and nobody knows why. What comes late, and is drawn above
 * what a visitor may be pressing, waits for the release.
 */
let isPressed = false
/** The last four: a context menu, another window, a scroll bar or a dialog may take the release, and whoever types presses no button. */
const ENDS = ['pointerup', 'pointercancel', 'contextmenu', 'blur', 'keydown', 'pointermove']
/** A press takes the focus from a field, whose blur passes here too. */
const isEnd = (event: Event) =>
  event.type === 'pointermove' ? (event as PointerEvent).buttons === 0 : event.type !== 'blur' || event.target === window

if (typeof window !== 'undefined') {
  const note = (event: Event) => {
    if (event.type === 'pointerdown') isPressed = true
    else if (isEnd(event)) isPressed = false
  }
  for (const type of ['pointerdown', ...ENDS]) addEventListener(type, note, { capture: true, passive: true })
}

/** Resolves at once while nothing is pressed, else after the click that the release brings. */
export function untilReleased(): Promise<void> {
  if (!isPressed) return Promise.resolve()
  return new Promise(resolve => {
    const released = new AbortController()
    const end = (event: Event) => {
      if (!isEnd(event)) return
      released.abort()
      setTimeout(resolve)
    }
    for (const type of ENDS) addEventListener(type, end, { capture: true, signal: released.signal })
  })
}
