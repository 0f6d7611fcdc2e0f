import { clsx } from 'clsx'
import { type ComponentType, useEffect, useId } from 'react'
import { createStore } from '#web/lib/browser/store.ts'
import { useStore } from '#web/lib/browser/use-store.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { type Toast, toastStore } from '#web/lib/notify/toasts.ts'
import type { ToastRowsProps } from './toast-rows.tsx'

const NONE: readonly Toast[] = []
/** The page's toaster, then one per open dialog. The last one shows the toasts. */
const toasterStore = createStore<readonly string[]>([])
/** What draws toasts, once it is fetched. */
const rowsStore = createStore<ComponentType<ToastRowsProps> | undefined>(undefined)

/** Called when a toast is near. A fetch that fails is tried again at the next call; the toasts wait for it. */
function fetchRows(): void {
  if (rowsStore.get()) return
  import('./toast-rows.tsx').then(({ ToastRows }) => rowsStore.set(ToastRows)).catch(() => undefined)
}

/** Nearly all toasts follow what the visitor does; the network is back when one could not be fetched before. */
const SIGNS = ['pointerdown', 'keydown', 'online'] as const

/**
 * The region that toasts appear in: on the page where toast-rows.tsx places them, in a dialog as its last line, which takes room of its own
 * and covers nothing. Our own 1 kB instead of a library's 8: `/` has a budget, and no `<style>` is injected. The region is there from the
 * start, since screen readers announce only what enters a region they already know. A dialog brings a toaster of its own, because all
 * outside of it is inert; it has no name, so that there are no two landmarks of one name.
 */
export function Toaster({ isInside = false }: { isInside?: boolean }) {
  const words = useTexts('layout')
  const id = useId()
  const toasts = useStore(toastStore, () => NONE)
  const isTop = useStore(toasterStore, () => []).at(-1) === id
  useEffect(() => {
    toasterStore.set([...toasterStore.get(), id])
    return () => toasterStore.set(toasterStore.get().filter(other => other !== id))
  }, [id])
  const Rows = useStore(rowsStore, () => undefined)
  useEffect(() => {
    if (Rows) return
    for (const sign of SIGNS) addEventListener(sign, fetchRows)
    return () => {
      for (const sign of SIGNS) removeEventListener(sign, fetchRows)
    }
  }, [Rows])
  useEffect(() => {
    if (toasts.length > 0) fetchRows()
  }, [toasts])
  return (
    <section
      aria-label={isInside ? undefined : words.notifications}
      data-print="never"
      className={clsx(isInside && 'shrink-0 px-3 has-[[data-toast]]:py-3')}
    >
      <div aria-live="polite">{isTop && Rows && <Rows toasts={toasts} dismiss={words.dismiss} isInside={isInside} />}</div>
    </section>
  )
}
