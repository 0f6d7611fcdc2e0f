import { useCallback, useEffect, useState } from 'react'
import type { OperatorMessages, OperatorReply } from '#contract/operator.ts'
import { listMessages } from '#web/lib/api/operator-api.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { useAttempt } from './attempt.ts'
import { MessageDialog } from './message-dialog.tsx'

type About = OperatorReply['about']
type Row = { about: About; id: number; title: string; from: string; receivedAt: string; isRead: boolean; isClosed?: boolean }
type MessagesProps = { canReply: boolean; onRead: () => void }

/** All messages to the operator. Their content is always shown as plain text. */
export function Messages({ canReply, onRead }: MessagesProps) {
  const { inbox: words } = useTexts('operator')
  const attempt = useAttempt()
  const [messages, setMessages] = useState<OperatorMessages>()
  const [opened, setOpened] = useState<Row>()
  const load = useCallback(() => attempt(async () => setMessages(await listMessages())), [attempt])
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
          about={opened.about}
          id={opened.id}
          canClose={opened.about === 'report' && !opened.isClosed}
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
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
  const state = row.isClosed ? words.closed : row.isRead ? undefined : words.isNew
  return (
    <li>
      <button type="button" onClick={onOpen} className="w-full py-3 text-left hover:bg-sunken">
        <span className={`block [overflow-wrap:anywhere] ${row.isRead ? '' : 'font-medium'}`}>{row.title}</span>
        <span className="block text-muted text-sm [overflow-wrap:anywhere]">
          {[state, row.from, date.format(new Date(row.receivedAt))].filter(Boolean).join(' · ')}
        </span>
      </button>
    </li>
  )
}
