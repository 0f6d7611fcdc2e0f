import { useEffect } from 'react'
import { InnerPage } from '#web/components/layout/inner-page.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Skeleton } from '#web/components/ui/status-dot.tsx'
import { ProAddresses } from '#web/features/account/addresses.tsx'
import { ApiKeys, DeleteAccount, Devices } from '#web/features/account/settings.tsx'
import { type Auth, useAuth } from '#web/lib/auth/auth.tsx'
import { useHydrated } from '#web/lib/browser/hydrated.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { Redirect, useNavigate } from '#web/lib/routing/router.tsx'
import { Head } from '#web/lib/site/head.tsx'

export default function AccountPage() {
  const texts = useTexts('account')
  const auth = useAuth()
  const { refresh } = auth
  useEffect(() => void refresh(), [refresh])
  // At least as tall as the screen, so that the footer stays below it while the page loads.
  return (
    <InnerPage className="min-h-dvh">
      <Head title={texts.title} description={texts.description} path="/account" noindex />
      <div className="max-w-2xl">
        <h1 className="text-2xl">{texts.heading}</h1>
        <AccountBody auth={auth} />
      </div>
    </InnerPage>
  )
}

function AccountBody({ auth }: { auth: Auth }) {
  const texts = useTexts('account')
  const navigate = useNavigate()
  const isHydrated = useHydrated()
  // The served HTML is the loading state for everyone.
  if (auth.status === 'loading' || !isHydrated) {
    return (
      <div role="status" aria-label={texts.loading} className="flex flex-col gap-4 py-8">
        <Skeleton className="h-6 w-2/3" />
        <Skeleton className="h-40 w-full" />
      </div>
    )
  }
  if (auth.status === 'signed-out') return <Redirect to="/auth" />
  return (
    <>
      <div className="mt-2 mb-8 flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0 text-muted [overflow-wrap:anywhere]">{auth.email}</p>
        <Button className="max-sm:w-full" onClick={() => void auth.signOut().catch(() => auth.refresh())}>
          {texts.signOut}
        </Button>
      </div>
      <ProAddresses onOpen={() => navigate('/')} />
      <ApiKeys />
      <Devices />
      <DeleteAccount />
    </>
  )
}
