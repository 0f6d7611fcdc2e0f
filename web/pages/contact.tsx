import { useEffect } from 'react'
import { LetterBoat } from '#web/components/drawings/letter-boat.tsx'
import { InnerPage } from '#web/components/layout/inner-page.tsx'
import { ContactForm } from '#web/features/contact/contact-form.tsx'
import { ContactHeader } from '#web/features/contact/contact-header.tsx'
import { useAuth } from '#web/lib/auth/auth.tsx'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { Link } from '#web/lib/routing/router.tsx'
import { Head } from '#web/lib/site/head.tsx'
import { useSiteConfig } from '#web/lib/site/site-config.ts'

export default function ContactPage() {
  const texts = useTexts('contact')
  const { supportEmail } = useSiteConfig()
  const { refresh } = useAuth()
  useEffect(() => void refresh(), [refresh])
  return (
    <InnerPage>
      <Head {...texts.meta} path="/contact" />
      <div className="max-w-xl lg:grid lg:max-w-none lg:grid-cols-2 lg:gap-x-[min(7vw,6rem)]">
        <div>
          <ContactHeader />
          <h1 className="text-2xl">{texts.heading}</h1>
          <p className="mt-2 mb-6 text-muted">{texts.lead}</p>
          <ContactForm />
        </div>
        <div className="self-start lg:sticky lg:top-8 lg:mt-10">
          <LetterBoat className="w-full cover rounded-lg max-lg:hidden" />
          <p className="mt-6 text-muted">
            {`${texts.urgent} `}
            <a href={`mailto:${supportEmail}`} className="break-all text-ink underline underline-offset-4">
              {supportEmail}
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
