import { useEffect } from 'react'
import { AuthFrame } from '#web/features/auth/auth-frame.tsx'
import { AuthTabs } from '#web/features/auth/auth-tabs.tsx'
import { Comparison } from '#web/features/auth/comparison.tsx'
import { useAuth } from '#web/lib/auth/auth.tsx'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { Redirect } from '#web/lib/routing/router.tsx'
import { Head } from '#web/lib/site/head.tsx'

export default function AuthPage() {
  const texts = useTexts('auth')
  const { status, refresh } = useAuth()
  useEffect(() => void refresh(), [refresh])
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
