import type { Report } from '#contract/mailbox.ts'
import { NamesUnbroken } from '#web/components/ui/address.tsx'
import { useTexts } from '#web/lib/i18n/i18n.tsx'

/** What a server or a mail program reports on another mail: whether it arrived, or why it did not. */
export function ReportCard({ report: { kind, fields } }: { report: Report }) {
  const { kinds, labels } = useTexts('message').report
  const rows = fields.flatMap(({ name, value }, at) => (labels[name] === undefined ? [] : [{ label: labels[name], value, at }]))
  return (
    <section aria-label={kinds[kind]} data-testid="report" className="mx-5 mb-4 border-river border-l-2 py-1 pl-3 leading-snug sm:mx-6">
      <p className="font-medium">{kinds[kind]}</p>
      <table className="mt-1 text-sm [overflow-wrap:anywhere]">
        <tbody>
          {rows.map(({ label, value, at }) => (
            <tr key={at} className="align-top">
              <th scope="row" className="whitespace-nowrap pr-4 text-left font-normal text-muted">
                {label}
              </th>
              <td>
                <bdi>
                  <NamesUnbroken text={value} />
                </bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
