import { OnThisDevice } from '#web/features/legal/on-this-device.tsx'
import { PlainPage } from '#web/features/legal/plain-page.tsx'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { Head } from '#web/lib/site/head.tsx'
import { useSiteConfig } from '#web/lib/site/site-config.ts'

export function PrivacyPage() {
  const texts = useTexts('privacy')
  const { language } = useLanguage()
  const { botCheck } = useSiteConfig()
  return (
    <>
      <Head {...texts.meta} path="/privacy" image={`/social/home-${language}.png`} />
      <PlainPage texts={texts}>
        {botCheck.provider === 'recaptcha' && <p className="mt-9">{texts.recaptcha}</p>}
        <OnThisDevice />
      </PlainPage>
    </>
  )
}

export function TermsPage() {
  const texts = useTexts('terms')
  const { language } = useLanguage()
  return (
    <>
      <Head {...texts.meta} path="/terms" image={`/social/home-${language}.png`} />
      <PlainPage texts={texts} />
    </>
  )
}
