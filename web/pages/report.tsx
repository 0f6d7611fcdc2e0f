import { InnerPage } from '#web/components/layout/inner-page.tsx'
import { ReportForm } from '#web/features/report/report-form.tsx'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { Head } from '#web/lib/site/head.tsx'
import { useSiteConfig } from '#web/lib/site/site-config.ts'

/** RFC 2142: the operator reads all of these. */
const MAILBOXES = ['abuse', 'security', 'postmaster'] as const

export default function ReportPage() {
  const texts = useTexts('report')
  const { domains } = useSiteConfig()
  return (
    <InnerPage>
      <Head title={texts.title} description={texts.description} path="/report" noindex />
      <div className="max-w-2xl">
        <h1 className="text-2xl">{texts.heading}</h1>
        <p className="mt-2 mb-6 text-muted">{texts.lead}</p>
        <ReportForm />
        <p className="mt-8 text-muted">{texts.byMail}</p>
        <ul>
          {MAILBOXES.map(name => (
            <li key={name}>
              <a href={`mailto:${name}@${domains[0]}`} className="break-all text-ink underline underline-offset-4">
                {`${name}@${domains[0]}`}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </InnerPage>
  )
}
