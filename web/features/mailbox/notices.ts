/** How the visitor is told of their address: in the words of `mailbox.ts` in web/texts/, which are fetched with the first notice. */
import type { Language } from '#contract/languages.ts'
import { logSecurityEvent } from '#web/lib/bot-check/security-log.ts'
import { fetchTexts } from '#web/lib/i18n/i18n.tsx'
import type { MailboxNotice, UndoableNotice } from '#web/lib/mailbox/address-machine.ts'
import { dismissToast, showToast, type Toast } from '#web/lib/notify/toasts.ts'
import { offerUndo, type UndoableChange } from '#web/lib/notify/undo.ts'
import type { MailboxTexts } from '#web/texts/en/core.ts'
import type { NoticeTexts } from '#web/texts/en/mailbox.ts'

type NoticeToast = Pick<Toast, 'title' | 'variant' | 'description' | 'note' | 'isEnding' | 'isUnasked'>

/** The page's language, and the texts that are there already. */
type Words = { readonly language: Language; readonly texts: MailboxTexts; readonly undo: string }

export function offerToUndo(notice: UndoableNotice, change: UndoableChange, { texts, undo }: Words): UndoableChange {
  return offerUndo(change, undoableToast(notice, texts.notices), undo)
}

/** It must be there with the change, so its texts are those that are there already. */
function undoableToast(notice: UndoableNotice, texts: MailboxTexts['notices']) {
  return notice.kind === 'deleting'
    ? ({ variant: 'default', isEnding: true, title: texts.deleting, description: notice.email } as const)
    : ({ variant: 'default', title: texts.generated, description: texts.activeFor({ seconds: notice.lifetimeSeconds }) } as const)
}

export async function showNotice(notice: MailboxNotice, { language, texts }: Words): Promise<void> {
  if (notice.kind === 'generated' || notice.kind === 'deleting') return void showToast(undoableToast(notice, texts.notices))
  const id = showToast(noticeToast(notice, await fetchTexts(language, 'notices')))
  if (notice.kind === 'rate_limited') logSecurityEvent('rate_limit_hit', { action: 'generate_email' })
  if (notice.kind === 'unreached') addEventListener('online', () => dismissToast(id), { once: true })
}

/** The toast for each notice of the mailbox. */
function noticeToast(notice: Exclude<MailboxNotice, UndoableNotice>, texts: NoticeTexts): NoticeToast {
  switch (notice.kind) {
    case 'delete_failed':
      return { variant: 'destructive', title: texts.errorTitle, description: texts.deleteFailed }
    case 'deleted':
      return { variant: 'default', title: texts.emailDeleted }
    case 'expired':
      return { variant: 'destructive', isEnding: true, title: texts.emailDeleted, description: texts.destroyed }
    case 'ended':
      return { variant: 'default', isUnasked: true, title: texts.ended, description: texts.endedText }
    case 'replaced_elsewhere':
      return { variant: 'default', isUnasked: true, title: texts.replacedElsewhere, description: texts.replacedElsewhereText }
    case 'closed_elsewhere':
      return { variant: 'default', isUnasked: true, title: texts.closedElsewhere }
    case 'away':
      return { variant: 'destructive', title: texts.away, description: texts.awayText }
    case 'failed':
      return { variant: 'destructive', title: texts.errorTitle, description: texts.generateFailed }
    case 'unreached':
      return {
        variant: 'destructive',
        title: texts.errorTitle,
        description: texts.generateFailed,
        note: navigator.onLine === false ? texts.offline : texts.unreached,
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
