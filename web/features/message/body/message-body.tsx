import { type ComponentProps, useCallback, useEffect, useRef, useState } from 'react'
import type { Message } from '#contract/mailbox.ts'
import { lazyPart } from '#web/components/layout/lazy-part.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Skeleton } from '#web/components/ui/status-dot.tsx'
import { Tabs } from '#web/components/ui/tabs.tsx'
import { readRawMessage } from '#web/lib/api/message-routes.ts'
import { send } from '#web/lib/api/request.ts'
import { localStore, readStored, writeStored } from '#web/lib/browser/storage.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { oneOf } from '#web/lib/shape.ts'
import { formatSize } from '../attachments.tsx'
import { isDoubtful } from '../message-warnings.tsx'
import { bodyForms, isEncrypted } from './body-forms.ts'
import { splitDirections } from './directions.ts'
import type { MailChoices } from './mail-choices.ts'
import { MailSkeleton } from './mail-skeleton.tsx'
import type { MailView } from './sanitize.ts'
import { keepSpareFrame } from './spare-frame.ts'
import { TextView } from './text-view.tsx'

const HtmlView = lazyPart(() => import('./html-view.tsx'), 'default', <MailSkeleton />)
/** Called when a mail arrives, so that its words are there soon after a press. */
export function preloadHtmlView(): Promise<void> {
  keepSpareFrame()
  return HtmlView.preload()
}
const CheckView = lazyPart(() => import('./check-view.tsx'), 'default', <div className="min-h-48" />)

/** The rarely used views, which the menu adds as tabs. */
export type MenuView = 'text' | 'headers' | 'raw' | 'check'
type View = 'simple' | 'layout' | MenuView

type Flagged = Parameters<ComponentProps<typeof HtmlView>['onFlagged']>[0]

type Props = {
  token: string
  message: Message
  chosenView: MenuView | undefined
  choices: MailChoices
} & Pick<ComponentProps<typeof HtmlView>, 'onFlagged' | 'onUnshown'>

/** The mail's text: HTML simple or in its original layout, everything else as plain text. */
export function MessageBody({ token, message, chosenView, choices, onFlagged, onUnshown }: Props) {
  const texts = useTexts('message')
  // The words of a report stand above, in the visitor's language.
  const { report, text: whole } = message
  const { html, text } = bodyForms(
    report ? { ...message, htmlText: undefined, text: whole?.replace(report.text, '').trimStart() } : message,
  )
  const own: View =
    html !== undefined ? (isDoubtful(message) ? 'simple' : preferredView()) : message.parseStatus === 'failed' ? 'raw' : 'text'
  const [view, setView] = useState<View>(chosenView ?? own)
  const hasChosen = useRef(chosenView !== undefined)
  const show = (chosen: View) => {
    hasChosen.current = true
    if (chosen === 'simple' || chosen === 'layout') rememberView(chosen)
    setView(chosen)
  }
  const isRead = useRef(false)
  // A mail with a warning opens in the view that is hardest to deceive with. One that comes while it is read moves nothing.
  const noteFlagged = useCallback(
    (flagged: Flagged) => {
      if (flagged.length > 0 && !hasChosen.current && !isRead.current) setView('simple')
      isRead.current = true
      onFlagged(flagged)
    },
    [onFlagged],
  )
  const [menuView, setMenuView] = useState(chosenView)
  const showSource = () => {
    setMenuView('raw')
    setView('raw')
  }
  const [isShrunk, setIsShrunk] = useState(false)
  const { isZoomed, choose } = choices
  const panel = (name: View) => {
    if (name === 'headers') return <HeadersView headers={message.headers} />
    if (name === 'check') return <CheckView message={message} />
    if (name === 'raw') return <RawView token={token} id={message.id} />
    if (name === 'text' || html === undefined)
      return <TextView text={text} emptyNote={report ? '' : isEncrypted(message.headers) ? texts.encrypted : texts.empty} />
    return (
      <HtmlView
        token={token}
        message={message}
        html={html}
        view={name}
        choices={choices}
        onShrunk={setIsShrunk}
        onSource={showSource}
        onFlagged={noteFlagged}
        onUnshown={onUnshown}
      />
    )
  }
  const names = new Set<View>(html === undefined ? [own] : ['simple', 'layout'])
  if (menuView) names.add(menuView)
  const zoom = view === 'layout' && (isShrunk || isZoomed) && (
    <Button variant="quiet" className="-me-2 ms-auto max-sm:text-sm" onClick={() => choose({ isZoomed: !isZoomed })}>
      {isZoomed ? texts.fitWidth : texts.zoom}
    </Button>
  )
  const tabs = Array.from(names, name => ({ name, label: texts.views[name], panel: panel(name) }))
  return (
    <div className="border-line border-t [&_[data-tabs]]:px-5 sm:[&_[data-tabs]]:px-6 max-sm:[&_[role=tab]]:min-h-11">
      {tabs.length === 1 ? panel(own) : <Tabs<View> label={texts.views.label} tabs={tabs} selected={view} onSelect={show} aside={zoom} />}
    </div>
  )
}

const KEY = 'mayfly.mail-view'

/** The view of HTML mail that the visitor chose last. Until then the simple one. */
function preferredView(): MailView {
  return readStored(localStore, KEY, oneOf('simple', 'layout')) ?? 'simple'
}

function rememberView(view: MailView): void {
  writeStored(localStore, KEY, view)
}

function HeadersView({ headers }: { headers: Message['headers'] }) {
  // A name may occur twice, so the position in the list is the only key.
  const rows = headers.map((header, at) => ({ ...header, at }))
  return (
    <dl className="divide-y divide-line px-5 py-2 text-sm sm:px-6" data-testid="headers">
      {rows.map(({ name, value, at }) => (
        <div key={at} className="grid gap-x-4 py-2 sm:grid-cols-[11rem_minmax(0,1fr)]">
          <dt className="text-muted [overflow-wrap:anywhere]">{name}</dt>
          <dd className="whitespace-pre-line font-mono [overflow-wrap:anywhere]">{splitDirections(value).join('\n')}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Anything larger should be downloaded, because a page that is nothing but base64 helps nobody. */
const SHOWN_BYTES_MAX = 512 * 1024

/** The raw message as text. Bytes outside of ASCII are shown as windows-1252; the .eml file has them exactly. */
function RawView({ token, id }: { token: string; id: string }) {
  const texts = useTexts('message')
  const { language } = useLanguage()
  const [raw, setRaw] = useState<{ text: string; bytes: number }>()
  const [isFailed, setIsFailed] = useState(false)
  useEffect(() => {
    const unmounted = new AbortController()
    const read = async () => (await send(readRawMessage, { token, params: { id }, signal: unmounted.signal })).arrayBuffer()
    read().then(
      bytes => setRaw({ text: new TextDecoder('windows-1252').decode(bytes.slice(0, SHOWN_BYTES_MAX)), bytes: bytes.byteLength }),
      () => !unmounted.signal.aborted && setIsFailed(true),
    )
    return () => unmounted.abort()
  }, [token, id])
  if (isFailed) return <p className="px-5 py-6 sm:px-6">{texts.failed}</p>
  if (!raw) return <Skeleton className="m-6 h-24" />
  return (
    <>
      {raw.bytes > SHOWN_BYTES_MAX && (
        <p className="px-5 pt-3 text-muted text-sm sm:px-6">{texts.rawTooLarge({ size: formatSize(raw.bytes, language) })}</p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <pre tabIndex={0} className="overflow-x-auto px-5 py-4 font-mono text-sm [content-visibility:auto] sm:px-6" data-testid="raw">
        {raw.text}
      </pre>
    </>
  )
}
