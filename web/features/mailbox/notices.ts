/**
 * What the visitor is told of their address, and in which words: those of `mailbox.ts` in web/texts/, and of `core.ts`. Loaded with them
 * when the first is shown.
 */
import type { BotCheckFailure } from '#web/lib/bot-check/bot-check.ts'
import type { Toast } from '#web/lib/notify/toasts.ts'
import type { MailboxTexts } from '#web/texts/en/core.ts'
import type { NoticeTexts } from '#web/texts/en/mailbox.ts'

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

type NoticeToast = Pick<Toast, 'title' | 'variant' | 'description' | 'isEnding'>

/** The toast with the button that undoes the change: it must be there with the change, so it uses texts that are. */
export function undoableToast(notice: UndoableNotice, texts: MailboxTexts['notices']): NoticeToast {
  return notice.kind === 'deleting'
    ? { variant: 'default', isEnding: true, title: texts.deleting, description: notice.email }
    : {
        variant: 'default',
        title: texts.generated,
        description: texts.activeFor({ seconds: notice.lifetimeSeconds }),
      }
}

/** The toast for each notice of the mailbox. */
export function noticeToast(notice: MailboxNotice, texts: NoticeTexts, core: MailboxTexts['notices']): NoticeToast {
  switch (notice.kind) {
    case 'generated':
    case 'deleting':
      return undoableToast(notice, core)
    case 'delete_failed':
      return { variant: 'destructive', title: texts.errorTitle, description: texts.deleteFailed }
    case 'deleted':
      return { variant: 'default', title: texts.emailDeleted }
    case 'expired':
      return { variant: 'destructive', isEnding: true, title: texts.emailDeleted, description: texts.destroyed }
    case 'ended':
      return { variant: 'default', title: texts.ended, description: texts.endedText }
    case 'replaced_elsewhere':
      return { variant: 'default', title: texts.replacedElsewhere, description: texts.replacedElsewhereText }
    case 'closed_elsewhere':
      return { variant: 'default', title: texts.closedElsewhere }
    case 'away':
      return { variant: 'default', title: texts.away, description: texts.awayText }
    case 'failed':
      return { variant: 'destructive', title: texts.errorTitle, description: texts.generateFailed }
    case 'unreached':
      return {
        variant: 'destructive',
        title: texts.errorTitle,
        description: `${navigator.onLine === false ? texts.offline : texts.unreached} ${texts.generateFailed}`,
      }
    case 'full':
      return { variant: 'destructive', title: texts.full, description: texts.fullText }
    case 'bot_check':
      return { variant: 'destructive', title: texts.botCheckTitle, description: texts.botCheck[notice.failure] }
    case 'rate_limited':
      return {
        variant: 'destructive',
        title: texts.rateLimitTitle,
        description: texts.rateLimit({ seconds: notice.seconds }),
      }
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
