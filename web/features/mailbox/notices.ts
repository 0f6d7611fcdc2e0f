import { GENERATION_LIMIT } from '#contract/limits.ts'
import { ProblemError } from '#web/lib/api/request.ts'
import { BotCheckError, type BotCheckFailure, botCheckRefused } from '#web/lib/bot-check/bot-check.ts'
import type { Toast } from '#web/lib/notify/toasts.ts'
import type { MailboxTexts } from '#web/texts/en/mailbox.ts'

export type MailboxNotice =
  | { readonly kind: 'generated'; readonly lifetimeSeconds: number }
  | { readonly kind: 'deleting'; readonly email: string }
  | { readonly kind: 'away' | 'deleted' | 'delete_failed' | 'expired' | 'failed' | 'full' }
  | { readonly kind: 'handed_over' | 'hand_over_failed' | 'hand_over_unreachable' | 'hand_over_refused' }
  | { readonly kind: 'bot_check'; readonly failure: BotCheckFailure }
  | { readonly kind: 'rate_limited'; readonly seconds: number }

/** The toast for each notice of the mailbox. */
export function noticeToast(
  notice: MailboxNotice,
  texts: MailboxTexts['notices'],
): Pick<Toast, 'title' | 'variant'> & { description?: string } {
  switch (notice.kind) {
    case 'generated':
      return { variant: 'default', title: texts.generated, description: texts.activeFor({ seconds: notice.lifetimeSeconds }) }
    case 'deleting':
      return { variant: 'default', title: texts.deleting, description: notice.email }
    case 'delete_failed':
      return { variant: 'destructive', title: texts.errorTitle, description: texts.deleteFailed }
    case 'deleted':
      return { variant: 'default', title: texts.emailDeleted }
    case 'expired':
      return { variant: 'destructive', title: texts.emailDeleted, description: texts.destroyed }
    case 'away':
      return { variant: 'default', title: texts.away, description: texts.awayText }
    case 'failed':
      return { variant: 'destructive', title: texts.errorTitle, description: texts.generateFailed }
    case 'full':
      return { variant: 'destructive', title: texts.full, description: texts.fullText }
    case 'bot_check':
      return { variant: 'destructive', title: texts.botCheckTitle, description: texts.botCheck[notice.failure] }
    case 'rate_limited':
      return { variant: 'destructive', title: texts.rateLimitTitle, description: texts.rateLimit({ seconds: notice.seconds }) }
    case 'handed_over':
      return { variant: 'default', title: texts.handedOver, description: texts.handedOverText }
    case 'hand_over_failed':
      return { variant: 'destructive', title: texts.handOverFailed, description: texts.handOverFailedText }
    case 'hand_over_unreachable':
      return { variant: 'destructive', title: texts.handOverUnreachable, description: texts.handOverUnreachableText }
    case 'hand_over_refused':
      return { variant: 'destructive', title: texts.handOverRefused, description: texts.handOverRefusedText }
  }
}

/** Seconds until the next try, if the server only cannot create an address right now. */
export function secondsAway(error: unknown): number | undefined {
  return error instanceof ProblemError && error.code === 'unavailable' ? error.retryAfterSeconds : undefined
}

/** The notice for a creation that failed with `error`. Unexpected errors are logged as well. */
export function generationFailure(error: unknown): MailboxNotice {
  if (error instanceof BotCheckError) return { kind: 'bot_check', failure: error.failure }
  if (error instanceof ProblemError) {
    if (error.code === 'bot_check_failed') return { kind: 'bot_check', failure: botCheckRefused('generate_email').failure }
    if (error.code === 'rate_limited') return { kind: 'rate_limited', seconds: error.retryAfterSeconds ?? GENERATION_LIMIT.windowSeconds }
    if (error.code === 'mailboxes_max') return { kind: 'full' }
  }
  console.warn(error)
  return { kind: 'failed' }
}
