import type { ErrorTexts } from '#web/texts/en/mailbox.ts'
import { ProblemError } from '../api/request.ts'
import { showToast } from './toasts.ts'

export const showFailure = (title: string, reason: string): number => showToast({ title, description: reason, variant: 'destructive' })

/** The sentence to show for an error of an API call. */
export function problemText(error: unknown, texts: ErrorTexts): string {
  if (!(error instanceof ProblemError)) return texts.internal
  const sentences: Readonly<Record<string, string>> = texts
  const isOffline = error.code === 'network' && navigator.onLine === false
  return sentences[isOffline ? 'offline' : error.code] ?? texts.internal
}
