import { isUnanswered, ProblemError } from '#web/lib/api/request.ts'
import { BotCheckError, type BotCheckFailure, botCheckRefused } from '#web/lib/bot-check/bot-check.ts'
import { newAddressLimit } from '#web/lib/mailbox/new-address-limit.ts'
import type { Toast } from '#web/lib/notify/toasts.ts'

export type UndoableNotice =
  | { readonly kind: 'generated'; readonly lifetimeSeconds: number }
  | { readonly kind: 'deleting'; readonly email: string }

export type MailboxNotice =
  | UndoableNotice
  | { readonly kind: 'away' | 'deleted' | 'delete_failed' | 'expired' | 'failed' | 'full' | 'unreached' }
  | { readonly kind: 'handed_over' | 'hand_over_failed' | 'hand_over_unreachable' | 'hand_over_refused' }
  /** What another tab of this browser did. */
  | { readonly kind: 'replaced_elsewhere' | 'closed_elsewhere' }
  /** Without the address: on a shared computer, this may be read by someone else. */
  | { readonly kind: 'ended' }
  | { readonly kind: 'bot_check'; readonly failure: BotCheckFailure }
  | { readonly kind: 'rate_limited'; readonly seconds: number }

export type NoticeToast = Pick<Toast, 'title' | 'variant' | 'description' | 'isEnding'>

/** Seconds until the next try, if the server only cannot create an address right now. */
export function unavailableRetrySeconds(error: unknown): number | undefined {
  return error instanceof ProblemError && error.code === 'unavailable' ? error.retryAfterSeconds : undefined
}

/** The notice for a creation that failed with `error`. Unexpected errors are logged as well. */
export function newAddressFailure(error: unknown): MailboxNotice {
  if (error instanceof BotCheckError) return { kind: 'bot_check', failure: error.failure }
  if (error instanceof ProblemError) {
    if (error.code === 'bot_check_failed') return { kind: 'bot_check', failure: botCheckRefused('generate_email').failure }
    if (error.code === 'rate_limited')
      return { kind: 'rate_limited', seconds: error.retryAfterSeconds ?? newAddressLimit(false).windowSeconds }
    if (error.code === 'mailboxes_max') return { kind: 'full' }
    // Our own server, which says when to try again, has answered.
    if (error.code !== 'unavailable' && isUnanswered(error)) return { kind: 'unreached' }
  }
  console.warn(error)
  return { kind: 'failed' }
}
