import { useEffect } from 'react'
import { InnerPage, WayBack } from '#web/components/layout/inner-page.tsx'
import { Address } from '#web/components/ui/address.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Skeleton } from '#web/components/ui/status-dot.tsx'
import { ProAddresses } from '#web/features/account/addresses.tsx'
import { DeleteAccount, Passkeys, useAccountPasskeys } from '#web/features/account/passkeys.tsx'
import { AccountApiKeys, AccountWebhooks } from '#web/features/account/programs.tsx'
import { ChangePassword, Devices } from '#web/features/account/settings.tsx'
import { authStore, useAuth } from '#web/lib/auth/auth.tsx'
import type { AuthState } from '#web/lib/auth/auth-store.ts'
import { signOut } from '#web/lib/auth/sign-in.ts'
import { useHydrated } from '#web/lib/browser/hydrated.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { Link, Redirect, useNavigate } from '#web/lib/routing/router.tsx'
import { Head } from '#web/lib/site/head.tsx'

export default function AccountPage() {
  const texts = useTexts('account')
  const auth = useAuth()
  useEffect(() => void authStore.refresh(), [])
  // At least as tall as the screen, so that the footer stays below it while the page loads.
  return (
    <InnerPage className="min-h-dvh">
      <Head title={texts.title} description={texts.description} path="/account" noindex />
      <WayBack />
      <h1 className="text-2xl">{texts.heading}</h1>
      <AccountBody auth={auth} />
    </InnerPage>
  )
}

function AccountBody({ auth }: { auth: AuthState }) {
  const texts = useTexts('account')
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
      <div className="list-row mt-2 mb-8">
        <div className="min-w-0">
          <p className="text-muted">
            <Address email={auth.email} />
          </p>
          {auth.isOperator && (
            <Link to="/operator" className="inline-flex min-h-11 items-center underline underline-offset-4">
              {texts.operator}
            </Link>
          )}
        </div>
        <Button className="shrink-0" onClick={() => void signOut().catch(authStore.refresh)}>
          {texts.signOut}
        </Button>
      </div>
      <div className="gap-14 lg:grid lg:grid-cols-[11rem_minmax(0,42rem)] min-[78rem]:grid-cols-[11rem_minmax(0,1fr)]">
        <SectionLinks />
        <AccountSections email={auth.email} />
      </div>
    </>
  )
}

function AccountSections({ email }: { email: string }) {
  const navigate = useNavigate()
  const passkeys = useAccountPasskeys()
  return (
    <div className="@container">
      <ProAddresses onOpen={() => navigate('/')} />
      <ChangePassword email={email} />
      <Devices />
      <Passkeys {...passkeys} />
      <AccountApiKeys hasPasskey={Boolean(passkeys.list?.length)} />
      <AccountWebhooks />
      <DeleteAccount list={passkeys.list} />
    </div>
  )
}

/** Beside the sections, and in view with each of them, where there is room; else above them. */
function SectionLinks() {
  const texts = useTexts('account')
  const links: [id: string, title: string][] = [
    ['addresses', texts.addresses],
    ['password', texts.changePassword],
    ['devices', texts.devices],
    ['passkeys', texts.passkeys],
    ['api-keys', texts.keys],
    ['webhooks', texts.webhooks],
    ['delete-account', texts.delete],
  ]
  return (
    <nav
      aria-label={texts.sections}
      className="grid grid-cols-[repeat(auto-fill,minmax(min(8.5rem,100%),1fr))] gap-x-4 self-start border-line border-t py-3 lg:sticky lg:top-4 lg:py-6"
    >
      {links.map(([id, title]) => (
        <a
          key={id}
          href={`#${id}`}
          className="inline-flex min-h-11 min-w-11 items-center text-muted transition-colors duration-150 ease-out hover:text-ink"
        >
          {title}
        </a>
      ))}
    </nav>
  )
}
