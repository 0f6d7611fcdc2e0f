import { ConfirmPanel } from '#web/features/auth/confirm-panel.tsx'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { Head } from '#web/lib/site/head.tsx'

export default function AuthConfirmPage() {
  const { confirm: texts } = useTexts('auth')
  return (
    <>
      <Head title={texts.title} description={texts.description} path="/auth/confirm" noindex />
      <ConfirmPanel />
    </>
  )
}
