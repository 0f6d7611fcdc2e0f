import { useEffect, useState } from 'react'
import type { Attachment, Message } from '#contract/mailbox.ts'
import { CALENDAR_BYTES_MAX, calendarFilename, isCalendar } from '#reader/invitation/calendar-part.ts'
import type { CalendarEvent, Invitation } from '#reader/invitation/invitation.ts'
import { displayHost } from '#reader/links/judge-link.ts'
import { NamesUnbroken } from '#web/components/ui/address.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Calendar, Download, ExternalLink } from '#web/components/ui/lazy-icons.ts'
import { readAttachment } from '#web/lib/api/message-routes.ts'
import { send } from '#web/lib/api/request.ts'
import { saveBytes } from '#web/lib/browser/save-file.ts'
import { regional } from '#web/lib/i18n/date-and-time.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { eventTimePieces, purpose, recurrenceSentence } from './invitation-words.ts'
import { isLinkTrusted } from './trusted-links.ts'

/** The calendar file of a mail. Until it is read nobody knows whether it is an invitation. */
type CalendarFile = {
  readonly attachment: Attachment
  readonly bytes?: ArrayBuffer
  /** `null`: there is no event in it, so it is a file like others. */
  readonly invitation?: Invitation | null
}

/** Shows an invitation in the visitor's own time. There is no way to reply, because the address expires soon. */
export function InvitationCard({ message, calendar }: { message: Message; calendar: CalendarFile | undefined }) {
  const { invitation: texts, download } = useTexts('message')
  const { invitation, bytes, attachment } = calendar ?? {}
  if (!invitation || !bytes || !attachment) return null
  const isToGoTo = /^(?:publish|request|add)$/.test(invitation.act) && !invitation.events.every(event => event.isCancelled)
  const what = purpose(invitation, texts)
  const filename = calendarFilename(attachment.filename)
  return (
    <section aria-label={texts.label} data-testid="invitation" className="mx-5 mb-4 flex gap-3 border-river border-l-2 py-1 pl-3 sm:mx-6">
      <Calendar aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-muted" strokeWidth={1.5} />
      <div className="min-w-0 space-y-3 leading-snug [overflow-wrap:anywhere]">
        {what !== undefined && (
          <p className="font-medium">
            <bdi>{what}</bdi>
          </p>
        )}
        {invitation.events.map((event, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the events of a file never change places
          <EventText key={at} event={event} message={message} />
        ))}
        {invitation.moreEvents > 0 && <p className="text-muted">{texts.moreEvents({ count: invitation.moreEvents })}</p>}
        {/* The system opens the file with its calendar. */}
        <Button className="px-3 text-sm" title={filename} onClick={() => saveBytes(bytes, filename, 'text/calendar')}>
          {isToGoTo ? (
            texts.add
          ) : (
            <>
              <Download aria-hidden="true" strokeWidth={1.75} />
              {download} <bdi>{filename}</bdi>
            </>
          )}
        </Button>
      </div>
    </section>
  )
}

/** A box that is as wide as its text, so that a range breaks between its ends. */
const PIECE = 'inline-block max-w-full'

function EventText({ event, message }: { event: CalendarEvent; message: Message }) {
  const { invitation: texts, openLink } = useTexts('message')
  const { language } = useLanguage()
  const { title, start, end, place, link, isCancelled, isOneDate, recurrence } = event
  const notes = [isCancelled && texts.cancelled, isOneDate && texts.oneDate].filter(Boolean)
  return (
    <div>
      <p className="font-medium">
        <bdi>{title || texts.untitled}</bdi>
      </p>
      <p className="figures">
        {eventTimePieces(start, end, regional(language), texts).map((piece, at) => (
          <span key={piece}>
            {at > 0 && ' '}
            <span className={PIECE}>{piece}</span>
          </span>
        ))}
      </p>
      {recurrence && <p>{recurrenceSentence(recurrence, start, regional(language), texts)}</p>}
      {place !== '' && (
        <p className="text-muted">
          <bdi>{place}</bdi>
        </p>
      )}
      {notes.length > 0 && <p className="font-medium text-ember-ink text-sm">{notes.join(' · ')}</p>}
      {link !== undefined && isLinkTrusted(message, { url: link, label: '' }) && (
        <a
          href={link}
          title={link}
          target="_blank"
          rel="noopener noreferrer nofollow"
          className="mt-0.5 inline-flex min-h-9 items-center gap-1.5 text-river-ink [&_span]:underline [&_span]:underline-offset-2"
        >
          <span>
            <NamesUnbroken text={openLink({ host: displayHost(new URL(link).hostname) })} />
          </span>
          <ExternalLink aria-hidden="true" className="size-4 shrink-0" strokeWidth={1.75} />
        </a>
      )}
    </div>
  )
}

/** The first calendar file. */
export function useCalendarFile(token: string, { id, attachments }: Message): CalendarFile | undefined {
  const attachment = attachments.find(part => isCalendar(part) && part.size <= CALENDAR_BYTES_MAX)
  const [read, setRead] = useState<CalendarFile>()
  useEffect(() => {
    if (!attachment) return
    const left = new AbortController()
    readCalendarFile(token, id, attachment, left.signal).then(setRead, error => {
      if (left.signal.aborted) return
      console.warn(error)
      setRead({ attachment, invitation: null })
    })
    return () => left.abort()
  }, [token, id, attachment])
  return attachment && (read?.attachment === attachment ? read : { attachment })
}

async function readCalendarFile(token: string, id: string, attachment: Attachment, signal: AbortSignal): Promise<CalendarFile> {
  const params = { id, index: attachment.index }
  const [response, { readInvitation }] = await Promise.all([
    send(readAttachment, { token, params, signal }),
    import('#reader/invitation/invitation.ts'),
  ])
  const bytes = await response.arrayBuffer()
  const charset = /;\s*charset=([\w.:+-]+)/i.exec(response.headers.get('content-type') ?? '')?.[1]
  return { attachment, bytes, invitation: readInvitation(new Uint8Array(bytes), charset) ?? null }
}
