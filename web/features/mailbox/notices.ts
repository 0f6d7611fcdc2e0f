import type { Toast } from '#web/lib/notify/toasts.ts'
import type { MailboxTexts } from '#web/texts/en/mailbox.ts'
import type { MailboxNotice } from './mailbox-life.ts'

/** The toast for each thing the mailbox has to say. */
export function noticeToast(
  notice: MailboxNotice,
  texts: MailboxTexts['notices'],
): Pick<Toast, 'title' | 'variant'> & { description?: string } {
  switch (notice.kind) {
    case 'generated':
      return { variant: 'default', title: texts.generated, description: texts.activeFor({ seconds: notice.lifetimeSeconds }) }
    case 'deleted':
      return { variant: 'default', title: texts.emailDeleted }
    case 'expired':
      return { variant: 'destructive', title: texts.emailDeleted, description: texts.destroyed }
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
  }
}
