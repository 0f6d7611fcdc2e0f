import { clsx } from 'clsx'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { Check, X } from '#web/components/ui/icons.tsx'
import { TriangleAlert } from '#web/components/ui/lazy-icons.tsx'
import { dismissToast, type Toast } from '#web/lib/notify/toasts.ts'
import { INBOX_ID } from '#web/lib/routing/scroll-to-section.ts'

export type ToastRowsProps = { toasts: readonly Toast[]; dismiss: string; isInside: boolean }

export function ToastRows({ toasts, dismiss, isInside }: ToastRowsProps) {
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

/**
 * Only the newest is shown: three would cover what they speak of. On one line where there is room. Stays while the pointer or the focus
 * rests on it (WCAG 2.2.1: enough time to read).
 */
function ToastRow({ toast, dismiss, isLine }: { toast: Toast; dismiss: string; isLine: boolean }) {
  const [isHeld, setIsHeld] = useState(false)
  const isDestructive = toast.variant === 'destructive'
  const Icon = isDestructive ? TriangleAlert : Check
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
        'pointer-events-auto flex min-h-11 animate-rise not-last:hidden items-baseline gap-3 rounded-md border border-line bg-raised pl-4 shadow-lift max-sm:gap-1',
        isLine ? '-mt-1.5' : 'max-sm:py-1.5',
      )}
    >
      <Icon
        aria-hidden="true"
        className={clsx('size-4.5 shrink-0 self-center max-sm:hidden', isDestructive ? 'text-ember-ink' : 'text-river-ink')}
        strokeWidth={2}
      />
      <div className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2.5 py-2.5 max-sm:flex-col max-sm:gap-y-0.5">
        <p className={clsx('font-medium leading-snug', isLine && 'truncate max-w-full')}>{toast.title}</p>
        {toast.description && <p className={isLine ? 'sr-only' : 'text-muted text-sm'}>{toast.description}</p>}
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
        className="grid size-11 shrink-0 place-items-center self-start rounded-sm text-muted hover:text-ink"
      >
        <X aria-hidden="true" className="size-4" strokeWidth={1.75} />
      </button>
    </div>
  )
}
