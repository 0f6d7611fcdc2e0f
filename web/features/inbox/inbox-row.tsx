import { clsx } from 'clsx'
import { memo, useEffect, useRef, useState } from 'react'
import type { ConfirmationLink, MessageSummary } from '#contract/mailbox.ts'
import { NamesUnbroken } from '#web/components/ui/address.tsx'
import { IconButton } from '#web/components/ui/button.tsx'
import { CodeButton } from '#web/components/ui/code-button.tsx'
import { Trash2 } from '#web/components/ui/icons.ts'
import { ExternalLink, Paperclip, TriangleAlert } from '#web/components/ui/lazy-icons.ts'
import { copyText } from '#web/lib/browser/clipboard.ts'
import { useShortcuts } from '#web/lib/browser/shortcuts.ts'
import { dateAndTime, formatReceivedAt } from '#web/lib/i18n/date-and-time.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { isEverySenderUnchecked, listedAttachments } from '#web/lib/mailbox/mail-facts.ts'
import { showToast } from '#web/lib/notify/toasts.ts'
import { senderName } from './arrivals.tsx'
import type { InboxControl } from './inbox-store.ts'

// Without a network every press counts.
import('#web/lib/browser/stray-press.ts').catch(() => undefined)

const WHOLE_ROW = 'relative z-10 flex w-full max-w-90 lg:max-w-108 items-center justify-between gap-x-4 sm:w-fit px-4'

/** The link's label and its real host. */
function LinkButton({ url, label }: ConfirmationLink) {
  const texts = useTexts('inbox')
  if (!URL.canParse(url)) return null
  // The host in Punycode if letters imitate others.
  const { host } = new URL(url)
  return (
    <a
      href={url}
      title={url}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className={`${WHOLE_ROW} min-h-11 flex-wrap py-1 leading-snug lg:flex-nowrap link-chip`}
    >
      <bdi className="line-clamp-3 min-w-0 lg:line-clamp-1">{label === '' || label === host ? texts.openLink : label}</bdi>
      <span className="inline-flex min-w-0 items-center gap-1.5 text-sm lg:shrink-0">
        {/* Cut at its start: whose site it is stands at the end of a host. */}
        <span className="truncate [direction:rtl] lg:max-w-[50cqi]">
          <bdi dir="ltr">{host}</bdi>
        </span>
        <ExternalLink aria-hidden="true" className="size-3.5 shrink-0" strokeWidth={1.75} />
      </span>
    </a>
  )
}

/** In Punycode, in which no letter imitates another; all of what the sender wrote if it is no address. */
function trueDomain(address: string): string {
  const url = `http://${address.slice(address.lastIndexOf('@') + 1)}`
  return URL.canParse(url) ? new URL(url).hostname : address
}

/** Names that carry a tag: mail to the plain address says nothing new. */
function taggedNames(envelopeTo: readonly string[]): string {
  const names = envelopeTo.map(address => address.slice(0, address.lastIndexOf('@')))
  return names.filter(name => name.includes('+')).join(', ')
}

type RowProps = {
  message: MessageSummary
  isUnread: boolean
  isFresh: boolean
  isSelected: boolean
  whyClosedId: string | undefined
  originMs: number
  onOpen: (id: string) => void
  onDelete: (id: string) => void
}

/** One message: sender, subject, preview, time, and its code or link. The whole row opens it. */
const InboxRow = memo(function InboxRow({ message, isUnread, isFresh, isSelected, whyClosedId, originMs, onOpen, onDelete }: RowProps) {
  const texts = useTexts('inbox')
  const sender = senderName(message, texts)
  const isAddress = message.from.name === '' && message.from.address !== ''
  const subject = message.subject || texts.noSubject
  const [code] = message.codes
  const { link } = message
  const isContradicted = message.verdict === 'contradicted'
  const tagged = taggedNames(message.envelopeTo)
  const attached = listedAttachments(message.attachments).length
  const unlisted = message.attachmentCount - message.attachments.length
  const attachedText = unlisted > 0 ? texts.attachmentsAndMore({ count: attached, more: unlisted }) : texts.attachments({ count: attached })

  return (
    <li
      data-message={message.id}
      className={clsx(
        'group mail-row @container',
        // Before it is seen such a row has not its own height, and a new one would move the others twice.
        isFresh ? 'animate-rise' : '[content-visibility:auto] [contain-intrinsic-size:auto_5rem]',
        isSelected && 'bg-sunken',
      )}
    >
      {isUnread && <span aria-hidden="true" className="unread-dot absolute top-5.5 left-0 lg:top-1/2 lg:-translate-y-1/2" />}
      <button
        type="button"
        aria-label={`${isUnread ? `${texts.unread}. ` : ''}${texts.open({ subject, sender })}`}
        aria-disabled={whyClosedId !== undefined || undefined}
        aria-describedby={whyClosedId}
        onClick={() => onOpen(message.id)}
        className={clsx(
          // The button covers the whole row; chips and icons are above it.
          'truncate text-left before:absolute before:inset-0 focus-visible:outline-none focus-visible:before:z-1 focus-visible:before:outline-2 focus-visible:before:-outline-offset-2 focus-visible:before:rounded-md focus-visible:before:outline-ink',
          isUnread ? 'font-semibold' : 'font-medium',
        )}
        // Cut at its start, as hosts are.
        dir={isAddress ? 'rtl' : 'auto'}
      >
        {isAddress ? <bdi dir="ltr">{sender}</bdi> : sender}
      </button>
      <p className="col-span-2 col-start-1 row-start-2 min-w-0 truncate lg:col-span-1 lg:col-start-2 lg:row-start-1" dir="auto">
        {isContradicted && (
          <span
            // The domain is the warning, so nothing of it is cut.
            className="text-ember-ink text-sm whitespace-normal max-lg:block sm:max-lg:pr-10 lg:mr-3 lg:inline-block lg:max-w-full"
            data-testid="check-sender"
          >
            <TriangleAlert aria-hidden="true" className="mr-1.5 mb-0.5 inline size-4" strokeWidth={1.75} />
            <bdi>
              <NamesUnbroken text={texts.checkSender({ domain: trueDomain(message.from.address) })} />
            </bdi>
          </span>
        )}
        <span className={clsx('block truncate sm:max-lg:pr-10 lg:inline', isUnread && 'font-medium')}>{subject}</span>{' '}
        {tagged !== '' && (
          <bdi className="block truncate text-muted text-sm lg:ml-3 lg:inline" data-testid="for-tag">
            {texts.forTag({ name: tagged })}
          </bdi>
        )}
        <span
          // The button shows the code that it would repeat. On a phone a link's button takes its line, to be on the first screen.
          className={clsx(
            'block truncate text-muted text-sm lg:ml-3 lg:inline',
            code === undefined ? (link || isContradicted) && 'max-sm:sr-only' : 'sr-only',
          )}
          data-testid="preview"
        >
          {message.preview || texts.noPreview}
        </span>
      </p>
      {/* Before the button that deletes, for those who go by Tab. */}
      {(code !== undefined || link) && (
        <div className="col-span-2 col-start-1 row-start-3 mt-2 lg:col-span-1 lg:col-start-3 lg:row-start-1 lg:mt-0">
          {code === undefined ? (
            link && <LinkButton {...link} />
          ) : (
            <CodeButton code={code} size="lg" className="relative z-10 w-full sm:w-fit lg:min-h-11 lg:[&>span]:text-base" />
          )}
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
          <ReceivedAt at={message.receivedAt} originMs={originMs} />
        </span>
        <IconButton
          label={`${texts.delete}: ${subject}`}
          aria-disabled={whyClosedId !== undefined || undefined}
          onClick={() => onDelete(message.id)}
          data-delete
          // On a phone a mail is deleted where it is read. For a mouse on a wide screen the button takes the place of the time.
          className="relative z-10 -mt-3.5 -mb-1 -mr-3 max-sm:hidden lg:pointer-fine:absolute lg:pointer-fine:right-0 lg:pointer-fine:m-0 pointer-fine:opacity-0 pointer-fine:focus-visible:opacity-100 pointer-fine:group-hover:opacity-100"
        >
          <Trash2 aria-hidden="true" strokeWidth={1.5} />
        </IconButton>
      </div>
    </li>
  )
})

const MINUTE_MS = 60_000

/** How long ago a mail came while that is under an hour, and then when. */
function ReceivedAt({ at, originMs }: { at: string; originMs: number }) {
  const { ago } = useTexts('inbox')
  const { language } = useLanguage()
  const minutes = useMinutesSince(Date.parse(at) - originMs)
  const shown = minutes >= 60 ? formatReceivedAt(at, language) : minutes === 0 ? ago.now : ago.minutes({ minutes })
  return (
    <time
      dateTime={at}
      title={dateAndTime(at, language)}
      className="figures whitespace-nowrap lg:pointer-fine:group-has-[[data-delete]:focus-visible]:opacity-0 lg:pointer-fine:group-hover:opacity-0"
    >
      {Number.isNaN(minutes) ? '' : shown}
    </time>
  )
}

/** Whole minutes since `atMs` on the clock of `performance.now()`; counted for an hour. */
function useMinutesSince(atMs: number): number {
  const [minutes, setMinutes] = useState(() => minutesSince(atMs))
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const tick = () => {
      const passed = minutesSince(atMs)
      setMinutes(passed)
      if (passed < 60) timer = setTimeout(tick, atMs + (passed + 1) * MINUTE_MS - performance.now())
    }
    tick()
    return () => clearTimeout(timer)
  }, [atMs])
  return minutes
}

const minutesSince = (atMs: number) => Math.max(0, Math.floor((performance.now() - atMs) / MINUTE_MS))

const nothing = () => undefined

type InboxRowsProps = {
  inbox: InboxControl
  /** The element that says why no mail opens now. Codes can still be copied. */
  whyClosedId: string | undefined
  /** The server's time when the clock of `performance.now()` was zero: a wrong clock of this machine makes no mail older. */
  originMs: number
  onOpen: (id: string) => void
  onDelete: (id: string) => void
}

/** The list of messages, with the keys that move in it. */
export default function InboxRows({ inbox, whyClosedId, originMs, onOpen, onDelete }: InboxRowsProps) {
  const texts = useTexts('inbox')
  const list = useRef<HTMLUListElement>(null)
  const [selected, setSelected] = useState<string>()
  const { messages } = inbox
  const isOpening = whyClosedId === undefined

  function move(step: number): void {
    const at = messages.findIndex(message => message.id === selected)
    const next = messages[Math.min(messages.length - 1, Math.max(0, at + step))]
    if (!next) return
    setSelected(next.id)
    list.current?.querySelector<HTMLElement>(`[data-message="${CSS.escape(next.id)}"] button`)?.focus()
  }
  // Outside the list, the arrow keys scroll the page.
  const isInList = () => list.current?.contains(document.activeElement) ?? false
  const open = () => isOpening && selected !== undefined && onOpen(selected)
  async function copyNewestCode() {
    const code = messages.find(message => message.codes.length > 0)?.codes[0]
    if (code !== undefined && (await copyText(code))) showToast({ title: texts.copied, description: texts.codeCopied })
  }
  useShortcuts({
    j: () => move(1),
    ArrowDown: () => isInList() && move(1),
    k: () => move(-1),
    ArrowUp: () => isInList() && move(-1),
    o: open,
    x: () => void copyNewestCode(),
  })
  return (
    <>
      {/* Without markers WebKit takes it for no list, unless told. */}
      {/* biome-ignore lint/a11y/noRedundantRoles: as above */}
      <ul ref={list} role="list" data-testid="messages" className={isOpening ? undefined : 'opacity-70'}>
        {messages.map(message => (
          <InboxRow
            key={message.id}
            message={message}
            isUnread={inbox.unread.has(message.id)}
            isFresh={inbox.fresh.has(message.id)}
            isSelected={message.id === selected}
            whyClosedId={whyClosedId}
            originMs={originMs}
            onOpen={isOpening ? onOpen : nothing}
            onDelete={isOpening ? onDelete : nothing}
          />
        ))}
      </ul>
      {isEverySenderUnchecked(messages) && <p className="pt-3 text-muted text-sm">{texts.sendersUnchecked}</p>}
    </>
  )
}
