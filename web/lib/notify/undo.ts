/** A change that can still be undone: it is carried out after six seconds, when its toast is dismissed, or when the page is left. */
import { dismissToast, showToast, type Toast } from './toasts.ts'

export const UNDO_MS = 6000

/** `commit` carries the change out and must send its request with `keepalive`; `undo` brings everything back. Exactly one of them is called, once. */
export type UndoableChange = { commit: () => void; undo: () => void }

const pending = new Set<UndoableChange>()

/** Offers to undo the change, and returns how to settle it early. */
export function offerUndo(
  change: UndoableChange,
  toast: Pick<Toast, 'title' | 'description' | 'variant'>,
  undoLabel: string,
): UndoableChange {
  const settle = (act: () => void) => {
    if (!pending.delete(offered)) return
    clearTimeout(timer)
    dismissToast(toastId)
    act()
  }
  const offered: UndoableChange = { commit: () => settle(change.commit), undo: () => settle(change.undo) }
  pending.add(offered)
  const timer = setTimeout(offered.commit, UNDO_MS)
  const toastId = showToast({
    ...toast,
    durationMs: UNDO_MS,
    action: { label: undoLabel, run: offered.undo },
    // Waived by the visitor. Pushed out by newer toasts, it only loses its button.
    onDismiss: offered.commit,
  })
  return offered
}

/** For the keyboard: undoes the latest change that can still be undone. `false` when there is none. */
export function undoLatest(): boolean {
  const latest = [...pending].at(-1)
  latest?.undo()
  return latest !== undefined
}

if (typeof window !== 'undefined') {
  window.addEventListener('pagehide', () => {
    for (const change of pending) change.commit()
  })
}
