import { Code, Download, FileText, Printer, Trash2 } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { Message } from '#contract/mailbox.ts'
import { Button } from '#web/components/ui/button.tsx'
import { CopyButton } from '#web/components/ui/copy-button.tsx'
import { Dialog } from '#web/components/ui/dialog.tsx'
import { IconButton } from '#web/components/ui/icon-button.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { Tabs } from '#web/components/ui/tabs.tsx'
import { ProblemError, readMessage, readRaw } from '#web/lib/api.ts'
import { useLanguage, useTexts } from '#web/lib/i18n.tsx'
import { saveBytes } from '#web/lib/save-file.ts'
import { showToast } from '#web/lib/toasts.ts'
import { Attachments } from './attachments.tsx'
import { bodyForms } from './body-forms.ts'
import { HeadersView } from './headers-view.tsx'
import { judgeLink } from './link-target.ts'
import { RawView } from './raw-view.tsx'
import { TextView } from './text-view.tsx'
import { VerdictLine } from './verdict.tsx'

const HtmlView = lazy(() => import('./html-view.tsx'))

type Props = { token: string; id: string; onClose: () => void; onRead: (id: string) => void; onRemove: (id: string) => void }

/** One mail, whole: who sent it and how sure that is, what can be taken from it at once, its text in every form, its attachments. */
export default function MessageDialog({ token, id, onClose, onRead, onRemove }: Props) {
  const texts = useTexts('message')
  const { message, failure, retry } = useMessage(token, id)
  useEffect(() => onRead(id), [id, onRead])

  async function downloadEml() {
    try {
      saveBytes(
        await readRaw(token, id),
        `${message?.subject.replace(/[^\p{L}\p{N} ._-]/gu, '').slice(0, 60) || 'message'}.eml`,
        'message/rfc822',
      )
    } catch (error) {
      console.warn(error)
      showToast({ variant: 'destructive', title: texts.downloadFailed, description: texts.downloadFailedText })
    }
  }
  const actions = message && (
    <>
      <IconButton label={texts.downloadEml} onClick={downloadEml}>
        <Download aria-hidden="true" strokeWidth={1.5} />
      </IconButton>
      <IconButton label={texts.print} onClick={printMessage} className="max-sm:hidden">
        <Printer aria-hidden="true" strokeWidth={1.5} />
      </IconButton>
      <IconButton
        label={texts.remove}
        onClick={() => {
          onRemove(id)
          onClose()
        }}
      >
        <Trash2 aria-hidden="true" strokeWidth={1.5} />
      </IconButton>
    </>
  )
  const title = message ? message.subject || texts.noSubject : texts.loading

  return (
    <Dialog title={<bdi className="line-clamp-4 [overflow-wrap:anywhere]">{title}</bdi>} width="wide" onClose={onClose} actions={actions}>
      {message && <Whole token={token} message={message} />}
      {failure && (
        <div role="alert" className="flex flex-col items-start gap-4 px-6 py-8">
          <p>{failure === 'gone' ? texts.gone : texts.failed}</p>
          {failure === 'failed' && <Button onClick={retry}>{texts.retry}</Button>}
        </div>
      )}
      {!message && !failure && (
        <div role="status" className="space-y-3 px-6 py-6">
          <span className="sr-only">{texts.loading}</span>
          <Skeleton className="h-4 w-2/5" />
          <Skeleton className="h-4 w-4/5" />
          <Skeleton className="h-4 w-3/5" />
        </div>
      )}
    </Dialog>
  )
}

function printMessage(): void {
  const frame = document.querySelector<HTMLIFrameElement>('dialog iframe')
  // The mail alone, at its full length; the page around it has nothing to add on paper.
  ;(frame?.contentWindow ?? window).print()
}

function useMessage(token: string, id: string) {
  const [message, setMessage] = useState<Message>()
  const [failure, setFailure] = useState<'gone' | 'failed'>()
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry is a new attempt at the same thing
  useEffect(() => {
    const left = new AbortController()
    setFailure(undefined)
    readMessage(token, id, left.signal).then(setMessage, error => {
      if (!left.signal.aborted) setFailure(error instanceof ProblemError && error.status === 404 ? 'gone' : 'failed')
    })
    return () => left.abort()
  }, [token, id, attempt])
  return { message, failure, retry: () => setAttempt(n => n + 1) }
}

function Whole({ token, message }: { token: string; message: Message }) {
  const texts = useTexts('message')
  return (
    <article>
      <Head message={message} />
      <Takeaways message={message} />
      {message.parseStatus !== 'ok' && (
        <p className="border-line border-t bg-sunken px-5 py-2.5 text-sm sm:px-6">
          {message.parseStatus === 'failed' ? texts.unreadable : texts.partial}
        </p>
      )}
      <Body token={token} message={message} />
      <Attachments token={token} messageId={message.id} attachments={message.attachments} />
    </article>
  )
}

function Head({ message }: { message: Message }) {
  const texts = useTexts('message')
  const { language } = useLanguage()
  const { from, envelopeFrom } = message
  const isOther = envelopeFrom !== '' && envelopeFrom.toLowerCase() !== from.address.toLowerCase()
  const date = new Date(message.date ?? message.receivedAt)
  const time = Number.isNaN(date.getTime())
    ? ''
    : new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(date)
  return (
    <div className="flex flex-col gap-1.5 px-5 py-4 sm:px-6">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <p className="min-w-0 [overflow-wrap:anywhere]">
          <bdi className="font-medium">{from.name || from.address || texts.noSender}</bdi>
          {from.name !== '' && from.address !== '' && (
            <>
              {' '}
              <bdi className="text-muted text-sm">{`<${from.address}>`}</bdi>
            </>
          )}
        </p>
        <time dateTime={message.date ?? message.receivedAt} className="figures text-muted text-sm">
          {time}
        </time>
      </div>
      {isOther && (
        <p className="text-muted text-sm [overflow-wrap:anywhere]">
          <bdi>{texts.sentBy({ address: envelopeFrom })}</bdi>
        </p>
      )}
      {envelopeFrom === '' && <p className="text-muted text-sm">{texts.deliveryReport}</p>}
      <VerdictLine message={message} />
    </div>
  )
}

/** Codes and confirmation links, before anything has to be read (decision 17). */
function Takeaways({ message }: { message: Message }) {
  const texts = useTexts('message')
  if (message.codes.length === 0 && message.links.length === 0) return null
  return (
    <div className="flex flex-col gap-3 border-line border-t bg-river-wash px-5 py-3 sm:px-6" data-print="never">
      {message.codes.length > 0 && (
        <ul aria-label={texts.codes} className="flex flex-wrap gap-x-6 gap-y-2">
          {message.codes.slice(0, 3).map(code => (
            <li key={code} className="flex items-center gap-3">
              <span className="font-medium font-mono text-lg tracking-wide">{code}</span>
              <CopyButton text={code}>{texts.copyFirstCode}</CopyButton>
            </li>
          ))}
        </ul>
      )}
      {message.links.length > 0 && (
        <ul aria-label={texts.links} className="flex flex-col gap-2">
          {message.links.slice(0, 3).map(link => (
            <li key={link.url} className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <a
                href={link.url}
                title={link.url}
                target="_blank"
                rel="noopener noreferrer nofollow"
                className="text-link min-w-0 [overflow-wrap:anywhere]"
              >
                {link.label || texts.openLink({ host: judgeLink(link.url, '').host })}
              </a>
              <span className="text-muted text-sm">{judgeLink(link.url, '').host}</span>
              <CopyButton text={link.url} variant="quiet">
                {texts.copyLink}
              </CopyButton>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

type View = 'simple' | 'layout' | 'text' | 'headers' | 'raw'

function Body({ token, message }: { token: string; message: Message }) {
  const texts = useTexts('message')
  const { html, text } = bodyForms(message)
  const [view, show] = useState<View>(html !== undefined ? 'simple' : message.parseStatus === 'failed' ? 'raw' : 'text')
  const htmlView = (which: 'simple' | 'layout') =>
    html === undefined
      ? []
      : [
          {
            name: which,
            label: texts.views[which],
            panel: (
              <Suspense fallback={<div className="min-h-48" />}>
                <HtmlView token={token} message={message} html={html} view={which} onShowLayout={() => show('layout')} />
              </Suspense>
            ),
          },
        ]
  const tabs = [
    ...htmlView('simple'),
    ...htmlView('layout'),
    { name: 'text' as const, label: icon(FileText, texts.views.text), panel: <TextView text={text} html={html} /> },
    { name: 'headers' as const, label: texts.views.headers, panel: <HeadersView headers={message.headers} /> },
    { name: 'raw' as const, label: icon(Code, texts.views.raw), panel: <RawView token={token} id={message.id} /> },
  ]
  return (
    <div className="border-line border-t [&_[role=tablist]]:overflow-x-auto [&_[role=tablist]]:px-5 [&_[role=tab]]:whitespace-nowrap sm:[&_[role=tablist]]:px-6">
      <Tabs<View> label={texts.views.label} tabs={tabs} selected={view} onSelect={show} />
    </div>
  )
}

function icon(Icon: typeof Code, label: string) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <Icon aria-hidden="true" className="size-4" strokeWidth={1.5} />
      {label}
    </span>
  )
}
