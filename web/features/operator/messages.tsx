import { useCallback, useEffect, useState } from 'react'
import { type OperatorMessages, type OperatorReply, REPLY_CHARS_MAX } from '#contract/operator.ts'
import { NamesUnbroken } from '#web/components/ui/address.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Dialog } from '#web/components/ui/dialog.tsx'
import { Field, Form, TextArea } from '#web/components/ui/field.tsx'
import {
  closeAbuseReport,
  listOperatorMessages,
  readAbuseReport,
  readContactMessage,
  readOperatorMail,
  sendReply,
} from '#web/lib/api/operator-routes.ts'
import { request, send } from '#web/lib/api/request.ts'
import { dateAndTime } from '#web/lib/i18n/date-and-time.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { useAttempt } from './attempt.ts'

type About = OperatorReply['about']
type Row = {
  about: About
  id: number
  title: string
  from: string
  /** Missing for mail, which is parsed when it is opened. */
  excerpt?: string
  receivedAt: string
  isRead: boolean
  isClosed?: boolean
}

/** All messages to the operator. Their content is always shown as plain text. */
export function Messages({ canReply, onRead }: { canReply: boolean; onRead: () => void }) {
  const { inbox: words } = useTexts('operator')
  const attempt = useAttempt()
  const [messages, setMessages] = useState<OperatorMessages>()
  const [opened, setOpened] = useState<Row>()
  const load = useCallback(() => attempt(async () => setMessages(await request(listOperatorMessages, {}))), [attempt])
  useEffect(() => void load(), [load])
  if (!messages) return null

  const kinds: Readonly<Record<string, string>> = words.kinds
  const lists: [title: string, rows: Row[]][] = [
    [
      words.reports,
      messages.reports.map(({ kind, address, ...row }) => ({ about: 'report', title: kinds[kind] ?? words.sealed, from: address, ...row })),
    ],
    [
      words.contact,
      messages.contact.map(({ subject, name, email, ...row }) => ({
        about: 'contact',
        title: subject,
        from: `${name} <${email}>`,
        ...row,
      })),
    ],
    [words.mail, messages.mail.map(({ recipient, ...row }) => ({ about: 'mail', title: recipient || words.sealed, ...row }))],
  ]
  return (
    <>
      {lists.map(([title, rows]) => (
        <section key={title} className="mt-8">
          <h2 className="mb-2 text-lg">{title}</h2>
          {rows.length === 0 && <p className="text-muted">{words.none}</p>}
          <ul className="divide-y divide-line">
            {rows.map(row => (
              <MessageRow key={row.id} row={row} onOpen={() => setOpened(row)} />
            ))}
          </ul>
        </section>
      ))}
      {opened && (
        <MessageDialog
          row={opened}
          canReply={canReply}
          onClose={() => {
            setOpened(undefined)
            void load()
            onRead()
          }}
        />
      )}
    </>
  )
}

function MessageRow({ row, onOpen }: { row: Row; onOpen: () => void }) {
  const { inbox: words } = useTexts('operator')
  const { language } = useLanguage()
  return (
    <li>
      <button type="button" onClick={onOpen} className="relative w-full py-3 pr-2 pl-4 text-left hover:bg-sunken">
        {!row.isRead && (
          <>
            <span className="sr-only">{`${words.isNew}. `}</span>
            <span
              aria-hidden="true"
              className="absolute top-[1.4375rem] left-0.5 size-1.5 rounded-full bg-dusk forced-colors:bg-[CanvasText]"
            />
          </>
        )}
        <span className={`block [overflow-wrap:anywhere] ${row.isRead ? '' : 'font-semibold'}`}>{row.title}</span>
        {row.excerpt && <span className="block truncate text-muted">{row.excerpt}</span>}
        <span className="block text-muted text-sm [overflow-wrap:anywhere]">
          <NamesUnbroken
            text={[row.isClosed && words.closed, row.from, dateAndTime(row.receivedAt, language)].filter(Boolean).join(' · ')}
          />
        </span>
      </button>
    </li>
  )
}

type Shown = {
  from: string
  subject: string
  text: string
  /** Empty if nobody can be answered. */
  replyTo: string
  /** The sender's domain, if the answer goes to another one. */
  senderDomain?: string
}

const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1).toLowerCase()

async function readMessage(about: About, id: number): Promise<Shown> {
  const params = { id }
  if (about === 'contact') {
    const { name, email, subject, message } = await request(readContactMessage, { params })
    return { from: `${name} <${email}>`, subject, text: message, replyTo: email }
  }
  if (about === 'mail') {
    const mail = await request(readOperatorMail, { params })
    const senderDomain = domainOf(mail.from)
    return { ...mail, ...(senderDomain !== '' && senderDomain !== domainOf(mail.replyTo) && { senderDomain }) }
  }
  const { email = '', address, message } = await request(readAbuseReport, { params })
  return { from: email, subject: address, text: message, replyTo: email }
}

/** One message as plain text, and the form to answer it. */
function MessageDialog({ row, canReply, onClose }: { row: Row; canReply: boolean; onClose: () => void }) {
  const { about, id } = row
  const canClose = about === 'report' && !row.isClosed
  const { inbox: words } = useTexts('operator')
  const { language } = useLanguage()
  const attempt = useAttempt()
  const [message, setMessage] = useState<Shown>()
  const [reply, setReply] = useState('')
  useEffect(() => void attempt(async () => setMessage(await readMessage(about, id))), [attempt, about, id])

  async function answer() {
    if (await attempt(() => send(sendReply, { json: { about, id, text: reply } }), words.sent)) onClose()
  }
  async function close() {
    if (await attempt(() => send(closeAbuseReport, { params: { id } }))) onClose()
  }

  return (
    <Dialog width="wide" title={message?.subject || words.about} onClose={onClose}>
      <div className="flex flex-col gap-4 px-5 py-5 sm:px-6">
        {message && (
          <>
            <p className="text-muted text-sm [overflow-wrap:anywhere]">
              <NamesUnbroken
                text={[message.from !== '' && `${words.from} ${message.from}`, dateAndTime(row.receivedAt, language)]
                  .filter(Boolean)
                  .join(' · ')}
              />
            </p>
            <pre className="whitespace-pre-wrap rounded-md bg-sunken p-4 font-sans [overflow-wrap:anywhere]">{message.text}</pre>
          </>
        )}
        {canClose && (
          <Button className="self-start" onClick={() => void close()}>
            {words.close}
          </Button>
        )}
        {!canReply && <p className="text-muted text-sm">{words.noRelay}</p>}
        {canReply && message?.replyTo === '' && <p className="text-muted text-sm">{words.noReplyTo}</p>}
        {canReply && message && message.replyTo !== '' && (
          <Form onSubmit={answer}>
            <p className="[overflow-wrap:anywhere]">
              <NamesUnbroken text={words.replyTo({ address: message.replyTo })} />
            </p>
            {message.senderDomain !== undefined && (
              <p className="text-ember-ink text-sm [overflow-wrap:anywhere]">
                <NamesUnbroken text={words.otherDomain({ domain: message.senderDomain })} />
              </p>
            )}
            <Field label={words.reply} hint={words.replyHint}>
              <TextArea maxLength={REPLY_CHARS_MAX} value={reply} onChange={event => setReply(event.target.value)} />
            </Field>
            <Button type="submit" variant="primary" className="mt-2" disabled={reply.trim() === ''}>
              {words.send}
            </Button>
          </Form>
        )}
      </div>
    </Dialog>
  )
}
