import type { OperatorOverview } from '#contract/operator.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { formatBytes } from './format.ts'

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
