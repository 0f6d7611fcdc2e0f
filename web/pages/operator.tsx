import { type ReactNode, useCallback, useEffect, useState } from 'react'
import type { OperatorSession } from '#contract/operator.ts'
import { MooredBoat } from '#web/components/drawings/pictures.ts'
import { InnerPage, WayBack } from '#web/components/layout/inner-page.tsx'
import { ButtonLink } from '#web/components/ui/button.tsx'
import { Skeleton } from '#web/components/ui/status-dot.tsx'
import { Console } from '#web/features/operator/console.tsx'
import { SecondFactorStep } from '#web/features/operator/second-factor.tsx'
import { readOperatorSession } from '#web/lib/api/operator-routes.ts'
import { ProblemError, request } from '#web/lib/api/request.ts'
import { authStore, useAuth } from '#web/lib/auth/auth.tsx'
import { useHydrated } from '#web/lib/browser/hydrated.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { Head } from '#web/lib/site/head.tsx'

export default function OperatorPage() {
  const texts = useTexts('operator')
  return (
    <InnerPage>
      <Head title={texts.title} description={texts.description} path="/operator" noindex />
      <WayBack />
      <h1 className="mb-6 text-2xl">{texts.heading}</h1>
      <OperatorBody />
    </InnerPage>
  )
}

function OperatorBody() {
  const texts = useTexts('operator')
  const [state, setState] = useState<'loading' | 'absent' | 'failed' | OperatorSession>('loading')
  const look = useCallback(async () => {
    try {
      setState(await request(readOperatorSession, {}))
    } catch (error) {
      const code = error instanceof ProblemError ? error.code : undefined
      setState(code === 'not_found' ? 'absent' : 'failed')
    }
  }, [])
  const { status } = useAuth()
  const isHydrated = useHydrated()
  useEffect(() => void authStore.refresh(), [])
  // Not requested when signed out: the browser would log the refusal in its console.
  useEffect(() => {
    if (status === 'signed-in') void look()
  }, [look, status])

  // The served HTML is the loading state for everyone.
  if (!isHydrated || status === 'loading' || (status === 'signed-in' && state === 'loading')) {
    return (
      <div role="status" aria-label={texts.loading} className="flex flex-col gap-4">
        <Skeleton className="h-6 w-2/3" />
        <Skeleton className="h-40 w-full" />
      </div>
    )
  }
  if (status === 'signed-out' || state === 'loading') {
    return (
      <Gate>
        <p className="mb-5">{texts.signedOut}</p>
        <ButtonLink variant="primary" to="/auth">
          {texts.signIn}
        </ButtonLink>
      </Gate>
    )
  }
  if (state === 'absent') return <Gate>{texts.absent}</Gate>
  if (state === 'failed')
    return (
      <Gate>
        <p role="alert">{texts.failed}</p>
      </Gate>
    )
  if (!state.isVerified)
    return (
      <Gate>
        <SecondFactorStep isEnrolled={state.isEnrolled} onVerified={() => void look()} />
      </Gate>
    )
  return <Console onLocked={() => void look()} />
}

/** What stands before the figures, beside a drawing. */
function Gate({ children }: { children: ReactNode }) {
  return (
    <div className="grid items-start gap-x-16 gap-y-8 lg:grid-cols-[6fr_5fr]">
      <div>{children}</div>
      <MooredBoat className="w-full max-lg:mx-auto max-lg:max-w-md" />
    </div>
  )
}
