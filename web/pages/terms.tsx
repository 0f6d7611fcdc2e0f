import { PlainPage } from '#web/features/legal/plain-page.tsx'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { Head } from '#web/lib/site/head.tsx'

export default function TermsPage() {
  const texts = useTexts('terms')
  const { language } = useLanguage()
  return (
    <>
      <Head {...texts.meta} path="/terms" image={`/social/home-${language}.png`} />
      <PlainPage texts={texts} />
    </>
  )
}
