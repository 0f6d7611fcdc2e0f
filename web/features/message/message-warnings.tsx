import type { ReactNode } from 'react'
import type { Message } from '#contract/mailbox.ts'
import { freeReplyTo, type SenderWarning, senderWarning } from '#contract/sender-warning.ts'
import { hasLookalikeWord } from '#reader/links/skeleton.ts'
import { NamesUnbroken } from '#web/components/ui/address.tsx'
import { TriangleAlert } from '#web/components/ui/lazy-icons.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import type { MessageTexts } from '#web/texts/en/message.ts'
import type { CleanMail } from './body/sanitize.ts'

type FlaggedLinks = CleanMail['flaggedLinks']
type Props = {
  message: Message
  /** The warnings of the view that is shown. */
  flagged: FlaggedLinks
}

/** Sentences about links that are shown; more would push the mail away. */
const LINKS_MAX = 10

function doubtsAbout({ from, replyTo, subject, verdictReason, authentication }: Message) {
  const warning = senderWarning(from)
  return {
    isRefused: verdictReason === 'policy',
    listedOn: authentication?.listedOn ?? [],
    warning,
    // What else a server knows: a mail that says it is from this site.
    isSiteClaimed: verdictReason === 'imitation' && !warning,
    answers: freeReplyTo(from, replyTo),
    hidesLetters: hasLookalikeWord(subject),
  }
}

/** Whether there is a warning above its views, but for those about links, which are known once it is read. */
export function isDoubtful(message: Message): boolean {
  const { isRefused, listedOn, warning, isSiteClaimed, answers, hidesLetters } = doubtsAbout(message)
  return isSiteClaimed || isRefused || listedOn.length > 0 || warning !== undefined || answers !== undefined || hidesLetters
}

/** All that speaks against a mail, once and in one place: outside the frame, where no mail can hide it, and above its views. */
export function MessageWarnings({ message, flagged }: Props) {
  const texts = useTexts('message')
  const { from } = message
  const { isRefused, listedOn, warning, isSiteClaimed, answers, hidesLetters } = doubtsAbout(message)
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)
  const sentences: [id: string, sentence: string][] = []
  if (isRefused) sentences.push(['policy-warning', texts.verdict.policy.sentence({ domain })])
  if (listedOn.length > 0) sentences.push(['listed', texts.listed({ lists: listedOn.join(', ') })])
  if (warning) sentences.push(['sender-warning', warningText(warning, texts)])
  if (isSiteClaimed) sentences.push(['site-warning', texts.siteClaimed])
  if (answers !== undefined) sentences.push(['reply-to-warning', texts.freeReplyTo({ address: answers })])
  if (hidesLetters) sentences.push(['subject-warning', texts.subjectWarning])
  if (sentences.length === 0 && flagged.length === 0) return null
  return (
    <div className="mb-4 flex gap-3 bg-ember-wash px-5 py-3 text-sm nth-last-2:mb-0 sm:px-6 forced-colors:border-y">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4.5 shrink-0 text-ember-ink" strokeWidth={1.75} />
      <div className="min-w-0 space-y-1 text-ember-ink">
        {sentences.map(([id, sentence]) => (
          <Warning key={id} id={id}>
            <NamesUnbroken text={`${sentence}.`} />
          </Warning>
        ))}
        {flagged.length > 0 && <Flagged flagged={flagged} texts={texts} />}
      </div>
    </div>
  )
}

function Warning({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p data-testid={id} className="[overflow-wrap:anywhere]">
      <bdi>{children}</bdi>
    </p>
  )
}

function Flagged({ flagged, texts }: { flagged: FlaggedLinks; texts: MessageTexts }) {
  const sentences = [...new Set(flagged.map(({ flag, host }) => (flag ? texts.flagged[flag]({ host }) : '')))]
  return (
    <div data-testid="flagged">
      <p>{texts.flagged.title({ count: flagged.length })}</p>
      <ul className="mt-1 list-disc space-y-0.5 pl-4 text-ink">
        {sentences.slice(0, LINKS_MAX).map(sentence => (
          <li key={sentence}>
            <NamesUnbroken text={sentence} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function warningText(warning: SenderWarning, { senderWarning: texts }: MessageTexts): string {
  if (!('brand' in warning)) return texts[warning.kind](warning)
  return warning.name === '' ? texts.brandAlone(warning) : texts[warning.kind](warning)
}
