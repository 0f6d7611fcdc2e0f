import { NewPasswordPanel } from '#web/features/auth/new-password-panel.tsx'
import { Head } from '#web/lib/head.tsx'
import { useTexts } from '#web/lib/i18n.tsx'

export default function AuthNewPasswordPage() {
  const { renew: texts } = useTexts('auth')
  return (
    <>
      <Head title={texts.title} description={texts.description} path="/auth/new-password" noindex />
      <NewPasswordPanel />
    </>
  )
}
