import { NewPasswordPanel } from '#web/features/auth/new-password-panel.tsx'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { Head } from '#web/lib/site/head.tsx'

export default function AuthNewPasswordPage() {
  const { renew: texts } = useTexts('auth')
  return (
    <>
      <Head title={texts.title} description={texts.description} path="/auth/new-password" noindex />
      <NewPasswordPanel />
    </>
  )
}
