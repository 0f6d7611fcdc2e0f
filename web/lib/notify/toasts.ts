/** Messages that pass: a list outside React, so that any code can add one and only the toaster redraws. */
import { createStore } from '../browser/store.ts'

export type Toast = {
  id: number
  title: string
  description?: string
  /** `destructive` is the specification's word for what went wrong or was destroyed; it is read out at once. */
  variant: 'default' | 'destructive'
  durationMs: number
  /** One button beside the text. */
  action?: { label: string; run: () => void }
  /** Called when the visitor closes the toast, not when its time is over. */
  onDismiss?: () => void
}

const DURATION_MS = 5000
/** More than three at once is a wall, not a message. */
const SHOWN_MAX = 3

/** Oldest first. */
export const toastStore = createStore<readonly Toast[]>([])
let lastId = 0

/** Shows a toast until it has been there for `durationMs` (5 s), is dismissed, or three newer ones push it out. The same words never show twice. */
export function showToast(wanted: Pick<Toast, 'title'> & Partial<Omit<Toast, 'id'>>): number {
  const toast: Toast = { variant: 'default', durationMs: DURATION_MS, ...wanted, id: ++lastId }
  const others = toastStore.get().filter(shown => !isRepeated(shown, toast))
  toastStore.set([...others, toast].slice(-SHOWN_MAX))
  return toast.id
}

/** Two with a button are two: each undoes another thing. */
function isRepeated(shown: Toast, next: Toast): boolean {
  return shown.title === next.title && shown.description === next.description && !shown.action && !next.action
}

export function dismissToast(id: number): void {
  toastStore.set(toastStore.get().filter(toast => toast.id !== id))
}
