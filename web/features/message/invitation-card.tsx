import { useEffect, useState } from 'react'
import type { Message } from '#contract/mailbox.ts'
import { displayHost } from '#reader/links/judge-link.ts'
import { NamesUnbroken } from '#web/components/ui/address.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Calendar, ExternalLink } from '#web/components/ui/lazy-icons.tsx'
import { readAttachment } from '#web/lib/api/message-routes.ts'
import { send } from '#web/lib/api/request.ts'
import { saveBytes } from '#web/lib/browser/save-file.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { CALENDAR_BYTES_MAX, formatEventTime, type Invitation, parseInvitation } from './invitation.ts'
import { isLinkTrusted } from './trusted-links.ts'

/** Shows an invitation in the visitor's own time. There is no way to reply, because the address expires soon. */
export function InvitationCard({ token, message }: { token: string; message: Message }) {
  const texts = useTexts('message')
  const { language } = useLanguage()
  const { invitation, file } = useInvitation(token, message) ?? {}
  if (!invitation || !file) return null
  const { title, start, end, place, link, isCancelled, isRepeated } = invitation
  const notes = [isCancelled && texts.invitation.cancelled, isRepeated && texts.invitation.repeated].filter(Boolean)
  return (
    <section
      aria-label={texts.invitation.label}
      data-testid="invitation"
      className="mx-5 mb-4 flex gap-3 border-river border-l-2 py-1 pl-3 sm:mx-6"
    >
      <Calendar aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-muted" strokeWidth={1.5} />
      <div className="min-w-0 leading-snug [overflow-wrap:anywhere]">
        <p className="font-medium">
          <bdi>{title || texts.invitation.untitled}</bdi>
        </p>
        <p className="figures">{formatEventTime(start, end, language, texts.invitation)}</p>
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
            className="mt-0.5 inline-flex min-h-9 items-center gap-1.5 text-river-ink underline underline-offset-2"
          >
            <span>
              <NamesUnbroken text={texts.openLink({ host: displayHost(new URL(link).hostname) })} />
            </span>
            <ExternalLink aria-hidden="true" className="size-4 shrink-0" strokeWidth={1.75} />
          </a>
        )}
        {!isCancelled && (
          // The system opens it with its calendar.
          <Button className="mt-2 px-3 text-sm" onClick={() => saveBytes(file, 'invite.ics', 'text/calendar')}>
            {texts.invitation.add}
          </Button>
        )}
      </div>
    </section>
  )
}

const CALENDAR = /^(?:text\/calendar|application\/ics)$/i

type Found = { readonly invitation: Invitation | undefined; readonly file: ArrayBuffer }

function useInvitation(token: string, { id, attachments }: Message): Found | undefined {
  const [found, setFound] = useState<Found>()
  const index = attachments.find(({ contentType, size }) => CALENDAR.test(contentType) && size <= CALENDAR_BYTES_MAX)?.index
  useEffect(() => {
    if (index === undefined) return
    const left = new AbortController()
    const read = async () => (await send(readAttachment, { token, params: { id, index }, signal: left.signal })).arrayBuffer()
    read().then(
      file => setFound({ invitation: parseInvitation(new TextDecoder().decode(file)), file }),
      error => !left.signal.aborted && console.warn(error),
    )
    return () => left.abort()
  }, [token, id, index])
  return found
}
