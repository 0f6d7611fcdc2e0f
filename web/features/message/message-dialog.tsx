import { type ComponentProps, type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import type { Message, MessageSummary } from '#contract/mailbox.ts'
import { Button, IconButton } from '#web/components/ui/button.tsx'
import { Dialog } from '#web/components/ui/dialog.tsx'
import { ChevronDown, Trash2 } from '#web/components/ui/icons.ts'
import { BadgeCheck, Code, Download, ExternalLink, FileText, FileType, Printer } from '#web/components/ui/lazy-icons.ts'
import { Menu, type MenuItem } from '#web/components/ui/menu.tsx'
import { readMessage, readRawMessage } from '#web/lib/api/message-routes.ts'
import { ProblemError, request, send } from '#web/lib/api/request.ts'
import { saveBytes } from '#web/lib/browser/save-file.ts'
import { useShortcuts } from '#web/lib/browser/shortcuts.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { showToast } from '#web/lib/notify/toasts.ts'
import { Attachments } from './attachments.tsx'
import { contentHeight } from './body/frame-document.ts'
import { useMailChoices } from './body/mail-choices.ts'
import { MailSkeleton } from './body/mail-skeleton.tsx'
import { type MenuView, MessageBody } from './body/message-body.tsx'
import { CodesAndLinks } from './codes-and-links.tsx'
import { InvitationCard, useCalendarFile } from './invitation-card.tsx'
import { MessageHead, messageTime } from './message-head.tsx'
import { isDoubtful, MessageWarnings } from './message-warnings.tsx'
import { ReportCard } from './report-card.tsx'

type Props = {
  token: string
  id: string
  /** Its row in the list: the verdict on the sender may arrive there while the message is open. */
  row: MessageSummary | undefined
  /** What the checks say of the sender stands beside the name. */
  isVerdictSaid: boolean
  /** Its address has ended: what can be seen of it dissolves, and then is gone. */
  ending: 'destroying' | 'gone' | undefined
  timeLeft: ReactNode
  /** The messages before and after it in the list. */
  previous: string | undefined
  next: string | undefined
  onTurn: (id: string) => void
  onClose: () => void
  onRead: (id: string) => void
  onDelete: (id: string) => void
  onGenerate: () => void
}

const TURN = 'aria-disabled:cursor-default aria-disabled:bg-transparent aria-disabled:text-muted aria-disabled:opacity-55'

/** One message: sender and verdict, code or link, text in every view, attachments. */
export default function MessageDialog(props: Props) {
  return props.ending === 'gone' ? <Gone {...props} /> : <OpenMessage {...props} />
}

function OpenMessage({ token, id, row, isVerdictSaid, ending, timeLeft, previous, next, onTurn, onClose, onRead, onDelete }: Props) {
  const texts = useTexts('message')
  const { language } = useLanguage()
  const { message: fetched, failure, isRestored, retry } = useMessage(token, id)
  const message = useMemo(() => fetched && withVerdict(fetched, row), [fetched, row])
  const known = message ?? (row && failure !== 'gone' && !isRestored ? fromRow(row) : undefined)
  /** The view of the mail that was chosen in the menu, until another mail is opened. */
  const [chosenView, setChosenView] = useState<ChosenView & { id: string }>()
  useEffect(() => onRead(id), [id, onRead])
  useEffect(fillOwnWindow, [])
  const turn = (to: string | undefined) => to !== undefined && onTurn(to)
  useShortcuts({ j: () => turn(next), k: () => turn(previous) }, 'dialog')

  async function downloadEml() {
    try {
      const response = await send(readRawMessage, { token, params: { id } })
      saveBytes(
        await response.arrayBuffer(),
        `${message?.subject.replace(/[^\p{L}\p{N} ._-]/gu, '').slice(0, 60) || 'message'}.eml`,
        'message/rfc822',
      )
    } catch (error) {
      console.warn(error)
      showToast({ variant: 'destructive', title: texts.downloadFailed, description: texts.downloadFailedText })
    }
  }
  const title = known ? known.subject.replace(/\s+/g, ' ').trim() || texts.noSubject : failure ? texts.unopened : texts.loading
  const printed = useMemo<PrintedWords | undefined>(() => {
    if (!message) return undefined
    const { from } = message
    const lines = [`${texts.from}: ${from.name} <${from.address}>`, `${texts.date}: ${messageTime(message, language)}`]
    return { subject: title, lines, partNote: texts.longMessage }
  }, [message, title, texts, language])
  const print = useCallback(() => printed && printMail(printed), [printed])
  useEffect(() => onPrintKey(print), [print])
  useEffect(() => printed && onPagePrint(printed), [printed])
  const show = (view: MenuView) => () => setChosenView(previous => ({ id, view, count: (previous?.count ?? 0) + 1 }))
  const items: MenuItem[] = [
    { label: texts.views.text, icon: <FileText aria-hidden="true" strokeWidth={1.5} />, act: show('text') },
    { label: texts.views.headers, icon: <FileType aria-hidden="true" strokeWidth={1.5} />, act: show('headers') },
    { label: texts.views.raw, icon: <Code aria-hidden="true" strokeWidth={1.5} />, act: show('raw') },
    { label: texts.check.title, icon: <BadgeCheck aria-hidden="true" strokeWidth={1.5} />, act: show('check') },
    { label: texts.downloadEml, icon: <Download aria-hidden="true" strokeWidth={1.5} />, act: () => void downloadEml() },
    ...(isOwnWindow()
      ? []
      : [{ label: texts.ownWindow, icon: <ExternalLink aria-hidden="true" strokeWidth={1.5} />, act: () => openOwnWindow(id) }]),
    { label: texts.print, icon: <Printer aria-hidden="true" strokeWidth={1.5} />, act: print },
    {
      label: texts.delete,
      icon: <Trash2 aria-hidden="true" strokeWidth={1.5} />,
      className: 'mt-1 border-line border-t text-muted',
      act: () => {
        onDelete(id)
        onClose()
      },
    },
  ]
  const isEnding = ending !== undefined
  const bar = (
    <>
      {timeLeft}
      {!isEnding && (
        <div className="ml-auto flex gap-x-1">
          {/* Not `disabled`, which would take the focus from whoever has turned to the last one. */}
          <IconButton label={texts.previous} aria-disabled={previous === undefined} className={TURN} onClick={() => turn(previous)}>
            <ChevronDown aria-hidden="true" className="rotate-180" strokeWidth={1.5} />
          </IconButton>
          <IconButton label={texts.next} aria-disabled={next === undefined} className={TURN} onClick={() => turn(next)}>
            <ChevronDown aria-hidden="true" strokeWidth={1.5} />
          </IconButton>
          {message && <Menu label={texts.more} items={items} />}
        </div>
      )}
    </>
  )

  return (
    <Dialog
      title={<bdi className="line-clamp-3 [overflow-wrap:anywhere] sm:line-clamp-4">{title}</bdi>}
      width="wide"
      onClose={isOwnWindow() ? () => window.close() : onClose}
      bar={bar}
      {...(isOwnWindow() && { className: 'sm:!mt-0 sm:!h-dvh sm:!max-h-none sm:!w-full sm:!rounded-none sm:!border-0' })}
    >
      {/* It fades as long as the address does, and for those who asked for less motion too. */}
      <div inert={isEnding} data-fades={isEnding || undefined} className={isEnding ? 'animate-fade-out' : undefined}>
        {known && (
          <MessageContent
            key={id}
            token={token}
            message={known}
            isRead={message !== undefined}
            isVerdictSaid={isVerdictSaid}
            chosenView={chosenView?.id === id ? chosenView : undefined}
          />
        )}
        {failure && (
          <div role="alert" className="flex flex-col items-start gap-4 px-5 py-6 sm:px-6">
            <p>{texts[failure]}</p>
            {failure !== 'gone' && <Button onClick={retry}>{texts.retry}</Button>}
          </div>
        )}
        {!message && !failure && (
          <div className={known && 'border-line border-t'}>
            <span role="status" className="sr-only">
              {texts.loading}
            </span>
            <MailSkeleton />
          </div>
        )}
      </div>
    </Dialog>
  )
}

/** In a dialog that opens. React has no attribute of its own for it. */
const takeFocus = (button: HTMLButtonElement | null) => button?.setAttribute('autofocus', '')

/** What is left of an open mail after the end of its address. */
function Gone({ onClose, onGenerate }: Pick<Props, 'onClose' | 'onGenerate'>) {
  const { destroyed } = useTexts('message')
  const { generate } = useTexts('mailbox')
  return (
    <Dialog title={destroyed} onClose={isOwnWindow() ? () => window.close() : onClose} className="night">
      <div className="px-5 pb-5 sm:px-6 sm:pb-6">
        <Button ref={takeFocus} variant="primary" size="lg" className="w-full" onClick={onGenerate}>
          {generate}
        </Button>
      </div>
    </Dialog>
  )
}

let ahead: { token: string; id: string; reply: Promise<Message> } | undefined

/** Requests the message at a press, before the dialog that shows it is there. It is forgotten when `signal` aborts. */
export function readAhead(token: string, id: string, signal: AbortSignal): void {
  const reply = request(readMessage, { token, params: { id }, signal })
  // A dialog that has taken it tells the failure, and a later one asks again.
  reply.catch(() => {
    if (ahead?.reply === reply) ahead = undefined
  })
  ahead = { token, id, reply }
  signal.addEventListener('abort', () => takeAhead(token, id), { once: true })
}

function takeAhead(token: string, id: string): Promise<Message> | undefined {
  const reply = ahead?.token === token && ahead.id === id ? ahead.reply : undefined
  ahead = undefined
  return reply
}

function useMessage(token: string, id: string) {
  const [message, setMessage] = useState<Message>()
  const [failure, setFailure] = useState<'gone' | 'busy' | 'failed'>()
  const [attempt, setAttempt] = useState(0)
  /** The page came back from the browser's memory. Its rows may be of a mailbox that is destroyed by now. */
  const [isRestored, setRestored] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry is a new attempt at the same thing
  useEffect(() => {
    const unmounted = new AbortController()
    setFailure(undefined)
    setMessage(undefined)
    const { signal } = unmounted
    const reply = takeAhead(token, id) ?? request(readMessage, { token, params: { id }, signal })
    reply.then(
      read => !signal.aborted && setMessage(read),
      error => !signal.aborted && setFailure(failureOf(error)),
    )
    return () => unmounted.abort()
  }, [token, id, attempt])
  useEffect(() => {
    const unmounted = new AbortController()
    const { signal } = unmounted
    // The browser may keep the page for Back, and shows what it had drawn: by then the mailbox may be destroyed.
    window.addEventListener('pagehide', ({ persisted }) => persisted && setPageHidden(true), { signal })
    const restore = () => {
      setRestored(true)
      setAttempt(n => n + 1)
    }
    window.addEventListener('pageshow', ({ persisted }) => persisted && restore(), { signal })
    return () => {
      unmounted.abort()
      setPageHidden(false)
    }
  }, [])
  useEffect(() => {
    if (!message) setPageHidden(false)
  }, [message])
  return { message: message?.id === id ? message : undefined, failure, isRestored, retry: () => setAttempt(n => n + 1) }
}

function setPageHidden(isHidden: boolean): void {
  document.documentElement.toggleAttribute('data-kept', isHidden)
}

function failureOf(error: unknown): 'gone' | 'busy' | 'failed' {
  if (!(error instanceof ProblemError)) return 'failed'
  if (error.status === 404) return 'gone'
  return error.code === 'rate_limited' ? 'busy' : 'failed'
}

/** A message that was fetched before its sender was checked gets the verdict of its row. */
function withVerdict(message: Message, row: MessageSummary | undefined): Message {
  if (message.authentication || !row?.authentication) return message
  const { authentication, verdict, verdictReason } = row
  return { ...message, authentication, verdict, verdictReason }
}

/** The row knows so much of a message. It is shown until the message is read, and where it cannot be. */
const fromRow = (row: MessageSummary): Message => ({
  ...row,
  attachments: [],
  envelopeFrom: row.from.address,
  to: [],
  cc: [],
  replyTo: [],
  headers: [],
  links: row.link ? [row.link] : [],
  allLinks: [],
  warnings: [],
})

/** `count` distinguishes choosing the same view again, since another one may have been chosen in between. */
type ChosenView = { view: MenuView; count: number }

type ContentProps = { token: string; message: Message; isRead: boolean; isVerdictSaid: boolean; chosenView: ChosenView | undefined }

function MessageContent({ token, message, isRead, isVerdictSaid, chosenView }: ContentProps) {
  const texts = useTexts('message')
  const [flagged, setFlagged] = useState<ComponentProps<typeof MessageWarnings>['flagged']>([])
  const [unshown, setUnshown] = useState<readonly number[]>([])
  const calendar = useCalendarFile(token, message)
  return (
    <article>
      <MessageHead message={message} isVerdictSaid={isVerdictSaid} isWarned={isDoubtful(message) || flagged.length > 0} />
      <MessageWarnings message={message} flagged={flagged} />
      <InvitationCard message={message} calendar={calendar} />
      {message.report && <ReportCard report={message.report} />}
      <CodesAndLinks message={message} />
      <Attachments
        token={token}
        message={message}
        unshown={unshown}
        inCard={calendar?.invitation === null ? undefined : calendar?.attachment}
      />
      {message.parseStatus !== 'ok' && (
        <p className="border-line border-t bg-sunken px-5 py-2.5 text-sm sm:px-6">
          {message.parseStatus === 'failed' ? texts.unreadable : texts.partial}
        </p>
      )}
      {/* The last child is always there, so that nothing above it moves when the message has been read. */}
      {isRead ? (
        <ReadBody token={token} message={message} chosenView={chosenView} onFlagged={setFlagged} onUnshown={setUnshown} />
      ) : (
        <div />
      )}
    </article>
  )
}

type ReadBodyProps = Pick<ContentProps, 'token' | 'message' | 'chosenView'> &
  Pick<ComponentProps<typeof MessageBody>, 'onFlagged' | 'onUnshown'>

/** Choices begin with what the message says of its sender, which its row may not know yet. */
function ReadBody({ chosenView, ...props }: ReadBodyProps) {
  const choices = useMailChoices(props.token, props.message)
  return <MessageBody key={chosenView?.count} {...props} chosenView={chosenView?.view} choices={choices} />
}

/** `!important` in the attribute outranks every rule the mail can write. */
const BOX_STYLE = 'all: initial !important; display: block !important; color: #000 !important; overflow-wrap: anywhere !important'
const HEAD_STYLE = `${BOX_STYLE}; padding-bottom: 8pt !important; margin-bottom: 12pt !important; border-bottom: 1px solid #000 !important`
const FOOT_STYLE = `${BOX_STYLE}; padding-top: 8pt !important; margin-top: 12pt !important; border-top: 1px solid #000 !important`

type PrintedWords = {
  readonly subject: string
  /** Sender and date, printed above the mail only. */
  readonly lines: readonly string[]
  /** Said above and below a long mail of which only the beginning is shown, and therefore printed. */
  readonly partNote: string
}

const openFrame = () => document.querySelector<HTMLIFrameElement>('dialog[open] iframe')

/**
 * Prints an open mail. Its frame is printed as its own document, so that pages break between lines; other views are printed with the page
 * around them (web/styles.css).
 */
function printMail(words: PrintedWords): void {
  const frame = openFrame()
  const mail = frame?.contentWindow
  if (!mail) {
    window.print()
    return
  }
  const restore = prepareFrame(frame, mail.document, words)
  mail.addEventListener('afterprint', restore, { once: true })
  mail.print()
}

/**
 * The browser's own command prints the page. No page breaks inside a frame's first lines, so below the subject it would begin on the second
 * sheet: while it is printed, the frame is all there is, with the subject inside.
 */
function onPagePrint(words: PrintedWords): () => void {
  const unmounted = new AbortController()
  const { signal } = unmounted
  let restore = () => {}
  const prepare = () => {
    const frame = openFrame()
    const inner = frame?.contentDocument
    if (!frame || !inner?.body) return
    const dialog = frame.closest('dialog')
    const restoreFrame = prepareFrame(frame, inner, words)
    dialog?.toggleAttribute('data-prints-frame', true)
    frame.style.height = `${Math.ceil(contentHeight(inner))}px`
    restore = () => {
      restoreFrame()
      dialog?.toggleAttribute('data-prints-frame', false)
    }
  }
  window.addEventListener('beforeprint', prepare, { signal })
  window.addEventListener('afterprint', () => restore(), { signal })
  return () => unmounted.abort()
}

/** Writes what is printed around the mail into its frame. Returns what takes it out again. */
function prepareFrame(frame: HTMLIFrameElement, inner: Document, { subject, lines, partNote }: PrintedWords): () => void {
  const isPart = frame.dataset.part !== undefined
  const head = textBox(inner, HEAD_STYLE, [subject, ...lines, ...(isPart ? [partNote] : [])], '600 15pt')
  const foot = isPart ? textBox(inner, FOOT_STYLE, [partNote], '11pt') : undefined
  inner.body.before(head)
  if (foot) inner.body.after(foot)
  const folded = Array.from(inner.querySelectorAll<HTMLDetailsElement>('details:not([open])'))
  for (const quote of folded) quote.open = true
  const { zoom } = inner.body.style
  inner.body.style.zoom = ''
  return () => {
    head.remove()
    foot?.remove()
    for (const quote of folded) quote.open = false
    inner.body.style.zoom = zoom
  }
}

/** `firstFont` is the size and weight of the first line. */
function textBox(inner: Document, style: string, lines: readonly string[], firstFont: string): HTMLElement {
  const box = inner.createElement('div')
  box.setAttribute('style', style)
  for (const [at, text] of lines.entries()) {
    const line = inner.createElement('div')
    line.setAttribute('style', `${BOX_STYLE}; font: ${at === 0 ? firstFont : '11pt'}/1.4 system-ui, sans-serif !important`)
    line.textContent = text
    box.append(line)
  }
  return box
}

/** The browser's own key for printing prints the mail while one is open: a frame in a printed page is cut at the edge of the sheet. */
function onPrintKey(print: () => void): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'p' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
    event.preventDefault()
    print()
  }
  window.addEventListener('keydown', onKey)
  return () => window.removeEventListener('keydown', onKey)
}

const PREFIX = 'mayfly-mail-'

function isOwnWindow(): boolean {
  return window.name.startsWith(PREFIX)
}

/** Opens a mail in its own window: the same page at the same mail, which the dialog fills. Opening it again brings the window to the
 * front. */
function openOwnWindow(id: string): void {
  window
    .open(`${location.pathname}${location.search}#message-${encodeURIComponent(id)}`, PREFIX + id, 'popup,width=820,height=900')
    ?.focus()
}

/** The page behind the mail does not scroll there, so it needs no scroll bar. */
function fillOwnWindow(): void {
  if (!isOwnWindow()) return
  const { style } = document.documentElement
  style.overflow = 'hidden'
  style.scrollbarGutter = 'auto'
}
