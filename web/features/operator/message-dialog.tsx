import { useEffect, useState } from 'react'
import type { OperatorReply } from '#contract/operator.ts'
import { REPLY_CHARS_MAX } from '#contract/operator.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Dialog } from '#web/components/ui/dialog.tsx'
import { Field, TextArea } from '#web/components/ui/field.tsx'
import { closeReport, readMessage, sendReply } from '#web/lib/api/operator-api.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { useAttempt } from './attempt.ts'

type Props = { about: OperatorReply['about']; id: number; canClose: boolean; canReply: boolean; onClose: () => void }

/** One message as plain text, and the form to answer it. */
export function MessageDialog({ about, id, canClose, canReply, onClose }: Props) {
  const { inbox: words } = useTexts('operator')
  const attempt = useAttempt()
  const [message, setMessage] = useState<Awaited<ReturnType<typeof readMessage>>>()
  const [reply, setReply] = useState('')
  useEffect(() => void attempt(async () => setMessage(await readMessage(about, id))), [attempt, about, id])

  async function send() {
    if (await attempt(() => sendReply({ about, id, text: reply }), words.sent)) onClose()
  }
  async function close() {
    if (await attempt(() => closeReport(id))) onClose()
  }

  return (
    <Dialog width="wide" title={message?.subject || words.about} onClose={onClose}>
      <div className="flex flex-col gap-4 px-5 py-5 sm:px-6">
        {message && (
          <>
            {message.from !== '' && <p className="text-muted text-sm [overflow-wrap:anywhere]">{`${words.from} ${message.from}`}</p>}
            <pre className="whitespace-pre-wrap rounded-md bg-sunken p-4 font-sans [overflow-wrap:anywhere]">{message.text}</pre>
          </>
        )}
        {canClose && (
          <Button className="self-start" onClick={() => void close()}>
            {words.close}
          </Button>
        )}
        {canReply ? (
          <form
            noValidate
            onSubmit={event => {
              event.preventDefault()
              void send()
            }}
          >
            <Field label={words.reply} hint={words.replyHint}>
              {control => (
                <TextArea {...control} maxLength={REPLY_CHARS_MAX} value={reply} onChange={event => setReply(event.target.value)} />
              )}
            </Field>
            <Button type="submit" className="mt-2" disabled={reply.trim() === ''}>
              {words.send}
            </Button>
          </form>
        ) : (
          <p className="text-muted text-sm">{words.noRelay}</p>
        )}
      </div>
    </Dialog>
  )
}
