/** Messages that pass: a list outside React, so that any code can add one and only the toaster redraws. */
export type Toast = {
  id: number
  title: string
  description?: string
  /** `destructive` is the specification's word for what went wrong or was destroyed; it is read out at once. */
  variant: 'default' | 'destructive'
  durationMs: number
}

const DURATION_MS = 5000
/** More than three at once is a wall, not a message. */
const SHOWN_MAX = 3

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

function publish(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

/** Shows a toast until it has been there for `durationMs` (5 s), is dismissed, or three newer ones push it out. */
export function showToast(wanted: Pick<Toast, 'title'> & Partial<Omit<Toast, 'id'>>): number {
  const toast: Toast = { variant: 'default', durationMs: DURATION_MS, ...wanted, id: ++lastId }
  publish([...toasts, toast].slice(-SHOWN_MAX))
  return toast.id
}

export function dismissToast(id: number): void {
  publish(toasts.filter(toast => toast.id !== id))
}

export function subscribeToasts(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const currentToasts = (): readonly Toast[] => toasts
