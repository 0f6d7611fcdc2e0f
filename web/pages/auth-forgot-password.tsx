import { ForgotPasswordPanel } from '#web/features/auth/forgot-password-panel.tsx'
import { Head } from '#web/lib/head.tsx'
import { useTexts } from '#web/lib/i18n.tsx'

export default function AuthForgotPasswordPage() {
  const { forgotten: texts } = useTexts('auth')
  return (
    <>
      <Head title={texts.title} description={texts.description} path="/auth/forgot-password" noindex />
      <ForgotPasswordPanel />
    </>
  )
}
