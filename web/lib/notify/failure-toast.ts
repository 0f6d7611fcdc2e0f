import { showToast } from './toasts.ts'

/** What was tried and why it failed. A phone shows only the reason: the page says what was tried. */
export function showFailure(title: string, reason: string): number {
  return showToast({ title, description: reason, brief: reason, variant: 'destructive' })
}
