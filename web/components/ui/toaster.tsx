import { clsx } from 'clsx'
import { useEffect, useId, useState, useSyncExternalStore } from 'react'
import { X } from '#web/components/ui/icons.tsx'
import { createStore } from '#web/lib/browser/store.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { dismissToast, type Toast, toastStore } from '#web/lib/notify/toasts.ts'
import { INBOX_ID } from '#web/lib/routing/scroll-to-section.ts'

const NONE: readonly Toast[] = []
/** The page's toaster, then one per open dialog. The last one shows the toasts. */
const toasterStore = createStore<readonly string[]>([])

type Place = { isInside?: boolean }

/**
 * Where toasts appear: over the head of the page, where neither the address nor the inbox is; over the head of the inbox, as one line, once
 * the page is scrolled to it; and in a dialog as its last line, which takes room of its own and covers nothing. Our own 1 kB instead of a library's 8: `/` has a budget, and no `<style>` is injected.
 * The region is there from the start, since screen readers announce only what enters a region they already know. A dialog brings a
 * toaster of its own, because all outside of it is inert.
 */
export function Toaster({ isInside = false }: Place) {
  const words = useTexts('layout')
  const id = useId()
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.get, () => NONE)
  const isTop = useSyncExternalStore(toasterStore.subscribe, toasterStore.get, () => []).at(-1) === id
  useEffect(() => {
    toasterStore.set([...toasterStore.get(), id])
    return () => toasterStore.set(toasterStore.get().filter(other => other !== id))
  }, [id])
  return (
    <section
      aria-label={words.notifications}
      data-print="never"
      className={clsx(
        'pointer-events-none flex flex-col gap-2 text-ink',
        isInside
          ? 'shrink-0 px-3 has-[[data-toast]]:py-3'
          : 'fixed inset-x-3 top-[max(0.375rem,env(safe-area-inset-top))] z-50 mx-auto sm:max-w-104',
      )}
    >
      <div aria-live="polite" className="contents">
        {isTop && toasts.length > 0 && <Toasts toasts={toasts} dismiss={words.dismiss} isInside={isInside} />}
      </div>
    </section>
  )
}

type ToastsProps = { toasts: readonly Toast[]; dismiss: string; isInside: boolean }

function Toasts({ toasts, dismiss, isInside }: ToastsProps) {
  const isAtInbox = useSyncExternalStore(watchScroll, isScrolledToInbox, () => false) && !isInside
  return toasts.map(toast => <ToastRow key={toast.id} toast={toast} dismiss={dismiss} isLine={isAtInbox} />)
}

function watchScroll(changed: () => void): () => void {
  addEventListener('scroll', changed, { passive: true })
  return () => removeEventListener('scroll', changed)
}

/** From here on a toast of several lines would reach over the head of the inbox. */
const INBOX_TOP_PX = 40
const isScrolledToInbox = () => (document.getElementById(INBOX_ID)?.getBoundingClientRect().top ?? INBOX_TOP_PX) < INBOX_TOP_PX

/** On a phone only the newest is shown: three would cover what they speak of. Stays while the pointer or the focus rests on it (WCAG 2.2.1: enough time to read). */
function ToastRow({ toast, dismiss, isLine }: { toast: Toast; dismiss: string; isLine: boolean }) {
  const [isHeld, setIsHeld] = useState(false)
  const isDestructive = toast.variant === 'destructive'
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => dismissToast(toast.id), toast.durationMs)
    return () => clearTimeout(timer)
  }, [isHeld, toast.id, toast.durationMs])

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointer and focus only hold the timer; what acts is the button inside
    <div
      role={isDestructive ? 'alert' : 'group'}
      data-toast={toast.variant}
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
      className={clsx(
        'pointer-events-auto flex w-full animate-rise items-start gap-3 rounded-md border border-line bg-raised pr-1 pl-4 shadow-lift',
        isLine ? '-mt-1.5 not-last:hidden' : 'py-1.5 max-sm:not-last:hidden',
      )}
    >
      <span
        aria-hidden="true"
        className={clsx('mt-4 h-px w-4 shrink-0 forced-colors:bg-[CanvasText]', isDestructive ? 'bg-ember' : 'bg-river')}
      />
      <div className="min-w-0 flex-1 py-2.5">
        <p className={clsx('font-medium leading-snug', isLine && 'truncate')}>{toast.title}</p>
        {toast.description && <p className={isLine ? 'sr-only' : 'mt-0.5 text-muted text-sm'}>{toast.description}</p>}
      </div>
      {toast.action && (
        <button
          type="button"
          onClick={toast.action.run}
          className="min-h-11 shrink-0 rounded-sm px-2 font-medium text-river-ink underline underline-offset-4 hover:text-ink"
        >
          {toast.action.label}
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
    </div>
  )
}
