import { lazy, type ReactNode, Suspense, useCallback, useEffect, useState } from 'react'
import type { Authentication, Message } from '#contract/mailbox.ts'

import { Button } from '#web/components/ui/button.tsx'
import { Dialog } from '#web/components/ui/dialog.tsx'
import { IconButton } from '#web/components/ui/icon-button.tsx'
import { Code, Download, FileText, Printer, Trash2 } from '#web/components/ui/icons.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { Tabs } from '#web/components/ui/tabs.tsx'
import { ProblemError, readMessage, readRaw } from '#web/lib/api/mailbox-api.ts'
import { saveBytes } from '#web/lib/browser/save-file.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { showToast } from '#web/lib/notify/toasts.ts'
import { Attachments } from './attachments/attachments.tsx'
import { onPrintKey, printMail } from './frame/print-mail.ts'
import { CodesAndLinks } from './links/codes-and-links.tsx'
import { MessageHead, messageTime } from './message-head.tsx'
import { bodyForms } from './views/body-forms.ts'
import { HeadersView } from './views/headers-view.tsx'
import { preferredView, rememberView } from './views/preferred-view.ts'
import { RawView } from './views/raw-view.tsx'
import { TextView } from './views/text-view.tsx'

const HtmlView = lazy(() => import('./views/html-view.tsx'))

type Props = {
  token: string
  id: string
  /** The verdict on the sender, which may become known while the mail is open. */
  authentication: Authentication | undefined
  /** How long the mail still lives. */
  timeLeft: ReactNode
  onClose: () => void
  onRead: (id: string) => void
  onRemove: (id: string) => void
}

/** One mail, whole: who sent it and how sure that is, what can be taken from it at once, its text in every form, its attachments. */
export default function MessageDialog({ token, id, authentication, timeLeft, onClose, onRead, onRemove }: Props) {
  const texts = useTexts('message')
  const { language } = useLanguage()
  const { message: fetched, failure, retry } = useMessage(token, id)
  const message = fetched && !fetched.authentication && authentication ? { ...fetched, authentication } : fetched
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
  const title = message ? message.subject || texts.noSubject : texts.loading
  const print = useCallback(() => {
    if (!message) return
    const { from } = message
    printMail(title, [`${texts.from}: ${from.name} <${from.address}>`, `${texts.date}: ${messageTime(message, language)}`])
  }, [message, title, texts, language])
  useEffect(() => onPrintKey(print), [print])
  const actions = message && (
    <>
      <IconButton label={texts.downloadEml} onClick={downloadEml}>
        <Download aria-hidden="true" strokeWidth={1.5} />
      </IconButton>
      <IconButton label={texts.print} onClick={print} className="max-sm:hidden">
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

  return (
    <Dialog title={<bdi className="line-clamp-4 [overflow-wrap:anywhere]">{title}</bdi>} width="wide" onClose={onClose} actions={actions}>
      {timeLeft}
      {message && <MessageContent token={token} message={message} />}
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

function MessageContent({ token, message }: { token: string; message: Message }) {
  const texts = useTexts('message')
  return (
    <article>
      <MessageHead message={message} />
      <CodesAndLinks message={message} />
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

type View = 'simple' | 'layout' | 'text' | 'headers' | 'raw'

function Body({ token, message }: { token: string; message: Message }) {
  const texts = useTexts('message')
  const { html, text } = bodyForms(message)
  const [view, setView] = useState<View>(html !== undefined ? preferredView() : message.parseStatus === 'failed' ? 'raw' : 'text')
  const show = (chosen: View) => {
    if (chosen === 'simple' || chosen === 'layout') rememberView(chosen)
    setView(chosen)
  }
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
