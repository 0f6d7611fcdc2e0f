import { Fragment } from 'react'
import { judgeLink } from '#contract/links/link-target.ts'
import type { Message } from '#contract/mailbox.ts'
import { TriangleAlert } from '#web/components/ui/lazy-icons.tsx'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import type { MessageTexts } from '#web/texts/en/message.ts'
import { isLinkTrusted } from './links/lifted-links.ts'
import { hasLookalikeWord } from './sender/lookalike-words.ts'
import { mailingList } from './sender/mailing-list.ts'
import { SenderVerdict } from './sender/sender-verdict.tsx'
import { type SenderWarning, senderWarning } from './sender/sender-warning.ts'

/** When it was written, or else when it arrived; empty if neither is a valid date. */
export function messageTime(message: Message, language: string): string {
  const date = new Date(message.date ?? message.receivedAt)
  if (Number.isNaN(date.getTime())) return ''
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(date)
}

/** Sender, submitter, time, and the verdict on the sender. */
export function MessageHead({ message }: { message: Message }) {
  const texts = useTexts('message')
  const { language } = useLanguage()
  const { from, envelopeFrom, subject } = message
  const isOther = envelopeFrom !== '' && envelopeFrom.toLowerCase() !== from.address.toLowerCase()
  const warning = senderWarning(from)
  return (
    <div className="flex flex-col gap-1.5 px-5 pt-2 pb-4 sm:px-6">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        {/* Name and address are cut separately, so that a long name cannot hide the address. */}
        <p className="flex min-w-0 flex-wrap items-baseline gap-x-2" title={`${from.name} <${from.address}>`}>
          <bdi className="line-clamp-2 font-medium [overflow-wrap:anywhere]">{from.name || from.address || texts.noSender}</bdi>
          {from.name !== '' && from.address !== '' && (
            <bdi className="line-clamp-2 text-muted text-sm [overflow-wrap:anywhere]">{`<${from.address}>`}</bdi>
          )}
        </p>
        <time dateTime={message.date ?? message.receivedAt} className="figures text-muted text-sm">
          {messageTime(message, language)}
        </time>
      </div>
      {isOther && (
        <p className="text-muted text-sm [overflow-wrap:anywhere]">
          <bdi>{texts.sentBy({ address: envelopeFrom })}</bdi>
        </p>
      )}
      <Recipients message={message} />
      {envelopeFrom === '' && <p className="text-muted text-sm">{texts.deliveryReport}</p>}
      <SenderVerdict message={message} />
      {warning && <Warning id="sender-warning">{warningText(warning, texts)}</Warning>}
      <ListNote message={message} />
      {hasLookalikeWord(subject) && <Warning id="subject-warning">{texts.subjectWarning}</Warning>}
    </div>
  )
}

/** A plain note: it does not promise that unsubscribing helps, and nothing is sent unless the visitor opens the link. */
function ListNote({ message }: { message: Message }) {
  const { list: texts } = useTexts('message')
  const found = mailingList(message.headers)
  if (!found) return null
  const isOffered = 'url' in found && isLinkTrusted(message, { url: found.url, label: '' })
  return (
    <p className="text-muted text-sm [overflow-wrap:anywhere]" data-testid="mailing-list">
      {texts.note}{' '}
      {isOffered && (
        <a href={found.url} title={found.url} target="_blank" rel="noopener noreferrer nofollow" className="underline underline-offset-2">
          {texts.leave({ host: judgeLink(found.url, '').host })}
        </a>
      )}
      {'address' in found && <bdi>{texts.leaveByMail({ address: found.address })}</bdi>}
    </p>
  )
}

function Warning({ id, children }: { id: string; children: string }) {
  return (
    <p className="flex items-start gap-2 text-ember-ink text-sm" data-testid={id}>
      <TriangleAlert aria-hidden="true" className="mt-px size-4.5 shrink-0" strokeWidth={1.75} />
      <span className="min-w-0 [overflow-wrap:anywhere]">{children}</span>
    </p>
  )
}

function warningText(warning: SenderWarning, { senderWarning: texts }: MessageTexts): string {
  return warning.kind === 'brand' ? texts.brand(warning) : texts[warning.kind](warning)
}

/** Recipients shown before the rest is only counted; the headers have all of them. */
const RECIPIENTS_MAX = 5

function Recipients({ message: { to, cc, replyTo, from } }: { message: Message }) {
  const texts = useTexts('message')
  const isElsewhere = replyTo.some(({ address }) => address.toLowerCase() !== from.address.toLowerCase())
  const lines = [
    { label: texts.to, addresses: to },
    { label: texts.cc, addresses: cc },
    { label: texts.replyTo, addresses: isElsewhere ? replyTo : [] },
  ].filter(({ addresses }) => addresses.length > 0)
  if (lines.length === 0) return null
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 gap-y-0.5 text-muted text-sm">
      {lines.map(({ label, addresses }) => (
        <Fragment key={label}>
          <dt>{label}</dt>
          <dd className="[overflow-wrap:anywhere]" title={addresses.map(formatAddress).join(', ')}>
            <bdi>{addresses.slice(0, RECIPIENTS_MAX).map(formatAddress).join(', ')}</bdi>
            {addresses.length > RECIPIENTS_MAX && ` +${addresses.length - RECIPIENTS_MAX}`}
          </dd>
        </Fragment>
      ))}
    </dl>
  )
}

function formatAddress({ name, address }: { name: string; address: string }): string {
  return name === '' || name === address ? address : `${name} <${address}>`
}
