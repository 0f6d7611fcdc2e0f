import { clsx } from 'clsx'
import { memo } from 'react'
import type { MessageSummary } from '#contract/mailbox.ts'
import { IconButton } from '#web/components/ui/icon-button.tsx'
import { Paperclip, Trash2 } from '#web/components/ui/icons.tsx'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'

import { CodeChip } from './code-chip.tsx'
import { formatReceivedAt } from './received-at.ts'
import { senderName } from './sender.ts'

type Props = {
  message: MessageSummary
  isUnread: boolean
  isFresh: boolean
  isSelected: boolean
  onOpen: (id: string) => void
  onRemove: (id: string) => void
}

/** One mail: sender, subject, preview, time, and what can be taken from it without opening it. The whole row opens it. */
export const InboxRow = memo(function InboxRow({ message, isUnread, isFresh, isSelected, onOpen, onRemove }: Props) {
  const texts = useTexts('inbox')
  const { language } = useLanguage()
  const sender = senderName(message, texts)
  const subject = message.subject || texts.noSubject
  const [code] = message.codes
  const attached = message.attachments.filter(attachment => !attachment.inline).length
  const unlisted = message.attachmentCount - message.attachments.length
  const attachedText = unlisted > 0 ? texts.attachmentsAndMore({ count: attached, more: unlisted }) : texts.attachments({ count: attached })

  return (
    <li
      data-message={message.id}
      className={clsx(
        'group relative grid grid-cols-[0.5rem_minmax(0,1fr)_auto] gap-x-3 px-1 py-3 transition-colors duration-150 ease-out hover:bg-sunken',
        'sm:px-3 lg:grid-cols-[0.5rem_minmax(8rem,14rem)_minmax(0,1fr)_auto_auto] lg:items-center',
        'focus-within:bg-sunken [content-visibility:auto] [contain-intrinsic-size:auto_5rem]',
        isFresh && 'animate-rise',
        isSelected && 'bg-sunken',
      )}
    >
      <span aria-hidden="true" className={clsx('mt-2 size-2 rounded-full lg:mt-0', isUnread && 'bg-dusk forced-colors:bg-[CanvasText]')} />
      <button
        type="button"
        aria-label={`${isUnread ? `${texts.unread}. ` : ''}${texts.open({ subject, sender })}`}
        onClick={() => onOpen(message.id)}
        className={clsx(
          // The button reaches over the whole row; chips and icons lie above it.
          'truncate text-left before:absolute before:inset-0 focus-visible:outline-none focus-visible:before:outline-2 focus-visible:before:-outline-offset-2 focus-visible:before:outline-ink',
          isUnread ? 'font-semibold' : 'font-medium',
        )}
        dir="auto"
      >
        {sender}
      </button>
      <p className="col-start-2 row-start-2 min-w-0 truncate lg:col-start-3 lg:row-start-1" dir="auto">
        <span className={clsx(isUnread && 'font-medium')}>{subject}</span>
        <span className="block truncate text-muted text-sm lg:ml-3 lg:inline" data-testid="preview">
          {message.preview || texts.noPreview}
        </span>
      </p>
      <div className="col-start-3 row-span-2 row-start-1 flex flex-col items-end gap-1 lg:col-start-5 lg:row-span-1 lg:flex-row lg:items-center lg:gap-3">
        <span className="flex items-center gap-2 text-muted text-sm">
          {attached + unlisted > 0 && (
            <span className="inline-flex items-center gap-1" title={attachedText}>
              <Paperclip aria-hidden="true" className="size-3.5" strokeWidth={1.75} />
              <span aria-hidden="true">{unlisted > 0 ? `${attached}+` : attached}</span>
              <span className="sr-only">{attachedText}</span>
            </span>
          )}
          <time dateTime={message.receivedAt} className="figures whitespace-nowrap">
            {formatReceivedAt(message.receivedAt, language)}
          </time>
        </span>
        <IconButton
          label={`${texts.remove}: ${subject}`}
          onClick={() => onRemove(message.id)}
          className="relative z-10 -my-1 pointer-fine:opacity-0 pointer-fine:focus-visible:opacity-100 pointer-fine:group-hover:opacity-100"
        >
          <Trash2 aria-hidden="true" strokeWidth={1.5} />
        </IconButton>
      </div>
      {code !== undefined && (
        <span className="col-span-2 col-start-2 mt-1.5 lg:col-span-1 lg:col-start-4 lg:row-start-1 lg:mt-0">
          <CodeChip code={code} />
        </span>
      )}
    </li>
  )
})
