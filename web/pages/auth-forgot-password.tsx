import { ForgotPasswordPanel } from '#web/features/auth/forgot-password-panel.tsx'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { Head } from '#web/lib/site/head.tsx'

export default function AuthForgotPasswordPage() {
  const { forgotten: texts } = useTexts('auth')
  return (
    <>
      <Head title={texts.title} description={texts.description} path="/auth/forgot-password" noindex />
      <ForgotPasswordPanel />
    </>
  )
}
