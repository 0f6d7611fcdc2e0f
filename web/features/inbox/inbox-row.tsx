import { clsx } from 'clsx'
import { memo } from 'react'
import type { MessageSummary } from '#contract/mailbox.ts'
import { IconButton } from '#web/components/ui/icon-button.tsx'
import { Paperclip, Trash2 } from '#web/components/ui/icons.tsx'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { formatReceivedAt } from './received-at.ts'
import { CodeButton, LinkButton } from './row-actions.tsx'
import { senderName } from './sender.ts'

type Props = {
  message: MessageSummary
  isUnread: boolean
  isFresh: boolean
  isSelected: boolean
  onOpen: (id: string) => void
  onRemove: (id: string) => void
}

/** One message: sender, subject, preview, time, and its code or link. The whole row opens it. */
export const InboxRow = memo(function InboxRow({ message, isUnread, isFresh, isSelected, onOpen, onRemove }: Props) {
  const texts = useTexts('inbox')
  const { language } = useLanguage()
  const sender = senderName(message, texts)
  const subject = message.subject || texts.noSubject
  const [code] = message.codes
  const { link } = message
  const attached = message.attachments.filter(attachment => !attachment.inline).length
  const unlisted = message.attachmentCount - message.attachments.length
  const attachedText = unlisted > 0 ? texts.attachmentsAndMore({ count: attached, more: unlisted }) : texts.attachments({ count: attached })

  return (
    <li
      data-message={message.id}
      className={clsx(
        // The text is aligned with the title, the time with the page's right edge; the row's background extends into the margin.
        'group @container after:absolute after:inset-x-3 after:bottom-0 after:h-px after:bg-line relative -mx-3 grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 px-3 py-3 max-lg:items-baseline transition-colors duration-150 ease-out hover:bg-sunken',
        // The last column is as wide in every row, so that the buttons before it are in line.
        'lg:grid-cols-[minmax(8rem,12rem)_minmax(0,1fr)_auto_6.5rem] lg:items-center lg:gap-x-5',
        'focus-within:bg-sunken [content-visibility:auto] [contain-intrinsic-size:auto_5rem]',
        isFresh && 'animate-rise',
        isSelected && 'bg-sunken',
      )}
    >
      {isUnread && (
        <span
          aria-hidden="true"
          className="absolute top-[1.4375rem] left-0.5 size-1.5 rounded-full bg-dusk lg:top-1/2 lg:-translate-y-1/2 forced-colors:bg-[CanvasText]"
        />
      )}
      <button
        type="button"
        aria-label={`${isUnread ? `${texts.unread}. ` : ''}${texts.open({ subject, sender })}`}
        onClick={() => onOpen(message.id)}
        className={clsx(
          // The button covers the whole row; chips and icons are above it.
          'truncate text-left before:absolute before:inset-0 focus-visible:outline-none focus-visible:before:outline-2 focus-visible:before:-outline-offset-2 focus-visible:before:rounded-md focus-visible:before:outline-ink',
          isUnread ? 'font-semibold' : 'font-medium',
        )}
        dir="auto"
      >
        {sender}
      </button>
      <p className="col-span-2 col-start-1 row-start-2 min-w-0 truncate lg:col-span-1 lg:col-start-2 lg:row-start-1" dir="auto">
        <span className={clsx('block truncate pr-10 lg:inline lg:pr-0', isUnread && 'font-medium')}>{subject}</span>{' '}
        <span
          // The button shows the code that it would repeat. On a phone a link's button takes its line, to be on the first screen.
          className={clsx('block truncate text-muted text-sm lg:ml-3 lg:inline', code === undefined ? link && 'max-sm:sr-only' : 'sr-only')}
          data-testid="preview"
        >
          {message.preview || texts.noPreview}
        </span>
      </p>
      {/* Before the button that deletes, for those who go by Tab. */}
      {(code !== undefined || link) && (
        <div className="col-span-2 col-start-1 row-start-3 mt-2 lg:col-span-1 lg:col-start-3 lg:row-start-1 lg:mt-0">
          {code === undefined ? link && <LinkButton {...link} /> : <CodeButton code={code} />}
        </div>
      )}
      <div className="col-start-2 row-span-2 row-start-1 flex flex-col items-end gap-1 lg:col-start-4 lg:row-span-1 lg:flex-row lg:items-center lg:justify-end lg:gap-3">
        <span className="flex items-center gap-2 text-muted text-sm">
          {attached + unlisted > 0 && (
            <span className="inline-flex items-center gap-1" title={attachedText}>
              <Paperclip aria-hidden="true" className="size-3.5" strokeWidth={1.75} />
              <span aria-hidden="true">{unlisted > 0 ? `${attached}+` : attached}</span>
              <span className="sr-only">{attachedText}</span>
            </span>
          )}
          <time
            dateTime={message.receivedAt}
            className="figures whitespace-nowrap lg:pointer-fine:group-has-[[data-remove]:focus-visible]:opacity-0 lg:pointer-fine:group-hover:opacity-0"
          >
            {formatReceivedAt(message.receivedAt, language)}
          </time>
        </span>
        <IconButton
          label={`${texts.remove}: ${subject}`}
          onClick={() => onRemove(message.id)}
          data-remove
          // For a mouse on a wide screen it takes the place of the time.
          className="relative z-10 -mt-3.5 -mb-1 -mr-3 lg:pointer-fine:absolute lg:pointer-fine:right-0 lg:pointer-fine:m-0 pointer-fine:opacity-0 pointer-fine:focus-visible:opacity-100 pointer-fine:group-hover:opacity-100"
        >
          <Trash2 aria-hidden="true" strokeWidth={1.5} />
        </IconButton>
      </div>
    </li>
  )
})
