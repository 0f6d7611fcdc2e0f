/** Short messages at the edge of the screen. The list is outside React, so that any code can add one and only the toaster renders. */
import { createStore } from '../browser/store.ts'

export type Toast = {
  id: number
  title: string
  description?: string
  /** A line below. */
  note?: string
  /** `destructive`: something failed or was destroyed. Screen readers announce it at once. */
  variant: 'default' | 'destructive'
  /** It tells of an end as it should be: drawn with neither an alarm nor the tick of a success. */
  isEnding?: true
  /** It answers no press, e.g. of another tab of the browser, so that no press ends it. */
  isUnasked?: true
  durationMs: number
  /** A code that came in a mail, to copy. */
  code?: string
  /** One button next to the text. `key` is the shortcut of the page that does the same. */
  action?: { label: string; run: () => void; key?: string }
  /** Called when the pointer or the focus comes to rest on the toast, so that its time stands still, and when it leaves. */
  onHold?: (isHeld: boolean) => void
  /** Called when the visitor closes the toast, not when its time is over. */
  onDismiss?: () => void
}

const DURATION_MS = 5000
/** More than three at once would not be read. */
const SHOWN_MAX = 3

/** Oldest first. */
export const toastStore = createStore<readonly Toast[]>([])
let lastId = 0

/** A failure, a button, a code and what nobody asked for stay; the moment of any other toast is over with the next press. */
const lasting = () =>
  toastStore.get().filter(({ variant, action, code, isUnasked }) => variant === 'destructive' || action || code || isUnasked)

/** To be called when something is done that is told where it was pressed: a toast must not name another thing meanwhile. */
export const endNews = () => toastStore.set(lasting())

/**
 * Shows a toast for `durationMs` (5 s), until it is dismissed or three newer ones replace it; a mere piece of news until the next toast.
 * Identical toasts are shown once.
 */
export function showToast(wanted: Pick<Toast, 'title'> & Partial<Omit<Toast, 'id'>>): number {
  const toast: Toast = { variant: 'default', durationMs: DURATION_MS, ...wanted, id: ++lastId }
  const others = lasting().filter(shown => !isRepeated(shown, toast))
  toastStore.set([...others, toast].slice(-SHOWN_MAX))
  return toast.id
}

/** Toasts with a button are never identical: each undoes something else. */
function isRepeated(shown: Toast, next: Toast): boolean {
  return shown.title === next.title && shown.description === next.description && !shown.action && !next.action
}

export function dismissToast(id: number): void {
  toastStore.set(toastStore.get().filter(toast => toast.id !== id))
}
