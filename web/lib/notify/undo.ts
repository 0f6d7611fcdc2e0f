/** A change that can be undone: made after six seconds in which nobody held its toast, when dismissed, or when the page is left. */
import { dismissToast, showToast, type Toast } from './toasts.ts'

export const UNDO_MS = 6000

/** `commit` makes the change and sends its request with `keepalive`, `undo` restores the state before. One of them is called, once. */
export type UndoableChange = { commit: () => void; undo: () => void }

const pending = new Set<UndoableChange>()

/** Offers to undo the change. What it returns settles that early. */
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
  let timer = setTimeout(offered.commit, UNDO_MS)
  const toastId = showToast({
    ...toast,
    durationMs: UNDO_MS,
    action: { label: undoLabel, run: offered.undo, key: 'u' },
    onHold(isHeld) {
      clearTimeout(timer)
      // This does nothing to a change that is settled already.
      if (!isHeld) timer = setTimeout(offered.commit, UNDO_MS)
    },
    // Only if the visitor dismissed the toast. When newer toasts replace it, it just loses its button.
    onDismiss: offered.commit,
  })
  return offered
}

/** For the keyboard: undoes the latest change that can still be undone. `false` if there is none. */
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
