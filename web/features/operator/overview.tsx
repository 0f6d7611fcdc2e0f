import type { OperatorOverview } from '#contract/operator.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { Certificates } from './certificates.tsx'
import { CountTable } from './count-table.tsx'
import { formatBytes } from './format.ts'

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
