import type { Language } from '#contract/languages.ts'
import type { OperatorOverview } from '#contract/operator.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'

export function Overview({ overview }: { overview: OperatorOverview }) {
  const texts = useTexts('operator')
  const words = texts.now
  const { language } = useLanguage()
  const { now, day, blocklists, certificates, startedAt, version } = overview
  const number = new Intl.NumberFormat(language)
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium' })
  const refusals = Object.entries(day.refused).toSorted(([, one], [, other]) => other - one)
  const refused = refusals.reduce((sum, [, count]) => sum + count, 0)
  const figures: [label: string, value: string][] = [
    [words.addresses, number.format(now.mailboxes)],
    [words.streams, number.format(now.streams)],
    [words.delivered, `${number.format(day.delivered)} · ${formatBytes(day.bytes, language)}`],
    [words.refused, number.format(refused)],
    [words.created, number.format(day.addresses)],
    [words.botCheck, number.format(day.botCheckFailures)],
    [words.disk, formatBytes(now.diskFreeBytes, language)],
    [words.memory, formatBytes(now.memoryBytes, language)],
    [words.loop, `${number.format(now.loopDelayMs)} ms`],
    [words.queue, number.format(now.queue)],
  ]
  return (
    <>
      <dl className="mt-6 grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-3 lg:grid-cols-4">
        {figures.map(([label, value]) => (
          <div key={label} className="border-line border-t pt-2">
            <dt className="text-muted text-sm">{label}</dt>
            <dd className="text-lg tabular-nums [overflow-wrap:anywhere]">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 text-muted text-sm">{words.running({ date: date.format(new Date(startedAt)), version })}</p>
      <Certificates certificates={certificates} />
      <h2 className="mt-8 mb-2 text-lg">{words.reasons}</h2>
      {refusals.length === 0 ? <p>{words.nothingRefused}</p> : <CountTable columns={[words.reason, words.count]} rows={refusals} />}
      {blocklists.length > 0 && (
        <>
          <h2 className="mt-8 mb-2 text-lg">{texts.blocklists.heading}</h2>
          <p className="mb-2 text-muted text-sm">{texts.blocklists.hint}</p>
          <CountTable
            columns={[texts.blocklists.list, texts.blocklists.mails]}
            rows={blocklists.map(({ list, mails }) => [list, mails] as const)}
          />
        </>
      )}
    </>
  )
}

type CountTableProps = { readonly columns: readonly [string, string]; readonly rows: readonly (readonly [name: string, count: number])[] }

function CountTable({ columns: [name, count], rows }: CountTableProps) {
  const { language } = useLanguage()
  const number = new Intl.NumberFormat(language)
  return (
    <table className="w-full max-w-md text-left">
      <thead>
        <tr className="text-muted text-sm">
          <th scope="col" className="py-1 font-medium">
            {name}
          </th>
          <th scope="col" className="py-1 text-right font-medium">
            {count}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([word, counted]) => (
          <tr key={word} className="border-line border-t">
            <td className="py-1.5 font-mono text-sm [overflow-wrap:anywhere]">{word}</td>
            <td className="py-1.5 text-right tabular-nums">{number.format(counted)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type PortCertificate = OperatorOverview['certificates'][number]

/** The certificates of the mail port and the site, and why a renewal failed. */
function Certificates({ certificates }: { certificates: readonly PortCertificate[] }) {
  const { certificates: words } = useTexts('operator')
  const { language } = useLanguage()
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium' })
  const time = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })

  function state({ validTo, isSelfSigned }: PortCertificate): string {
    if (validTo === null) return words.absent
    const ends = { date: date.format(new Date(validTo)) }
    const sentence = Date.parse(validTo) > Date.now() ? words.validUntil(ends) : words.expired(ends)
    return isSelfSigned ? `${sentence}, ${words.selfSigned}` : sentence
  }

  return (
    <section className="mt-8">
      <h2 className="mb-2 text-lg">{words.heading}</h2>
      <ul className="max-w-3xl divide-y divide-line">
        {certificates.map(certificate => {
          const { use, name, validTo, problem, retryAt } = certificate
          const isGood = validTo !== null && Date.parse(validTo) > Date.now()
          return (
            <li key={use} className="py-3">
              <p className="[overflow-wrap:anywhere]">
                {words[use]}: <strong className="font-medium">{name}</strong>
              </p>
              <p className={isGood ? 'text-muted text-sm' : 'text-ember-ink text-sm'}>{state(certificate)}</p>
              {problem !== null && (
                <p lang="en" className="mt-1 text-ember-ink text-sm [overflow-wrap:anywhere]">
                  {problem}
                </p>
              )}
              {retryAt !== null && <p className="text-muted text-sm">{words.retry({ time: time.format(new Date(retryAt)) })}</p>}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

type Point = OperatorOverview['points'][number]

const DAY_MS = 86_400_000
const BUCKET_MS = 300_000
const [WIDTH, HEIGHT] = [288, 64]

const countRefused = ({ refused }: Point) => Object.values(refused).reduce((sum, count) => sum + count, 0)

/** Bar charts of the last day. The label says in words what the bars show. */
export function Graphs({ points }: { points: readonly Point[] }) {
  const texts = useTexts('operator')
  const { language } = useLanguage()
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 })
  const plain = (value: number) => number.format(value)
  const bytes = (value: number) => formatBytes(value, language)
  const graphs: { name: string; read: (point: Point) => number; show: (value: number) => string }[] = [
    { name: `${texts.now.delivered} (${texts.perFive})`, read: point => point.delivered, show: plain },
    { name: `${texts.now.refused} (${texts.perFive})`, read: countRefused, show: plain },
    { name: `${texts.now.created} (${texts.perFive})`, read: point => point.addresses, show: plain },
    { name: texts.now.streams, read: point => point.streams, show: plain },
    { name: texts.now.memory, read: point => point.memoryBytes, show: bytes },
    { name: texts.now.disk, read: point => point.diskFreeBytes, show: bytes },
    { name: texts.now.loop, read: point => point.loopDelayMs, show: value => `${plain(value)} ms` },
    { name: texts.now.queue, read: point => point.queue, show: plain },
  ]
  return (
    <section className="mt-10">
      <h2 className="mb-4 text-lg">{texts.graphs}</h2>
      {points.length === 0 ? (
        <p>{texts.noPoints}</p>
      ) : (
        <div className="grid gap-x-8 gap-y-6 sm:grid-cols-2">
          {graphs.map(graph => (
            <Graph key={graph.name} points={points} {...graph} />
          ))}
        </div>
      )}
    </section>
  )
}

type GraphProps = { points: readonly Point[]; name: string; read: (point: Point) => number; show: (value: number) => string }

function Graph({ points, name, read, show }: GraphProps) {
  const texts = useTexts('operator')
  const newest = Math.max(...points.map(({ at }) => Date.parse(at)))
  const start = newest + BUCKET_MS - DAY_MS
  const values = points.map(read)
  const max = Math.max(...values)
  const bars = points.map((point, index) => {
    const height = max > 0 ? ((values[index] ?? 0) / max) * HEIGHT : 0
    const x = ((Date.parse(point.at) - start) / DAY_MS) * WIDTH
    return `M${x.toFixed(1)} ${HEIGHT}v${(-height).toFixed(1)}h1v${height.toFixed(1)}z`
  })
  const label = texts.graph({ name, max: show(max), last: show(values.at(-1) ?? 0) })
  return (
    <figure>
      <figcaption className="mb-1 flex justify-between gap-4 text-sm">
        <span>{name}</span>
        <span className="text-muted tabular-nums">{show(values.at(-1) ?? 0)}</span>
      </figcaption>
      <svg role="img" aria-label={label} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" className="h-16 w-full">
        <path d={`M0 ${HEIGHT - 0.5}h${WIDTH}`} className="stroke-line" />
        <path d={bars.join('')} className="fill-river" />
      </svg>
    </figure>
  )
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** In the largest unit that leaves a number of at least 1, with one digit after the point below 10. */
function formatBytes(bytes: number, language: Language): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** power
  const format = new Intl.NumberFormat(language, {
    style: 'unit',
    unit: UNITS[power] ?? 'byte',
    maximumFractionDigits: value < 10 && power > 0 ? 1 : 0,
  })
  return format.format(value)
}
