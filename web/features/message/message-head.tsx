import { clsx } from 'clsx'
import { Fragment } from 'react'
import type { Message } from '#contract/mailbox.ts'
import { isSameSite, judgeLink } from '#reader/links/judge-link.ts'
import { NamesUnbroken, Unbroken } from '#web/components/ui/address.tsx'
import { ChevronDown } from '#web/components/ui/icons.ts'
import { BadgeCheck, CircleHelp, TriangleAlert } from '#web/components/ui/lazy-icons.ts'
import { usePopover } from '#web/components/ui/popover.ts'
import { dateAndTime } from '#web/lib/i18n/date-and-time.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { clockTime } from '#web/lib/mailbox/countdown.ts'
import { useSiteConfig } from '#web/lib/site/site-config.ts'
import { mailingList } from './mailing-list.ts'
import { isLinkTrusted } from './trusted-links.ts'

/** When it was written, or else when it arrived; empty if neither is a valid date. */
export function messageTime(message: Message, language: string): string {
  const date = new Date(message.date ?? message.receivedAt)
  if (Number.isNaN(date.getTime())) return ''
  return dateAndTime(date, language)
}

/** The time alone for a mail of today. */
function shortTime(message: Message, language: string): string {
  const date = new Date(message.date ?? message.receivedAt)
  if (date.toDateString() !== new Date().toDateString()) return messageTime(message, language)
  return clockTime(date, language)
}

/** `isWarned`: a warning stands below. */
type HeadProps = { message: Message; isVerdictSaid: boolean; isWarned: boolean }

/** Who sent it, and in one word what the checks say of them; the rest waits behind a chevron. */
export function MessageHead({ message, isVerdictSaid, isWarned }: HeadProps) {
  const texts = useTexts('message')
  const { language } = useLanguage()
  const { from } = message
  const explained = useVerdict(message)
  // An alarm is never left out.
  const verdict = isVerdictSaid || message.verdict === 'contradicted' ? explained : undefined
  const { isOpen, root, button } = usePopover()
  const details = (
    <button
      {...button}
      type="button"
      data-verdict={verdict?.is}
      className={clsx(
        'inline-flex min-h-11 min-w-11 items-center gap-1 text-left underline-offset-4 hover:underline max-sm:-my-1.5',
        verdict?.tone ?? '-ml-2.5 shrink-0 justify-center text-muted',
      )}
    >
      {verdict && <verdict.Icon aria-hidden="true" className="size-4 shrink-0" strokeWidth={1.75} />}
      {verdict && (
        <bdi className="min-w-0">
          <NamesUnbroken text={verdict.word} />
        </bdi>
      )}
      <span className="sr-only">{texts.details}</span>
      <ChevronDown aria-hidden="true" className={clsx('size-4 shrink-0', isOpen && 'rotate-180')} strokeWidth={1.75} />
    </button>
  )
  return (
    <div {...root} className="relative mt-1 flex flex-col gap-1.5 px-5 pb-3 max-sm:gap-1 sm:px-6 sm:pb-4 short:gap-0.5 short:pb-2">
      <div className="flex items-center justify-between gap-x-4 max-sm:gap-x-2">
        {/* Each part wraps by itself, so that a long name cannot hide the address; the dot before one that begins a line is cut off. */}
        <div className="min-w-0 [clip-path:inset(-1rem_-100vw_-1rem_0)]" title={`${from.name} <${from.address}>`}>
          <div className="-ml-4 flex flex-wrap items-center text-sm">
            {from.name !== '' && <bdi className="line-clamp-2 pl-4 font-medium [overflow-wrap:anywhere] sm:text-base">{from.name}</bdi>}
            <span className={clsx(PART, from.name !== '' && DOT)}>
              {/* Nothing of it is cut: whose address it is stands at its end. */}
              <bdi className={from.name === '' ? 'font-medium sm:text-base' : 'text-muted'}>
                <Unbroken name={from.address || texts.noSender} />
              </bdi>
              {!verdict && details}
            </span>
            {verdict && <span className={clsx(PART, DOT)}>{details}</span>}
          </div>
        </div>
        <time
          dateTime={message.date ?? message.receivedAt}
          title={messageTime(message, language)}
          className="figures shrink-0 text-muted text-sm max-sm:hidden"
        >
          <span aria-hidden="true">{shortTime(message, language)}</span>
          <span className="sr-only">{messageTime(message, language)}</span>
        </time>
      </div>
      {isOpen && <Details message={message} verdict={explained} isInFlow={isWarned} />}
    </div>
  )
}

const PART = 'relative inline-flex min-w-0 items-center pl-4'
/** Between two parts of one line. */
const DOT = "before:absolute before:left-1.5 before:text-muted before:content-['·']"

/** The server's verdict on the sender, and how it is said and drawn; `undefined` where senders are not checked. */
function useVerdict({ authentication, from, verdict, verdictReason }: Message) {
  const { verdict: texts } = useTexts('message')
  const { authenticatesMail } = useSiteConfig()
  if (!authentication && !authenticatesMail) return undefined
  const { word, sentence, explained } = texts[verdictReason]
  const domain = verdictReason === 'policy' ? from.address.slice(from.address.lastIndexOf('@') + 1) : (authentication?.domain ?? '')
  return { is: verdict, reason: verdictReason, word: word({ domain }), sentence: sentence({ domain }), explained, ...LOOKS[verdict] }
}

/** Unknown is no alarm: a first mail from a small server is often unverified. */
const LOOKS = {
  vouched: { tone: 'text-river-ink', Icon: BadgeCheck },
  unknown: { tone: 'text-muted', Icon: CircleHelp },
  contradicted: { tone: 'text-ember-ink', Icon: TriangleAlert },
} as const

/**
 * Over the message, so that nothing moves, unless that would cover a warning: what the verdict means, by whom the mail was sent, to whom,
 * and how to leave its list.
 */
function Details({ message, verdict, isInFlow }: { message: Message; verdict: ReturnType<typeof useVerdict>; isInFlow: boolean }) {
  const texts = useTexts('message')
  const { language } = useLanguage()
  const { authentication, envelopeFrom, from } = message
  return (
    <div
      // A press on the text keeps the focus inside, so that it stays open.
      tabIndex={-1}
      role="note"
      className={clsx(
        'flex max-w-xl animate-fade flex-col gap-2 rounded-md border border-edge bg-raised px-4 py-3 text-sm',
        !isInFlow && 'absolute inset-x-3 top-full z-10 -mt-1 max-h-[60dvh] overflow-y-auto shadow-lift sm:inset-x-4',
      )}
    >
      {verdict && (
        <p>
          <bdi className="block font-medium">
            <NamesUnbroken text={verdict.sentence} />
          </bdi>
          {verdict.explained}
        </p>
      )}
      {envelopeFrom === '' && <p>{texts.deliveryReport}</p>}
      <Addresses message={message} sentVia={envelopeFrom.toLowerCase() === from.address.toLowerCase() ? '' : envelopeFrom} />
      <p className="text-muted">
        {messageTime(message, language)}
        {authentication && <span className="block">{texts.checks(authentication)}</span>}
      </p>
      <ListNote message={message} />
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
    <p className="border-line border-t pt-2 text-muted [overflow-wrap:anywhere]" data-testid="mailing-list">
      {texts.title}
      {isOffered && (
        <>
          {' · '}
          <a href={found.url} title={found.url} target="_blank" rel="noopener noreferrer nofollow" className="text-link text-river-ink">
            <bdi>
              <NamesUnbroken text={texts.leave({ host: judgeLink(found.url, '').host })} />
            </bdi>
          </a>
        </>
      )}
      <span className="block">
        {texts.note}{' '}
        {'address' in found && (
          <bdi>
            <NamesUnbroken text={texts.leaveByMail({ address: found.address })} />
          </bdi>
        )}
      </span>
    </p>
  )
}

/** Recipients shown before the rest is only counted; the headers have all of them. */
const RECIPIENTS_MAX = 5

function Addresses({ message: { envelopeTo, to, cc, replyTo, from }, sentVia }: { message: Message; sentVia: string }) {
  const texts = useTexts('message')
  const isElsewhere = replyTo.some(({ address }) => address.toLowerCase() !== from.address.toLowerCase())
  const isOtherSite = replyTo.some(({ address }) => !isSameSite(domainOf(address), domainOf(from.address)))
  // It is shown for Bcc too, which no header names.
  const named = new Set([...to, ...cc].map(({ address }) => address.toLowerCase()))
  const unnamed = envelopeTo.filter(address => !named.has(address.toLowerCase())).map(address => ({ name: '', address }))
  const lines = [
    { label: texts.sentVia, addresses: sentVia === '' ? [] : [{ name: '', address: sentVia }] },
    { label: texts.to, addresses: to },
    { label: texts.cc, addresses: cc },
    { label: texts.envelopeTo, addresses: unnamed },
    { label: texts.replyTo, addresses: isElsewhere ? replyTo : [] },
  ].filter(({ addresses }) => addresses.length > 0)
  if (lines.length === 0) return null
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5">
      {lines.map(({ label, addresses }) => (
        <Fragment key={label}>
          <dt className="text-muted">{label}</dt>
          <dd className="[overflow-wrap:anywhere]" title={addresses.map(formatAddress).join(', ')}>
            <bdi>
              <NamesUnbroken text={addresses.slice(0, RECIPIENTS_MAX).map(formatAddress).join(', ')} />
            </bdi>
            {label === texts.replyTo && isOtherSite && <span className="font-medium text-ember-ink"> · {texts.replyToElsewhere}</span>}
            {addresses.length > RECIPIENTS_MAX && ` +${addresses.length - RECIPIENTS_MAX}`}
          </dd>
        </Fragment>
      ))}
    </dl>
  )
}

const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1).toLowerCase()

function formatAddress({ name, address }: { name: string; address: string }): string {
  return name === '' || name === address ? address : `${name} <${address}>`
}
