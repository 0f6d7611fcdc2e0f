import { Fragment } from 'react'
import type { Report } from '#contract/mailbox.ts'
import { NamesUnbroken } from '#web/components/ui/address.tsx'
import { dateAndTime } from '#web/lib/i18n/date-and-time.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'

/** What a server or a mail program reports on another mail: whether it arrived, or why it did not. */
export function ReportCard({ report: { kind, fields } }: { report: Report }) {
  const { kinds, labels } = useTexts('message').report
  const { language } = useLanguage()
  const rows = fields.flatMap(({ name, value }, at) => (labels[name] === undefined ? [] : [{ name, label: labels[name], value, at }]))
  return (
    <section aria-label={kinds[kind]} data-testid="report" className="mx-5 mb-4 border-river border-l-2 py-1 pl-3 leading-snug sm:mx-6">
      <p className="font-medium">{kinds[kind]}</p>
      {/* On a phone a value has the whole width, so that a long address is not broken into its parts. */}
      <dl className="mt-1 grid gap-x-4 text-sm [overflow-wrap:anywhere] sm:grid-cols-[auto_minmax(0,1fr)]">
        {rows.map(({ name, label, value, at }) => (
          <Fragment key={at}>
            <dt className="text-muted max-sm:mt-1.5">{label}</dt>
            <dd>
              <bdi>
                <NamesUnbroken text={DATES.test(name) ? readableDate(value, language) : value} />
              </bdi>
            </dd>
          </Fragment>
        ))}
      </dl>
    </section>
  )
}

const DATES = /^Date$|-Date$|-Until$/

/** In the visitor's own time; as it was written if it is no date. */
function readableDate(value: string, language: string): string {
  return Number.isNaN(Date.parse(value)) ? value : dateAndTime(value, language)
}
