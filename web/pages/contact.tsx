import { useEffect } from 'react'
import { LetterBoat, MayflyAndLure } from '#web/components/drawings/pictures.ts'
import { InnerPage, WayBack } from '#web/components/layout/inner-page.tsx'
import { Address } from '#web/components/ui/address.tsx'
import { ContactForm, ContactHeader } from '#web/features/contact/contact-form.tsx'
import { ReportForm } from '#web/features/contact/report-form.tsx'
import { authStore } from '#web/lib/auth/auth.tsx'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { Link } from '#web/lib/routing/router.tsx'
import { Head } from '#web/lib/site/head.tsx'
import { useSiteConfig } from '#web/lib/site/site-config.ts'

const FORM_AND_PICTURE = 'max-w-xl lg:grid lg:max-w-none lg:grid-cols-2 lg:gap-x-[min(7vw,6rem)]'
const BESIDE_FORM = 'self-start lg:sticky lg:top-8 lg:mt-10'
const PICTURE = 'w-full cover rounded-lg max-lg:hidden'

export function ContactPage() {
  const texts = useTexts('contact')
  const { supportEmail } = useSiteConfig()
  useEffect(() => void authStore.refresh(), [])
  return (
    <InnerPage>
      <Head {...texts.meta} path="/contact" />
      <div className={FORM_AND_PICTURE}>
        <div>
          <ContactHeader />
          <h1 className="text-2xl">{texts.heading}</h1>
          <p className="mt-3 mb-6 text-muted sm:text-lg">{texts.lead}</p>
          <ContactForm />
        </div>
        <div className={BESIDE_FORM}>
          <LetterBoat className={PICTURE} />
          <p className="mt-6 text-muted">
            {`${texts.urgent} `}
            <a href={`mailto:${supportEmail}`} aria-label={supportEmail} className="text-ink underline underline-offset-4">
              <Address email={supportEmail} />
            </a>
          </p>
          <p className="mt-2">
            <Link to="/report" className="inline-flex min-h-11 items-center underline underline-offset-4">
              {texts.report}
            </Link>
          </p>
        </div>
      </div>
    </InnerPage>
  )
}

/** RFC 2142: the operator reads all of these. */
const MAILBOXES = ['abuse', 'security', 'postmaster'] as const

export function ReportPage() {
  const texts = useTexts('report')
  const { domains } = useSiteConfig()
  return (
    <InnerPage>
      <Head title={texts.title} description={texts.description} path="/report" noindex />
      <div className={FORM_AND_PICTURE}>
        <div>
          <WayBack />
          <h1 className="text-2xl">{texts.heading}</h1>
          <p className="mt-3 mb-6 text-muted sm:text-lg">{texts.lead}</p>
          <ReportForm />
        </div>
        <div className={BESIDE_FORM}>
          <MayflyAndLure className={PICTURE} />
          <p className="mt-6 text-muted">{texts.byMail}</p>
          <ul>
            {MAILBOXES.map(name => (
              <li key={name}>
                <a href={`mailto:${name}@${domains[0]}`} className="text-ink underline underline-offset-4">
                  <Address email={`${name}@${domains[0]}`} />
                </a>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </InnerPage>
  )
}
