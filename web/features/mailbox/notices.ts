/** The words in which the visitor is told of their address: those of `mailbox.ts` in web/texts/, loaded with them when the first is shown. */
import type { MailboxNotice, UndoableNotice } from '#web/lib/mailbox/address-machine.ts'
import type { Toast } from '#web/lib/notify/toasts.ts'
import type { NoticeTexts } from '#web/texts/en/mailbox.ts'

type NoticeToast = Pick<Toast, 'title' | 'variant' | 'description' | 'isEnding'>

/** The toast for each notice of the mailbox. */
export function noticeToast(notice: Exclude<MailboxNotice, UndoableNotice>, texts: NoticeTexts): NoticeToast {
  switch (notice.kind) {
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
