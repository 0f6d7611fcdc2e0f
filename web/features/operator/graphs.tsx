import type { Language } from '#contract/languages.ts'
import { HOUR_MS } from '#contract/limits.ts'
import type { OperatorOverview } from '#contract/operator.ts'
import { ChevronDown } from '#web/components/ui/icons.ts'
import { regional } from '#web/lib/i18n/date-and-time.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { clockTime } from '#web/lib/mailbox/countdown.ts'

type Point = OperatorOverview['points'][number]

const HOURS = 24
const [WIDTH, HEIGHT] = [288, 72]

const countRefused = ({ refused }: Pick<Point, 'refused'>) => Object.values(refused).reduce((sum, count) => sum + count, 0)

/** What came in and what was refused, hour by hour: the two figures that tell an attack or an outage from a quiet day. */
export function MailGraphs({ overview }: { overview: Pick<OperatorOverview, 'day' | 'now' | 'points'> }) {
  const { now: words } = useTexts('operator')
  const { language } = useLanguage()
  const number = new Intl.NumberFormat(language)
  const { day, now, points } = overview
  const all = [...points, { ...now, at: new Date().toISOString() }]
  return (
    <div className="mt-8 grid gap-x-12 gap-y-10 sm:grid-cols-2">
      <HourGraph
        name={words.delivered}
        total={number.format(day.delivered)}
        note={day.bytes > 0 ? formatBytes(day.bytes, language) : undefined}
        hours={perHour(all, ({ delivered }) => delivered)}
        className="fill-river"
      />
      <HourGraph name={words.refused} total={number.format(countRefused(day))} hours={perHour(all, countRefused)} className="fill-dusk" />
    </div>
  )
}

type Hour = { readonly start: number; readonly count: number }

/** The last 24 hours by the clock, oldest first, the running one last. */
function perHour(points: readonly Point[], read: (point: Point) => number): Hour[] {
  const last = Math.floor(Date.now() / HOUR_MS)
  const counts = new Map<number, number>()
  for (const point of points) {
    const hour = Math.floor(Date.parse(point.at) / HOUR_MS)
    counts.set(hour, (counts.get(hour) ?? 0) + read(point))
  }
  return Array.from({ length: HOURS }, (_, index) => last - HOURS + 1 + index).map(hour => ({
    start: hour * HOUR_MS,
    count: counts.get(hour) ?? 0,
  }))
}

type HourGraphProps = {
  readonly name: string
  readonly total: string
  readonly note?: string | undefined
  readonly hours: readonly Hour[]
  readonly className: string
}

function HourGraph({ name, total, note, hours, className }: HourGraphProps) {
  const texts = useTexts('operator')
  const { language } = useLanguage()
  const number = new Intl.NumberFormat(language)
  const max = Math.max(...hours.map(({ count }) => count))
  const step = WIDTH / HOURS
  const bars = hours.map(({ count }, index) => {
    const height = max > 0 ? (count / max) * (HEIGHT - 2) : 0
    return `M${(index * step + 1.5).toFixed(1)} ${HEIGHT - 1}v${(-height).toFixed(1)}h${(step - 3).toFixed(1)}v${height.toFixed(1)}z`
  })
  return (
    <figure>
      <figcaption>
        <span className="block text-muted text-sm">{name}</span>
        <span className="figures font-semibold text-2xl">{total}</span>
        {note !== undefined && <span className="ml-3 text-muted text-sm">{note}</span>}
      </figcaption>
      <svg
        role="img"
        aria-label={max > 0 ? texts.hourGraph({ name, max: number.format(max) }) : `${name}: ${texts.nothingYet}`}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className={`mt-2 w-full ${max > 0 ? 'h-24' : 'h-4'}`}
      >
        <path d={`M0 ${HEIGHT - 0.5}h${WIDTH}`} className="stroke-edge" />
        <path d={bars.join('')} className={className} />
      </svg>
      <p aria-hidden="true" className="flex justify-between text-muted text-sm">
        <span>{texts.dayAgo}</span>
        <span>{max > 0 ? texts.peak({ max: number.format(max) }) : texts.nothingYet}</span>
        <span>{texts.untilNow}</span>
      </p>
      {max > 0 && (
        <Folded title={texts.asTable}>
          <table className="w-full max-w-xs text-left text-sm">
            <thead>
              <tr className="text-muted">
                <th scope="col" className="py-1 font-medium">
                  {texts.hour}
                </th>
                <th scope="col" className="py-1 text-right font-medium">
                  {name}
                </th>
              </tr>
            </thead>
            <tbody>
              {hours.map(({ start, count }) => (
                <tr key={start} className="border-line border-t">
                  <td className="py-1">{clockTime(new Date(start), language)}</td>
                  <td className="figures py-1 text-right">{number.format(count)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Folded>
      )}
    </figure>
  )
}

/** A part that is seldom read. */
export function Folded({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <details className="group">
      <summary className="inline-flex min-h-11 list-none items-center gap-1.5 text-muted hover:text-ink">
        {title}
        <ChevronDown
          aria-hidden="true"
          strokeWidth={1.5}
          className="size-4 transition-transform duration-150 ease-out group-open:rotate-180"
        />
      </summary>
      {children}
    </details>
  )
}

/** How the process is doing, for whoever looks for a fault. */
export function Internals({ overview }: { overview: OperatorOverview }) {
  const { internals, now: words } = useTexts('operator')
  const { language } = useLanguage()
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 })
  const date = new Intl.DateTimeFormat(regional(language), { dateStyle: 'medium' })
  const { now, day, points, startedAt, version } = overview
  const bytes = (value: number) => formatBytes(value, language)
  const plain = (value: number) => number.format(value)
  const graphs: { name: string; read: (point: Point | typeof now) => number; show: (value: number) => string }[] = [
    { name: words.streams, read: point => point.streams, show: plain },
    { name: words.memory, read: point => point.memoryBytes, show: bytes },
    { name: words.disk, read: point => point.diskFreeBytes, show: bytes },
    { name: words.loop, read: point => point.loopDelayMs, show: value => `${plain(value)} ms` },
    { name: words.queue, read: point => point.queue, show: plain },
  ]
  return (
    <div className="mt-8 border-line border-t">
      <Folded title={internals}>
        <div className="grid gap-x-12 gap-y-6 pt-2 pb-6 sm:grid-cols-2 lg:grid-cols-3">
          {graphs.map(({ name, read, show }) => (
            <LevelGraph key={name} name={name} values={points.map(read)} last={read(now)} show={show} />
          ))}
          <div>
            <p className="text-sm">{words.botCheck}</p>
            <p className="figures text-lg">{plain(day.botCheckFailures)}</p>
          </div>
        </div>
        <p className="text-muted text-sm">{words.running({ date: date.format(new Date(startedAt)), version })}</p>
      </Folded>
    </div>
  )
}

type LevelGraphProps = { name: string; values: readonly number[]; last: number; show: (value: number) => string }

/** A line of what was measured every five minutes. The label says in words what it shows. */
function LevelGraph({ name, values, last, show }: LevelGraphProps) {
  const texts = useTexts('operator')
  const all = [...values, last]
  const max = Math.max(...all)
  const points = all.map((value, index) => {
    const x = all.length > 1 ? (index / (all.length - 1)) * WIDTH : WIDTH
    return `${x.toFixed(1)},${(max > 0 ? (1 - value / max) * (HEIGHT - 4) + 2 : HEIGHT - 2).toFixed(1)}`
  })
  return (
    <figure>
      <figcaption className="mb-1 text-sm">
        {name} <span className="figures block text-lg">{show(last)}</span>
      </figcaption>
      <svg
        role="img"
        aria-label={texts.graph({ name, max: show(max), last: show(last) })}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-10 w-full"
      >
        <path d={`M0 ${HEIGHT - 0.5}h${WIDTH}`} className="stroke-line" />
        <polyline points={points.join(' ')} className="fill-none stroke-2 stroke-river" vectorEffect="non-scaling-stroke" />
      </svg>
    </figure>
  )
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** In the largest unit that leaves a number of at least 1, with one digit after the point below 10. */
export function formatBytes(bytes: number, language: Language): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** power
  const format = new Intl.NumberFormat(language, {
    style: 'unit',
    unit: UNITS[power] ?? 'byte',
    // The short form of bytes is no form of English: "332 byte".
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: value < 10 && power > 0 ? 1 : 0,
  })
  return format.format(value)
}
