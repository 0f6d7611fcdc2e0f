import { useEffect } from 'react'
import { AuthTabs, Comparison } from '#web/features/auth/auth-tabs.tsx'
import { AuthFrame } from '#web/features/auth/form-parts.tsx'
import { ConfirmPanel, ForgotPasswordPanel, NewPasswordPanel } from '#web/features/auth/mail-links.tsx'
import { authStore, useAuth } from '#web/lib/auth/auth.tsx'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { Redirect } from '#web/lib/routing/router.tsx'
import { Head } from '#web/lib/site/head.tsx'

export function AuthPage() {
  const texts = useTexts('auth')
  const { status } = useAuth()
  useEffect(() => void authStore.refresh(), [])
  return (
    <>
      <Head {...texts.meta} path="/auth" />
      {status === 'signed-in' ? (
        <Redirect to="/" />
      ) : (
        <AuthFrame heading={texts.heading} lead={texts.lead} aside={<Comparison />}>
          <AuthTabs />
        </AuthFrame>
      )}
    </>
  )
}

export function ConfirmPage() {
  const { confirm: texts } = useTexts('auth')
  return (
    <>
      <Head title={texts.title} description={texts.description} path="/auth/confirm" noindex />
      <ConfirmPanel />
    </>
  )
}

export function ForgotPasswordPage() {
  const { forgotten: texts } = useTexts('auth')
  return (
    <>
      <Head title={texts.title} description={texts.description} path="/auth/forgot-password" noindex />
      <ForgotPasswordPanel />
    </>
  )
}

export function NewPasswordPage() {
  const { renew: texts } = useTexts('auth')
  return (
    <>
      <Head title={texts.title} description={texts.description} path="/auth/new-password" noindex />
      <NewPasswordPanel />
    </>
  )
}
