/**
 * A press on what destroys, where the pointer has just pressed something else, was meant for that: the page has moved under it, or a list
 * has closed up, or a button has become its own question. It is ignored until the visitor has had time to see what is there.
 */
const DESTROYS = '.danger, [class*=danger-quiet], .card-delete, [data-delete]'
const SEEN_MS = 1500
/** What follows another deletion is ignored as a double click only, so that one mail after the other can be deleted. */
const DOUBLE_CLICK_MS = 500
/** A finger does not come down on the same pixel twice. */
const SAME_PLACE_PX = 24
const LOOK_MS = 250
const LOOKS_MAX = 40

/** `x`, `y`: in the page, so that it is another place once the visitor has scrolled. */
type Press = { x: number; y: number; at: number; on: Element | null; name: string | null | undefined; destroys: boolean }
let last: Press | undefined
/** When something else that destroys was first seen at the place of the last press. */
let cameAt = Number.POSITIVE_INFINITY
let looks = LOOKS_MAX
let timer: ReturnType<typeof setInterval> | undefined
let isStray = false

const controlOf = (target: EventTarget | null) =>
  target instanceof Element ? target.closest('a, button, summary, input, select, textarea') : null

function look(): void {
  if (++looks > LOOKS_MAX) clearInterval(timer)
  const on = last ? controlOf(document.elementFromPoint(last.x - scrollX, last.y - scrollY)) : null
  if (on !== last?.on && on?.matches(DESTROYS)) cameAt = Math.min(cameAt, Date.now())
}

function notePress({ target, pageX: x, pageY: y }: PointerEvent): void {
  const at = Date.now()
  const on = controlOf(target)
  const destroys = on?.matches(DESTROYS) ?? false
  // A button that asks before it destroys is another one when it asks.
  const name = on?.textContent
  const isOther = last !== undefined && (last.on !== on || last.name !== name) && Math.hypot(x - last.x, y - last.y) < SAME_PLACE_PX
  const isQuick = last?.destroys || last?.on === on ? at - last.at < DOUBLE_CLICK_MS : looks <= LOOKS_MAX && at - cameAt < SEEN_MS
  isStray = destroys && isOther && isQuick
  if (isStray) return
  last = { x, y, at, on, name, destroys }
  cameAt = Number.POSITIVE_INFINITY
  looks = 0
  clearInterval(timer)
  timer = setInterval(look, LOOK_MS)
}

function forget(): void {
  last = undefined
}

/** Called with the first press, which has loaded this. */
export function watchPresses(first: PointerEvent): void {
  notePress(first)
  addEventListener('pointerdown', notePress, { capture: true, passive: true })
  // In a dialog, too, what a visitor has scrolled to is what they press.
  addEventListener('scroll', forget, { capture: true, passive: true })
  addEventListener(
    'click',
    event => {
      // A key brings a click without a press.
      if (!isStray || event.detail === 0) return
      event.preventDefault()
      event.stopImmediatePropagation()
    },
    { capture: true },
  )
}
