import { clsx } from 'clsx'
import { Fragment, useState } from 'react'
import { hasFailedAuthentication } from '#contract/failed-authentication.ts'
import { judgeLink, safeTarget } from '#contract/links.ts'
import type { Authentication, Message } from '#contract/mailbox.ts'
import { freeReplyTo, type SenderWarning, senderWarning } from '#contract/sender-warning.ts'
import { hasLookalikeWord } from '#contract/skeleton.ts'
import { ChevronDown } from '#web/components/ui/icons.tsx'
import { BadgeCheck, CircleHelp, TriangleAlert } from '#web/components/ui/lazy-icons.tsx'
import { usePopover } from '#web/components/ui/popover.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { useSiteConfig } from '#web/lib/site/site-config.ts'
import type { MessageTexts } from '#web/texts/en/message.ts'
import { isLinkTrusted } from './trusted-links.ts'

/** When it was written, or else when it arrived; empty if neither is a valid date. */
export function messageTime(message: Message, language: string): string {
  const date = new Date(message.date ?? message.receivedAt)
  if (Number.isNaN(date.getTime())) return ''
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(date)
}

/** The time alone for a mail of today. */
function shortTime(message: Message, language: string): string {
  const date = new Date(message.date ?? message.receivedAt)
  if (date.toDateString() !== new Date().toDateString()) return messageTime(message, language)
  return new Intl.DateTimeFormat(language, { timeStyle: 'short' }).format(date)
}

/** Sender, submitter, time, and the verdict on the sender. */
export function MessageHead({ message }: { message: Message }) {
  const texts = useTexts('message')
  const { language } = useLanguage()
  const { from, envelopeFrom, subject } = message
  const isOther = envelopeFrom !== '' && envelopeFrom.toLowerCase() !== from.address.toLowerCase()
  const warning = senderWarning(from)
  const answers = freeReplyTo(from, message.replyTo)
  return (
    <div className="flex flex-col gap-1.5 px-5 pt-1.5 pb-3 max-sm:gap-1 sm:px-6 sm:pt-2 sm:pb-4 short:gap-0.5 short:pb-2">
      <div className="items-baseline justify-between gap-x-4 max-sm:grid max-sm:grid-cols-[minmax(40%,1fr)_minmax(0,auto)] sm:flex sm:gap-x-6">
        {/* Name and address are cut separately, so that a long name cannot hide the address. */}
        <p className="min-w-0 flex-wrap items-baseline gap-x-2 max-sm:contents sm:flex" title={`${from.name} <${from.address}>`}>
          <bdi className="line-clamp-2 font-medium [overflow-wrap:anywhere]">{from.name || from.address || texts.noSender}</bdi>
          {from.name !== '' && from.address !== '' && (
            <bdi className="line-clamp-2 text-muted text-sm [overflow-wrap:anywhere] max-sm:col-span-2">{`<${from.address}>`}</bdi>
          )}
        </p>
        <time
          dateTime={message.date ?? message.receivedAt}
          title={messageTime(message, language)}
          className="figures text-muted text-sm max-sm:col-start-2 max-sm:row-start-1 max-sm:text-right sm:shrink-0"
        >
          <span aria-hidden="true">{shortTime(message, language)}</span>
          <span className="sr-only">{messageTime(message, language)}</span>
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
      {answers !== undefined && <Warning id="reply-to-warning">{texts.freeReplyTo({ address: answers })}</Warning>}
      <ListNote message={message} />
      {hasLookalikeWord(subject) && <Warning id="subject-warning">{texts.subjectWarning}</Warning>}
    </div>
  )
}

/**
 * The explanation waits for a press, as the mail is what was opened. A plain note: it does not promise that unsubscribing helps, and
 * nothing is sent unless the visitor opens the link.
 */
function ListNote({ message }: { message: Message }) {
  const { list: texts } = useTexts('message')
  const [isOpen, setIsOpen] = useState(false)
  const found = mailingList(message.headers)
  if (!found) return null
  const isOffered = 'url' in found && isLinkTrusted(message, { url: found.url, label: '' })
  return (
    <div className="text-muted text-sm [overflow-wrap:anywhere]" data-testid="mailing-list">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className="-my-2.5 inline-flex min-h-11 min-w-11 items-center gap-1 hover:text-ink"
      >
        {texts.title}
        <ChevronDown aria-hidden="true" className={clsx('size-4', isOpen && 'rotate-180')} strokeWidth={1.75} />
      </button>
      {isOffered && (
        <span aria-hidden="true" className="mr-2 ml-1">
          ·
        </span>
      )}
      {isOffered && (
        <a href={found.url} title={found.url} target="_blank" rel="noopener noreferrer nofollow" className="text-link text-river-ink">
          {texts.leave({ host: judgeLink(found.url, '').host })}
        </a>
      )}
      {isOpen && (
        <p className="mt-1">
          {texts.note} {'address' in found && <bdi>{texts.leaveByMail({ address: found.address })}</bdi>}
        </p>
      )}
    </div>
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
  if (warning.kind !== 'brand') return texts[warning.kind](warning)
  return warning.name === '' ? texts.brandAlone(warning) : texts.brand(warning)
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
  // On a phone the message comes first; one address is the visitor's own, and the headers have it.
  const isPlain = to.length === 1 && lines.length === 1
  return (
    <dl
      className={clsx('grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 gap-y-0.5 text-muted text-sm', isPlain && 'max-sm:hidden short:hidden')}
    >
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

type Verdict = { readonly kind: 'signed' | 'server' | 'forged'; readonly domain: string } | { readonly kind: 'unverified' | 'pending' }

/** What the checks amount to for a reader. A signature speaks for the domain that signed, never for the name in the From line. */
export function senderVerdict(authentication: Authentication | undefined, fromAddress: string): Verdict {
  if (!authentication) return { kind: 'pending' }
  const fromDomain = fromAddress.slice(fromAddress.lastIndexOf('@') + 1)
  if (authentication.dmarc === 'fail' && fromDomain !== '') return { kind: 'forged', domain: fromDomain }
  const { domain } = authentication
  if (domain !== undefined && authentication.dkim === 'pass') return { kind: 'signed', domain }
  if (domain !== undefined && authentication.spf === 'pass') return { kind: 'server', domain }
  return { kind: 'unverified' }
}

/** Whether a reader could be led somewhere: an unverified sender then deserves a second look. */
export function hasLinks({ links, html, text }: Pick<Message, 'links' | 'html' | 'text'>): boolean {
  return links.length > 0 || /\bhref\s*=/i.test(html ?? '') || /https?:\/\//i.test(text ?? '')
}

/** One plain sentence; for a doubtful sender it is a button that says what to do. The results of the checks are in its tooltip. */
function SenderVerdict({ message }: { message: Message }) {
  const { verdict: texts } = useTexts('message')
  const { authenticatesMail } = useSiteConfig()
  // Senders are not checked, so there will be no verdict.
  if (!message.authentication && !authenticatesMail) return null
  const verdict = senderVerdict(message.authentication, message.from.address)
  const sentence = 'domain' in verdict ? texts[verdict.kind]({ domain: verdict.domain }) : texts[verdict.kind]
  const details = message.authentication && texts.details(message.authentication)
  const listedOn = message.authentication?.listedOn ?? []
  return (
    <>
      {verdict.kind === 'forged' || verdict.kind === 'unverified' ? (
        <Doubt kind={verdict.kind} tone={doubtTone(verdict.kind, message)} sentence={sentence} details={details} />
      ) : (
        <p
          className={clsx('flex items-start gap-2 text-sm', verdict.kind === 'pending' ? 'text-muted' : 'text-river-ink')}
          data-verdict={verdict.kind}
          title={details}
        >
          {verdict.kind === 'pending' ? <CircleHelp {...ICON} /> : <BadgeCheck {...ICON} />}
          <span className="min-w-0 [overflow-wrap:anywhere]">{sentence}</span>
        </p>
      )}
      {listedOn.length > 0 && (
        <p className="flex items-start gap-2 text-sm text-ember-ink" data-listed>
          <TriangleAlert {...ICON} />
          <span className="min-w-0 [overflow-wrap:anywhere]">{texts.listed({ lists: listedOn.join(', ') })}</span>
        </p>
      )}
    </>
  )
}

const ICON = { 'aria-hidden': true, className: 'mt-px size-4.5 shrink-0', strokeWidth: 1.75 } as const

/** Without links and failed checks there is nothing to beware of: a first mail from a small server is often unverified. */
function doubtTone(kind: 'forged' | 'unverified', message: Message): string {
  if (kind === 'forged') return 'text-ember-ink'
  return hasLinks(message) || hasFailedAuthentication(message.authentication) ? 'text-dusk-ink' : 'text-muted'
}

type DoubtProps = { kind: 'forged' | 'unverified'; tone: string; sentence: string; details: string | undefined }

/** The explanation lies over the message, so that nothing moves. */
function Doubt({ kind, tone, sentence, details }: DoubtProps) {
  const { verdict: texts } = useTexts('message')
  const { isOpen, root, button } = usePopover()
  return (
    <div {...root} className="relative">
      <button
        {...button}
        type="button"
        className={clsx('-my-2.5 inline-flex min-h-11 items-center gap-2 text-left text-sm hover:underline underline-offset-4', tone)}
        data-verdict={kind}
        title={details}
      >
        {kind === 'forged' ? <TriangleAlert {...ICON} /> : <CircleHelp {...ICON} />}
        <span className="min-w-0 [overflow-wrap:anywhere]">{sentence}</span>
        <ChevronDown aria-hidden="true" className={clsx('size-4 shrink-0', isOpen && 'rotate-180')} strokeWidth={1.75} />
      </button>
      {isOpen && (
        <div
          // A press on the text keeps the focus inside, so that it stays open.
          tabIndex={-1}
          role="note"
          className="absolute top-full left-0 z-10 mt-2 w-full max-w-md animate-fade rounded-md border border-edge bg-raised px-4 py-3 text-sm shadow-lift"
        >
          <p>{texts.explained[kind]}</p>
          {details && <p className="mt-2 text-muted">{details}</p>}
        </div>
      )}
    </div>
  )
}

/** Where leaving the list is offered: a web address, or else a mail address. */
type MailingList = { readonly url: string } | { readonly address: string }

const VALUE_CHARS_MAX = 4096
const ENTRIES_MAX = 8
const WEB = new Set(['http:', 'https:'])

/**
 * What a mailing list offers to be left by (RFC 2369). Read only: nothing is ever sent there from here, the one-click POST of RFC 8058
 * included.
 */
export function mailingList(headers: readonly { readonly name: string; readonly value: string }[]): MailingList | undefined {
  const value = headers.find(({ name }) => name.toLowerCase() === 'list-unsubscribe')?.value.slice(0, VALUE_CHARS_MAX) ?? ''
  const entries = Array.from(value.matchAll(/<([^<>]*)>/g), ([, entry = '']) => entry.replace(/\s/g, '')).slice(0, ENTRIES_MAX)
  const url = entries.map(entry => safeTarget(entry, WEB)).find(target => target !== undefined)
  if (url !== undefined) return { url }
  const address = entries.map(entry => /^mailto:([^?]{3,320})/i.exec(entry)?.[1]).find(found => found !== undefined)
  return address === undefined ? undefined : { address: decodeAddress(address) }
}

function decodeAddress(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
