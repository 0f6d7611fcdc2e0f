import type { OperatorOverview } from '#contract/operator.ts'
import { Button } from '#web/components/ui/button.tsx'
import { ShieldAlert, ShieldCheck } from '#web/components/ui/icons.ts'
import { CircleHelp } from '#web/components/ui/lazy-icons.ts'
import { dateAndTime, regional } from '#web/lib/i18n/date-and-time.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { clockTime } from '#web/lib/mailbox/countdown.ts'
import { formatBytes, Internals, MailGraphs } from './graphs.tsx'

type Props = { readonly overview: OperatorOverview; readonly onOpen: (section: 'checks' | 'messages') => void }

/** One line that says whether anything is wrong, then the mail of the day; what only explains a fault is folded. */
export function Overview({ overview, onOpen }: Props) {
  return (
    <>
      <Verdict overview={overview} onOpen={onOpen} />
      <MailGraphs overview={overview} />
      <Figures overview={overview} onOpen={onOpen} />
      <div className="mt-10 grid gap-x-12 gap-y-8 sm:grid-cols-2">
        <Refusals refused={overview.day.refused} />
        <div>
          <Certificates certificates={overview.certificates} />
          <Blocklists blocklists={overview.blocklists} />
        </div>
      </div>
      <Internals overview={overview} />
    </>
  )
}

/** With less, a burst of mail could fill the disk before anybody reads this. */
const DISK_LOW_BYTES = 1_000_000_000
/** A relay that works has none waiting for longer than seconds. */
const QUEUE_LONG = 20

const LOOKS = {
  unknown: { Icon: CircleHelp, box: 'bg-sunken', ink: 'text-muted' },
  good: { Icon: ShieldCheck, box: 'bg-river-wash', ink: 'text-river-ink' },
  bad: { Icon: ShieldAlert, box: 'bg-ember-wash', ink: 'text-ember-ink' },
} as const

/** It claims no more than was looked at: the figures are read every few seconds, the doctor looks when asked. */
function Verdict({ overview, onOpen }: Props) {
  const { verdict: words } = useTexts('operator')
  const { language } = useLanguage()
  const { now, certificates, lastLook } = overview
  const failures = lastLook?.findings.filter(({ status }) => status === 'failure') ?? []
  const hints = lastLook?.findings.filter(({ status }) => status === 'warning') ?? []
  const toFix = [
    ...certificates.flatMap(certificate => certificateProblem(certificate, words) ?? []),
    ...(now.diskFreeBytes < DISK_LOW_BYTES ? [words.disk({ free: formatBytes(now.diskFreeBytes, language) })] : []),
    ...(now.queue > QUEUE_LONG ? [words.queue({ count: now.queue })] : []),
  ]
  const count = toFix.length + failures.length
  const { Icon, box, ink } = LOOKS[count > 0 ? 'bad' : lastLook ? 'good' : 'unknown']
  return (
    <section aria-labelledby="verdict" className={`mt-6 flex flex-wrap gap-4 rounded-lg p-5 ${box} forced-colors:border`}>
      <Icon aria-hidden="true" strokeWidth={1.5} className={`size-7 shrink-0 ${ink}`} />
      <div className="min-w-[min(100%,13rem)] flex-1">
        <h2 id="verdict" className="text-xl">
          {count > 0 ? words.toFix({ count }) : lastLook ? words.allWell : words.figuresWell}
        </h2>
        <ul className="mt-1">
          {toFix.map(sentence => (
            <li key={sentence}>{sentence}</li>
          ))}
          {failures.map(({ sentence }) => (
            <li key={sentence} lang="en">
              {sentence}
            </li>
          ))}
        </ul>
        {failures.length > 0 && <p className="text-muted">{words.inEnglish}</p>}
        <p className="text-muted">
          {lastLook ? words.looked({ hints: hints.length, time: lookedAt(lastLook.at, language) }) : words.notLooked}
        </p>
        <Button className="mt-3" onClick={() => onOpen('checks')}>
          {words.openDoctor}
        </Button>
      </div>
    </section>
  )
}

/** With its day, unless that is today. */
function lookedAt(at: string, language: string): string {
  const date = new Date(at)
  return date.toDateString() === new Date().toDateString() ? clockTime(date, language) : dateAndTime(at, language)
}

type PortCertificate = OperatorOverview['certificates'][number]
type VerdictWords = ReturnType<typeof useTexts<'operator'>>['verdict']

function certificateProblem({ name, validTo, problem }: PortCertificate, words: VerdictWords): string | undefined {
  if (validTo === null || Date.parse(validTo) <= Date.now()) return words.certificateMissing({ name })
  return problem === null ? undefined : words.certificateFailed({ name })
}

function Figures({ overview: { now, day, unread }, onOpen }: Pick<Props, 'overview' | 'onOpen'>) {
  const texts = useTexts('operator')
  const { language } = useLanguage()
  const number = new Intl.NumberFormat(language)
  const waiting = unread.contact + unread.mail + unread.reports
  const figures: [label: string, value: string][] = [
    [texts.now.addresses, number.format(now.mailboxes)],
    [texts.now.created, number.format(day.addresses)],
    [texts.now.disk, formatBytes(now.diskFreeBytes, language)],
  ]
  return (
    <dl className="mt-10 grid grid-cols-2 gap-x-12 gap-y-5 lg:grid-cols-4">
      {figures.map(([label, value]) => (
        <div key={label} className="flex flex-col justify-end">
          <dt className="text-muted text-sm">{label}</dt>
          <dd className="figures text-xl [overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
      <div className="flex flex-col justify-end">
        <dt className="text-muted text-sm">{texts.now.unread}</dt>
        <dd className="figures text-xl">
          {waiting === 0 ? (
            number.format(0)
          ) : (
            <button
              type="button"
              onClick={() => onOpen('messages')}
              className="-my-2 min-h-11 min-w-11 text-left underline underline-offset-4"
            >
              {number.format(waiting)}
            </button>
          )}
        </dd>
      </div>
    </dl>
  )
}

function Refusals({ refused }: { refused: OperatorOverview['day']['refused'] }) {
  const { now: words, reasons } = useTexts('operator')
  const known: Readonly<Record<string, string>> = reasons
  const rows = Object.entries(refused).toSorted(([, one], [, other]) => other - one)
  return (
    <section>
      <h2 className="mb-2 text-lg">{words.reasons}</h2>
      {rows.length === 0 ? (
        <p className="text-muted">{words.nothingRefused}</p>
      ) : (
        <CountTable columns={[words.reason, words.count]} rows={rows.map(([name, count]) => [known[name] ?? name, count] as const)} />
      )}
    </section>
  )
}

function Blocklists({ blocklists }: { blocklists: OperatorOverview['blocklists'] }) {
  const { blocklists: words } = useTexts('operator')
  if (blocklists.length === 0) return null
  return (
    <section className="mt-8">
      <h2 className="mb-2 text-lg">{words.heading}</h2>
      <p className="mb-2 text-muted text-sm">{words.hint}</p>
      <CountTable columns={[words.list, words.mails]} rows={blocklists.map(({ list, mails }) => [list, mails] as const)} />
    </section>
  )
}

type CountTableProps = { readonly columns: readonly [string, string]; readonly rows: readonly (readonly [name: string, count: number])[] }

/** Each row is underlined by its share of the largest. */
function CountTable({ columns: [name, count], rows }: CountTableProps) {
  const { language } = useLanguage()
  const number = new Intl.NumberFormat(language)
  const max = Math.max(...rows.map(([, counted]) => counted), 1)
  return (
    <table className="w-full text-left">
      <thead className="sr-only">
        <tr>
          <th scope="col">{name}</th>
          <th scope="col">{count}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([word, counted]) => (
          <tr
            key={word}
            className="bg-no-repeat [background-position:0_100%]"
            style={{
              backgroundImage: 'linear-gradient(var(--color-dusk), var(--color-dusk))',
              backgroundSize: `${(counted / max) * 100}% 2px`,
            }}
          >
            <td className="py-2 [overflow-wrap:anywhere]">{word}</td>
            <td className="figures py-2 text-right">{number.format(counted)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The certificates of the mail port and the site, and why a renewal failed. */
function Certificates({ certificates }: { certificates: readonly PortCertificate[] }) {
  const { certificates: words } = useTexts('operator')
  const { language } = useLanguage()
  const date = new Intl.DateTimeFormat(regional(language), { dateStyle: 'medium' })

  function state({ validTo, isSelfSigned }: PortCertificate): string {
    if (validTo === null) return words.absent
    const ends = { date: date.format(new Date(validTo)) }
    const sentence = Date.parse(validTo) > Date.now() ? words.validUntil(ends) : words.expired(ends)
    return isSelfSigned ? `${sentence}, ${words.selfSigned}` : sentence
  }

  return (
    <section>
      <h2 className="mb-2 text-lg">{words.heading}</h2>
      <ul className="divide-y divide-line">
        {certificates.map(certificate => {
          const { use, name, validTo, problem, retryAt } = certificate
          const isGood = validTo !== null && Date.parse(validTo) > Date.now()
          return (
            <li key={use} className="py-2">
              <p className="[overflow-wrap:anywhere]">
                {words[use]}: <strong className="font-medium">{name}</strong>
              </p>
              <p className={isGood ? 'text-muted text-sm' : 'text-ember-ink text-sm'}>{state(certificate)}</p>
              {problem !== null && (
                <p lang="en" className="mt-1 text-ember-ink text-sm [overflow-wrap:anywhere]">
                  {problem}
                </p>
              )}
              {retryAt !== null && <p className="text-muted text-sm">{words.retry({ time: dateAndTime(retryAt, language) })}</p>}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
