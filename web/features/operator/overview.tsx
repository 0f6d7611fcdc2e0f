import type { OperatorOverview } from '#contract/operator.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { formatBytes } from './format.ts'

export function Overview({ overview }: { overview: OperatorOverview }) {
  const { now: words } = useTexts('operator')
  const { language } = useLanguage()
  const { now, day, certificate, startedAt, version } = overview
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
  if (certificate) {
    const until = words.validUntil({ date: date.format(new Date(certificate.validTo)) })
    figures.push([words.certificate, certificate.isSelfSigned ? `${words.selfSigned}, ${until}` : until])
  }
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
      <h2 className="mt-8 mb-2 text-lg">{words.reasons}</h2>
      {refusals.length === 0 ? (
        <p>{words.nothingRefused}</p>
      ) : (
        <table className="w-full max-w-md text-left">
          <thead>
            <tr className="text-muted text-sm">
              <th scope="col" className="py-1 font-medium">
                {words.reason}
              </th>
              <th scope="col" className="py-1 text-right font-medium">
                {words.count}
              </th>
            </tr>
          </thead>
          <tbody>
            {refusals.map(([reason, count]) => (
              <tr key={reason} className="border-line border-t">
                <td className="py-1.5 font-mono text-sm">{reason}</td>
                <td className="py-1.5 text-right tabular-nums">{number.format(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}
