import { clsx } from 'clsx'
import { type CSSProperties, type FocusEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { NamesUnbroken } from '#web/components/ui/address.tsx'
import { CodeButton } from '#web/components/ui/code-button.tsx'
import { Check } from '#web/components/ui/icons.ts'
import { TriangleAlert, X } from '#web/components/ui/lazy-icons.ts'
import { COPIED_MS } from '#web/lib/browser/clipboard.ts'
import { tellScreenWatchers, watchScreen } from '#web/lib/browser/screen.ts'
import { useShortcutsEnabled } from '#web/lib/browser/shortcuts.ts'
import { dismissToast, type Toast } from '#web/lib/notify/toasts.ts'

export type ToastRowsProps = { toasts: readonly Toast[]; dismiss: string; isInside: boolean }

/**
 * The newest toast, at one place on every page: on a wide screen at the upper edge in the gap of the head, beside the name of the site, or
 * in that of the inbox when the page is scrolled; on a tall phone at the lower edge, unless that covers what was pressed or is waited for;
 * on a short one, where the first mail is at that edge, over the head, whose links lead elsewhere. If something of the page itself is
 * pressed or read there, it is in the free band of the screen that is nearest to an edge, on a wide one to the lower.
 */
export function ToastRows({ toasts, dismiss, isInside }: ToastRowsProps) {
  const box = useRef<HTMLDivElement>(null)
  const place = usePlace(isInside ? undefined : toasts.at(-1)?.id, box)
  const [name, top, left, width] = place.split(' ')
  const rows = toasts.map(toast => <ToastRow key={toast.id} toast={toast} dismiss={dismiss} isInside={isInside} />)
  if (isInside) return rows
  const style: CSSProperties | undefined = top === undefined ? undefined : { top: `${top}px`, left: `${left}px`, width: `${width}px` }
  return (
    <div
      ref={box}
      data-toasts={toasts.length > 0 ? name : undefined}
      style={style}
      className="pointer-events-none fixed z-50 flex flex-col data-[toasts=bottom]:inset-x-3 data-[toasts=bottom]:bottom-[max(0.75rem,env(safe-area-inset-bottom))] data-[toasts=bottom]:mx-auto data-[toasts=bottom]:max-w-144"
    >
      {rows}
    </div>
  )
}

/** Under the pointer or the focus, which hold its time. */
const isHeld = () => document.querySelector('[data-toasts]:is(:hover, :focus-within)') !== null

/** A toast keeps its place while it is held, and else unless it covers something there once the screen is at rest. */
function usePlace(newest: number | undefined, box: RefObject<HTMLElement | null>): string {
  const [place, setPlace] = useState('bottom')
  useLayoutEffect(() => {
    if (newest === undefined) return
    const heightAt = (width: number) => heightOf(box.current, width)
    setPlace(placeOfToasts(heightAt))
    let timer: ReturnType<typeof setTimeout>
    const stop = watchScreen(() => {
      clearTimeout(timer)
      timer = setTimeout(() => setPlace(before => (isHeld() || isKept(before, heightAt) ? before : placeOfToasts(heightAt))), REST_MS)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [newest, box])
  return place
}

/** How high the newest toast is at a width. */
type HeightAt = (width: number) => number

function heightOf(box: HTMLElement | null, width: number): number {
  if (!box) return 0
  const before = box.style.width
  box.style.width = `${width}px`
  const { offsetHeight } = box
  box.style.width = before
  return offsetHeight
}

/** After the last event of a scroll. */
const REST_MS = 150
const DESK = '(width >= 64rem) and (height >= 30rem)'
/** Between a toast and the upper edge, or the notices there. On a phone two lines of text end above the letters of the headline. */
const TOP_PX = { desk: 4, phone: 1 }
/** The least height of a toast. */
const ONE_LINE_PX = 44
/** The height of a toast of three lines, with the size of text that the visitor has chosen. */
const linesPx = () => 4.5 * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
const WIDTH_PX = { min: 300, max: 576, desk: 440 }
/** With this height the first mail of a phone's inbox ends above the lower edge, in either language. */
const TALL_PX = 740
const AIR_PX = 12
const SIDE_PX = 8
const STEP_PX = 8
/** Things that are pressed, or have to be read. */
const KEPT_FREE =
  'a[href], button, input, select, textarea, summary, label, h1, [role=alert], [role=timer], .sky-horizon, :has(~ header[data-site]) > p'
/**
 * Not even a toast at the lower edge of a tall phone may cover these. A tap leaves `:hover` behind it; the focus goes to the whole page
 * when a text is pressed, and in WebKit when a button is.
 */
const PRESSED_OR_AWAITED =
  ':focus:not([tabindex="-1"]), :is(a, button):hover, .arrival button, .primary, form a, h1, [role=alert], [data-message]:first-child'
const HEAD = '#inbox header'

type Box = Pick<DOMRect, 'top' | 'bottom' | 'left' | 'right'>
const boxOf = (selector: string) => document.querySelector(selector)?.getBoundingClientRect()

/** The part of the page that is seen: the keyboard of a phone hides some of it, and so does zooming in. */
function seenBox(): Box {
  const whole = { offsetTop: 0, offsetLeft: 0, width: innerWidth, height: innerHeight }
  const { offsetTop: top, offsetLeft: left, width, height } = visualViewport ?? whole
  // Rounded, and the window has its scroll bar.
  const isWhole = innerHeight - height < 2 && innerWidth - width < 20
  return isWhole ? { top: 0, left: 0, bottom: innerHeight, right: innerWidth } : { top, left, bottom: top + height, right: left + width }
}

/** Without what has passed beneath the head of the inbox, and on a narrow screen without the head of the site and the headline below it. */
function keptBoxes(): Box[] {
  const head = document.querySelector(HEAD)
  const { top: headTop = 1, bottom: headBottom = 0 } = head?.getBoundingClientRect() ?? {}
  const ignored = matchMedia(DESK).matches ? '[data-toasts] *' : '[data-toasts] *, header[data-site] *, h1'
  return Array.from(document.querySelectorAll(`:is(${KEPT_FREE}):not(${ignored})`)).flatMap(element => {
    const { top, bottom, left, right } = element.getBoundingClientRect()
    if (headTop > 0.5 || head?.contains(element)) return [{ top, bottom, left, right }]
    return bottom > headBottom ? [{ top: Math.max(top, headBottom), bottom, left, right }] : []
  })
}

/** Tells of a box whether it is in sight and covers at most `part` of anything there. */
function freeBoxes(): (box: Box, part?: number) => boolean {
  const kept = keptBoxes()
  const sight = seenBox()
  return (box, part = 0) =>
    isWithin(box, sight) &&
    !kept.some(({ top, bottom, left, right }) => {
      const covered = Math.min(bottom, box.bottom) - Math.max(top, box.top)
      return left < box.right && right > box.left && covered > part * (Math.min(bottom, innerHeight) - Math.max(top, 0))
    })
}

const isWithin = (box: Box, { top, bottom, left, right }: Box) =>
  box.top >= top && box.bottom <= bottom && box.left >= left && box.right <= right

/** `fixed`: the upper edge, the left edge and the width. */
function placeOfToasts(heightAt: HeightAt): string {
  const isFree = freeBoxes()
  const desk = deskColumn()
  if (!desk && isLowerEdgeFree()) return 'bottom'
  const { left = 0 } = desk ?? {}
  // As wide as any other, or wider where its words would else reach below the head.
  const homes = desk
    ? [WIDTH_PX.desk, WIDTH_PX.max].map(width => besideTheName({ left, right: Math.min(left + width, desk.most) }, heightAt))
    : [overTheHead(heightAt)]
  const home = homes.find(box => box && isFree(box))
  if (home) return fixedPlace(home)
  const bands = desk ? bandsInSight(heightAt, desk) : nearestToAnEdge(bandsInSight(heightAt))
  const band = bands.find(box => isFree(box)) ?? bands.find(box => isFree(box, 0.6)) ?? bands[0]
  return band && (desk || band.bottom < innerHeight - AIR_PX) ? fixedPlace(band) : 'bottom'
}

/** All of a tall screen is seen, and the toast would cover nothing there. It is put there to see that: the bar of new mail makes room. */
function isLowerEdgeFree(): boolean {
  const box = document.querySelector<HTMLElement>('[data-toasts]')
  const sight = seenBox()
  if (!box || innerHeight < TALL_PX || sight.bottom - sight.top < innerHeight) return false
  const { toasts = '' } = box.dataset
  const { cssText } = box.style
  box.dataset.toasts = 'bottom'
  box.style.cssText = ''
  const upperEdge = box.getBoundingClientRect().top
  const isFree = Array.from(document.querySelectorAll(`:is(${PRESSED_OR_AWAITED}):not([data-toasts] *)`)).every(element => {
    const { top, bottom } = element.getBoundingClientRect()
    // A row ends with air.
    return top >= innerHeight || bottom - (element.matches('[data-message]') ? AIR_PX : 0) <= upperEdge
  })
  box.dataset.toasts = toasts
  box.style.cssText = cssText
  return isFree
}

type Column = Pick<Box, 'left' | 'right'>

/** The same on every page of a wide screen: right of the name, as far as the window reaches. */
function deskColumn(): (Column & { most: number }) | undefined {
  const name = boxOf('header[data-site] > a')
  if (!name || !matchMedia(DESK).matches) return undefined
  const sight = seenBox()
  const most = sight.right - AIR_PX
  const left = Math.max(sight.left + AIR_PX, Math.min(Math.round(name.right) + 8 * AIR_PX, most - WIDTH_PX.min))
  return { left, right: Math.min(left + WIDTH_PX.desk, most), most }
}

/** The lower edge of the notices above the head of the site, while they are in sight. */
const belowNotices = () => Math.max(0, boxOf('header[data-site]')?.top ?? 0)

/** At the upper edge, in the part of the column that neither a control nor the state in the head of the inbox takes. */
function besideTheName({ left, right }: Column, heightAt: HeightAt): Box | undefined {
  const top = belowNotices() + TOP_PX.desk
  const inHead = Array.from(document.querySelectorAll(`${HEAD} [role=status]`), element => element.getBoundingClientRect())
  const inLine = [...keptBoxes(), ...inHead].filter(box => box.top < top + ONE_LINE_PX && box.bottom > top)
  const from = Math.max(left, ...inLine.filter(box => box.left < left + AIR_PX && box.right > left - AIR_PX).map(box => box.right + AIR_PX))
  const to = Math.min(right, ...inLine.filter(box => box.left > from).map(box => box.left - AIR_PX))
  const width = Math.floor(to - from)
  return width < WIDTH_PX.min ? undefined : { top, bottom: top + heightAt(width), left: from, right: from + width }
}

/** As wide as a narrow screen, at the upper edge of what is seen of it. */
function overTheHead(heightAt: HeightAt): Box {
  const { left, right } = wholeColumn()
  const top = Math.max(seenBox().top, belowNotices()) + TOP_PX.phone
  return { top, bottom: top + heightAt(right - left), left, right }
}

function wholeColumn(): Column {
  const sight = seenBox()
  const width = Math.min(WIDTH_PX.max, sight.right - sight.left - 2 * SIDE_PX)
  const left = (sight.left + sight.right - width) / 2
  return { left, right: left + width }
}

const fixedPlace = ({ top, left, right }: Box) => `fixed ${[top, left, right - left].map(Math.round).join(' ')}`

/** Whether a toast may stay at what `placeOfToasts` returned before. */
function isKept(place: string, heightAt: HeightAt): boolean {
  const [name, at = 0, left = 0, width = 0] = place.split(' ').map((part, index) => (index === 0 ? part : Number(part))) as [
    string,
    ...number[],
  ]
  const isFree = freeBoxes()
  if (name === 'bottom') {
    const [lowest] = bandsInSight(heightAt)
    return lowest !== undefined && lowest.bottom === innerHeight - AIR_PX && isFree(lowest)
  }
  return isFree({ top: at, bottom: at + heightAt(width), left, right: left + width })
}

/** Away from the middle of a phone, and below where it makes no difference. */
function nearestToAnEdge(bands: readonly Box[]): Box[] {
  const { top, bottom } = seenBox()
  const farFromEdge = (box: Box) => Math.min(box.top - top, bottom - box.bottom)
  return bands.toSorted((one, other) => farFromEdge(one) - farFromEdge(other))
}

/** From the lower edge upwards. */
function bandsInSight(heightAt: HeightAt, { left, right } = wholeColumn()): Box[] {
  const sight = seenBox()
  const height = Math.max(linesPx(), heightAt(right - left))
  const count = Math.max(1, Math.floor((sight.bottom - sight.top - AIR_PX - height) / STEP_PX))
  return Array.from({ length: count }, (_, step) => {
    const bottom = sight.bottom - AIR_PX - step * STEP_PX
    return { top: bottom - height, bottom, left, right }
  })
}

/** When the time of a toast began. A dialog that opens or closes takes it to another toaster, where its time goes on. */
const beganAt = new WeakMap<Toast, number>()

/** Ends the toast when its time is over, which begins anew when it is no longer held. */
function useTime(toast: Toast, isHolding: boolean): void {
  useEffect(() => {
    if (isHolding) {
      beganAt.delete(toast)
      toast.onHold?.(true)
      return () => {
        toast.onHold?.(false)
        // It kept its place meanwhile, whatever came there.
        tellScreenWatchers()
      }
    }
    let timer: ReturnType<typeof setTimeout>
    // Nobody reads it while the page is hidden.
    const count = () => {
      clearTimeout(timer)
      if (document.visibilityState !== 'visible') return void beganAt.delete(toast)
      const began = beganAt.get(toast) ?? performance.now()
      beganAt.set(toast, began)
      timer = setTimeout(() => dismissToast(toast.id), began + toast.durationMs - performance.now())
    }
    count()
    document.addEventListener('visibilitychange', count)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', count)
    }
  }, [isHolding, toast])
}

/**
 * Only the newest is shown: three would cover what they speak of. Title and text are shown in full, on a phone in up to three lines, which
 * end above the letters of the headline. Stays while the pointer or the focus rests on it (WCAG 2.2.1: enough time to read). A press that
 * began under it ends there.
 */
function ToastRow({ toast, dismiss, isInside }: { toast: Toast; dismiss: string; isInside: boolean }) {
  const [isPointedAt, setIsPointedAt] = useState(false)
  const [isFocused, setIsFocused] = useState(false)
  const isHolding = isPointedAt || isFocused
  const isAlarm = toast.variant === 'destructive' && !toast.isEnding
  const Icon = isAlarm ? TriangleAlert : Check
  useTime(toast, isHolding)
  const row = useRef<HTMLDivElement>(null)
  const cameFrom = useRef<EventTarget>(null)
  useLayoutEffect(
    () => () => {
      if (row.current?.contains(document.activeElement)) returnFocus(cameFrom.current)
    },
    [],
  )
  const hasKeys = useShortcutsEnabled()
  useTabInto(row, toast.action !== undefined || toast.code !== undefined, cameFrom)
  function hold({ relatedTarget }: FocusEvent) {
    setIsFocused(true)
    if (relatedTarget && !row.current?.contains(relatedTarget)) cameFrom.current = relatedTarget
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointer and focus only hold the timer; what acts is the button inside
    <div
      ref={row}
      role={toast.variant === 'destructive' ? 'alert' : 'group'}
      data-toast={toast.variant}
      onPointerEnter={() => setIsPointedAt(true)}
      onPointerLeave={() => setIsPointedAt(false)}
      onFocus={hold}
      onBlur={() => setIsFocused(false)}
      className="night relative pointer-events-auto flex [:root:active_&:not(:active)]:pointer-events-none min-h-11 max-w-full animate-rise not-last:hidden items-center rounded-md bg-raised! outline-1 -outline-offset-1 outline-line pl-3 shadow-[0_1px_3px_oklch(0.2_0.02_260/0.3)] sm:pl-4"
    >
      {!toast.isEnding && (
        <Icon
          aria-hidden="true"
          className={clsx(
            'mr-2.5 size-4.5 shrink-0 max-[23.4rem]:hidden',
            toast.action && 'max-sm:hidden',
            isAlarm ? 'text-ember-ink' : 'text-river-ink',
          )}
          strokeWidth={2}
        />
      )}
      <p className="min-w-0 flex-1 py-1.5 text-sm leading-tight max-sm:pt-[3px] max-sm:pb-[5.25px] max-sm:leading-[1.2] [overflow-wrap:anywhere]">
        <strong className="block font-medium leading-[inherit] sm:text-base sm:leading-tight">{toast.title}</strong>{' '}
        {toast.description && (
          <bdi className="text-muted">
            {/* An address of the visitor breaks before its @. */}
            {toast.description.split(/(?=@)/).map(part => (
              <NamesUnbroken key={part} text={part} />
            ))}
          </bdi>
        )}
        {toast.note && <span className="block text-muted"> {toast.note}</span>}
        {toast.code !== undefined && (
          <CodeButton code={toast.code} className="mt-1.5 w-full" onCopied={() => setTimeout(() => dismissToast(toast.id), COPIED_MS)} />
        )}
      </p>
      {toast.action && (
        <button
          type="button"
          onClick={toast.action.run}
          aria-keyshortcuts={hasKeys && !isInside ? toast.action.key : undefined}
          className="min-h-11 shrink-0 rounded-sm px-2 font-medium text-dusk-ink underline underline-offset-4 hover:text-ink"
        >
          {toast.action.label}
          {toast.action.key && hasKeys && !isInside && (
            <span
              aria-hidden="true"
              className="ml-2 inline-block min-w-6 rounded-sm border border-edge px-1 text-center font-mono text-muted text-sm max-sm:hidden pointer-coarse:hidden"
            >
              {toast.action.key}
            </span>
          )}
        </button>
      )}
      <button
        type="button"
        aria-label={dismiss}
        onClick={() => {
          dismissToast(toast.id)
          toast.onDismiss?.()
        }}
        className="grid size-11 shrink-0 place-items-center rounded-sm text-muted hover:text-ink"
      >
        <X aria-hidden="true" className="size-4" strokeWidth={1.75} />
      </button>
      {toast.action?.key && <TimeToUndo key={String(isHolding)} toast={toast} isHeld={isHolding} />}
    </div>
  )
}

/** While the toast is held the line is whole, as its time begins anew. In another toaster it goes on where it was. */
function TimeToUndo({ toast, isHeld }: { toast: Toast; isHeld: boolean }) {
  const [passedMs] = useState(() => performance.now() - (beganAt.get(toast) ?? performance.now()))
  return (
    <span
      aria-hidden="true"
      style={{ animationDuration: `${toast.durationMs}ms`, animationDelay: `${-passedMs}ms` }}
      className={clsx('absolute inset-x-2 bottom-0 h-0.5 origin-left bg-dusk motion-reduce:hidden', !isHeld && 'animate-burn')}
    />
  )
}

/**
 * The next press of Tab leads into a toast that offers something, and out of it back to where the focus was: its time is short, and its
 * place at the head of the page is many stops away.
 */
function useTabInto(row: RefObject<HTMLElement | null>, isOffering: boolean, cameFrom: RefObject<EventTarget | null>): void {
  useEffect(() => {
    if (!isOffering) return
    const left = new AbortController()
    let hasLed = false
    const lead = (event: KeyboardEvent) => {
      if (event.key !== 'Tab' || event.ctrlKey || event.altKey || event.metaKey) return
      const buttons = [...(row.current?.querySelectorAll('button') ?? [])]
      const isWithin = row.current?.contains(document.activeElement)
      // An older toast is not shown.
      if (!isWithin && !hasLed && !event.shiftKey && row.current?.checkVisibility()) {
        hasLed = true
        event.preventDefault()
        buttons[0]?.focus({ preventScroll: true })
      } else if (hasLed && isWithin && document.activeElement === buttons.at(event.shiftKey ? 0 : -1) && cameFrom.current) {
        event.preventDefault()
        returnFocus(cameFrom.current)
      }
    }
    document.addEventListener('keydown', lead, { signal: left.signal })
    return () => left.abort()
  }, [row, isOffering, cameFrom])
}

/** Where the focus was before it went to the toast that now leaves, or else to the page. */
function returnFocus(before: EventTarget | null): void {
  if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
  else document.getElementById('main')?.focus({ preventScroll: true })
}
