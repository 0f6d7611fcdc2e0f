/**
 * A press on what destroys, where the pointer has just pressed something else, was meant for that: the page has moved under it, or a list
 * has closed up, or a button has become its own question. It is ignored until the visitor has had time to see what is there. What already
 * lay there at the press before has been seen. Each button that destroys has the attribute `data-delete`.
 */
const DESTROYS = '[data-delete]'
const SEEN_MS = 1500
/** A press after another deletion is ignored as a double click only, so that one mail after the other can be deleted. */
const DOUBLE_CLICK_MS = 500
/** A finger does not come down on the same pixel twice. No button is narrower than the steps between these. */
const SAME_PLACE_PX = 24
const AROUND_PX = [-SAME_PLACE_PX, 0, SAME_PLACE_PX]
/** A pressed button sinks by a pixel. */
const MOVED_PX = 8
const LOOK_MS = 250
const LOOKS_MAX = 40

/** `x`, `y`: on the screen. */
type Press = { x: number; y: number; at: number; on: Element | null; name: string | null | undefined; destroys: boolean }
let last: Press | undefined
let noted: PointerEvent | undefined
/** Controls that destroy about the place of the last press, as they were when first seen there: -Infinity if that was at the press. */
const seen = new Map<Element, { name: string | null; left: number; top: number; at: number }>()
let looks = 0
let timer: ReturnType<typeof setInterval> | undefined
let isStray = false
let isScrolledByHand = false

const controlOf = (target: EventTarget | null) =>
  target instanceof Element ? target.closest('a, button, summary, input, select, textarea') : null

/** Since when it has been where and what it is. */
function seenAt(on: Element): number | undefined {
  const before = seen.get(on)
  const { left, top } = on.getBoundingClientRect()
  return before?.name === on.textContent && Math.hypot(left - before.left, top - before.top) < MOVED_PX ? before.at : undefined
}

function look({ x, y }: Press, at: number): void {
  for (const right of AROUND_PX) {
    for (const down of AROUND_PX) {
      const on = controlOf(document.elementFromPoint(x + right, y + down))
      if (!on?.matches(DESTROYS) || seenAt(on) !== undefined) continue
      const { left, top } = on.getBoundingClientRect()
      seen.set(on, { name: on.textContent, left, top, at })
    }
  }
}

function lookAgain(): void {
  if (last && ++looks <= LOOKS_MAX) look(last, Date.now())
  else forget()
}

/** Whether it has come since the last press, which was at the same place, so that nobody can have meant it yet. */
function hasJustCome({ x, y, at, on, name }: Press): boolean {
  if (!last || !on || (last.on === on && last.name === name) || Math.hypot(x - last.x, y - last.y) >= SAME_PLACE_PX) return false
  const cameAt = seenAt(on) ?? at
  if (cameAt < last.at) return false
  return last.destroys || last.on === on ? at - last.at < DOUBLE_CLICK_MS : at - cameAt < SEEN_MS
}

/** Called for each press once this has come, and by the page with the press that has fetched it. */
export function notePress(event: PointerEvent): void {
  if (event.type !== 'pointerdown' || event === noted) return
  noted = event
  const { target, clientX: x, clientY: y } = event
  const on = controlOf(target)
  // A button that asks before it destroys is another one when it asks.
  const press = { x, y, at: Date.now(), on, name: on?.textContent, destroys: on?.matches(DESTROYS) ?? false }
  isStray = press.destroys && hasJustCome(press)
  if (isStray) return
  forget()
  last = press
  look(press, Number.NEGATIVE_INFINITY)
  timer = setInterval(lookAgain, LOOK_MS)
}

function forget(): void {
  last = undefined
  seen.clear()
  looks = 0
  isScrolledByHand = false
  clearInterval(timer)
}

/** A key brings a click without a press. */
function ignoreStray(event: MouseEvent): void {
  if (!isStray || event.detail === 0) return
  event.preventDefault()
  event.stopImmediatePropagation()
}

if (typeof window !== 'undefined') {
  const options = { capture: true, passive: true }
  addEventListener('pointerdown', notePress, options)
  addEventListener('click', ignoreStray, { capture: true })
  // Visitors press what they have scrolled to. The page scrolls too, which nobody expects.
  const noteHand = () => {
    isScrolledByHand = true
  }
  for (const type of ['wheel', 'touchmove', 'keydown']) addEventListener(type, noteHand, options)
  addEventListener('scroll', () => isScrolledByHand && forget(), options)
}
