import { clsx } from 'clsx'
import {
  type CSSProperties,
  type FocusEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { NamesUnbroken } from '#web/components/ui/address.tsx'
import { Check } from '#web/components/ui/icons.tsx'
import { TriangleAlert, X } from '#web/components/ui/lazy-icons.tsx'
import { watchScreen } from '#web/lib/browser/screen.ts'
import { useShortcutsEnabled } from '#web/lib/browser/shortcuts.ts'
import { dismissToast, TOAST_PLACE_ID, type Toast } from '#web/lib/notify/toasts.ts'
import { INBOX_ID } from '#web/lib/routing/scroll-to-section.ts'

export type ToastRowsProps = { toasts: readonly Toast[]; dismiss: string; isInside: boolean }

/**
 * The newest toast, from the line below the address's buttons over the head of the inbox, next to the thumb that pressed one of them. Once
 * that line is scrolled away, a phone shows it at the lower edge, a wider screen over the head of the inbox; other pages over their own
 * head. So it covers neither the address nor the newest mail, nor the button of a form.
 */
export function ToastRows({ toasts, dismiss, isInside }: ToastRowsProps) {
  const place = useSyncExternalStore(watchScreen, placeOfToasts, () => 'head')
  const [name, top, left, width] = place.split(' ')
  const rows = toasts.map(toast => <ToastRow key={toast.id} toast={toast} dismiss={dismiss} isInside={isInside} />)
  if (isInside) return rows
  const style: CSSProperties | undefined = name === 'strip' ? { top: `${top}px`, left: `${left}px`, width: `${width}px` } : undefined
  return (
    <div
      data-toasts={toasts.length > 0 ? name : undefined}
      style={style}
      className={clsx(
        'pointer-events-none z-50 flex flex-col',
        name === 'strip' ? 'absolute' : 'fixed inset-x-3 mx-auto sm:max-w-216 sm:items-center',
        name === 'head' && 'top-[max(0.25rem,env(safe-area-inset-top))]',
        name === 'inbox' && 'top-0',
        name === 'bottom' && 'bottom-[max(0.75rem,env(safe-area-inset-bottom))]',
      )}
    >
      {rows}
    </div>
  )
}

/** Upright, or on its side as `short` in web/styles.css. */
const PHONE = '(width < 40rem) or (height < 30rem)'
/** From here on a toast over the head of the page would reach over the head of the inbox. */
const INBOX_TOP_PX = 40
/** How much closer to the edge of a phone's screen than the text below it. */
const OUTDENT_PX = 8
/** Into the gap between the address's buttons and the strip. */
const ABOVE_STRIP_PX = 6
/** The height of a toast of three lines. */
const LINES_PX = 72
/** A strip that is wider than this is below sky and buttons side by side, and a toast stands below the buttons. */
const WIDE_PX = 1000

/** For `strip` with the toast's top, left edge and width in the document, so that the toast scrolls with the page. */
function placeOfToasts(): string {
  const boxOf = (id: string) => document.getElementById(id)?.getBoundingClientRect()
  const strip = boxOf(TOAST_PLACE_ID)
  const inboxTop = boxOf(INBOX_ID)?.top ?? innerHeight
  // At the limit it is over the head of the inbox, so that the line about the limit stays in sight.
  const isLimit = document.querySelector(`#${TOAST_PLACE_ID}[data-limit]`) !== null
  // With very large text the address itself is at the lower edge.
  if (!strip || strip.bottom > innerHeight) return 'head'
  if (strip.top >= 0) {
    const outdent = matchMedia(PHONE).matches ? OUTDENT_PX : 0
    const top = isLimit && inboxTop + LINES_PX < innerHeight ? inboxTop : strip.top - ABOVE_STRIP_PX
    const width = strip.width > WIDE_PX ? WIDE_PX / 2 : strip.width + 2 * outdent
    return `strip ${[top + scrollY, strip.right + outdent - width + scrollX, width].map(Math.round).join(' ')}`
  }
  if (matchMedia(PHONE).matches) return 'bottom'
  return inboxTop < INBOX_TOP_PX ? 'inbox' : 'head'
}

type ToastRowProps = { toast: Toast; dismiss: string; isInside: boolean }

/**
 * Only the newest is shown: three would cover what they speak of. Title and text are shown in full, on a phone in up to three lines. Stays
 * while the pointer or the focus rests on it (WCAG 2.2.1: enough time to read). A press that began under it ends there.
 */
function ToastRow({ toast, dismiss, isInside }: ToastRowProps) {
  const [isPointedAt, setIsPointedAt] = useState(false)
  const [isFocused, setIsFocused] = useState(false)
  const isHeld = isPointedAt || isFocused
  const isDestructive = toast.variant === 'destructive'
  const isAlarm = isDestructive && !toast.isEnding
  const Icon = isAlarm ? TriangleAlert : Check
  useEffect(() => {
    if (isHeld) {
      toast.onHold?.(true)
      return () => toast.onHold?.(false)
    }
    let timer: ReturnType<typeof setTimeout>
    // Nobody reads it while the page is hidden.
    const count = () => {
      clearTimeout(timer)
      if (document.visibilityState === 'visible') timer = setTimeout(() => dismissToast(toast.id), toast.durationMs)
    }
    count()
    document.addEventListener('visibilitychange', count)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', count)
    }
  }, [isHeld, toast])
  const row = useRef<HTMLDivElement>(null)
  const cameFrom = useRef<EventTarget>(null)
  useLayoutEffect(
    () => () => {
      if (row.current?.contains(document.activeElement)) returnFocus(cameFrom.current)
    },
    [],
  )
  const hasKeys = useShortcutsEnabled()
  useTabInto(row, toast.action !== undefined, cameFrom)
  function hold({ relatedTarget }: FocusEvent) {
    setIsFocused(true)
    if (relatedTarget && !row.current?.contains(relatedTarget)) cameFrom.current = relatedTarget
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointer and focus only hold the timer; what acts is the button inside
    <div
      ref={row}
      role={isDestructive ? 'alert' : 'group'}
      data-toast={toast.variant}
      onPointerEnter={() => setIsPointedAt(true)}
      onPointerLeave={() => setIsPointedAt(false)}
      onFocus={hold}
      onBlur={() => setIsFocused(false)}
      className="night relative pointer-events-auto flex [:root:active_&:not(:active)]:pointer-events-none min-h-11 max-w-full animate-rise not-last:hidden items-center rounded-md bg-raised! outline-1 -outline-offset-1 outline-line pl-3 shadow-lift sm:pl-4"
    >
      {!toast.isEnding && (
        <Icon
          aria-hidden="true"
          className={clsx('mr-2.5 size-4.5 shrink-0 max-[23.4rem]:hidden', isAlarm ? 'text-ember-ink' : 'text-river-ink')}
          strokeWidth={2}
        />
      )}
      <p className="min-w-0 flex-1 py-1 text-sm leading-tight [overflow-wrap:anywhere]">
        <strong className="block font-medium sm:text-base">{toast.title}</strong>{' '}
        {toast.description && (
          <bdi className="text-muted">
            {/* An address of the visitor breaks before its @. */}
            {toast.description.split(/(?=@)/).map(part => (
              <NamesUnbroken key={part} text={part} />
            ))}
          </bdi>
        )}
        {toast.note && <span className="block text-muted"> {toast.note}</span>}
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
      {toast.action?.key && <TimeToUndo key={String(isHeld)} ms={toast.durationMs} isHeld={isHeld} />}
    </div>
  )
}

/** While the toast is held the line is whole, as its time begins anew. */
function TimeToUndo({ ms, isHeld }: { ms: number; isHeld: boolean }) {
  return (
    <span
      aria-hidden="true"
      style={{ animationDuration: `${ms}ms` }}
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
