import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { type Credentials, credentialsSchema } from '#contract/account.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Tabs } from '#web/components/ui/tabs.tsx'
import { ProblemError } from '#web/lib/api/request.ts'
import { useAuth } from '#web/lib/auth/auth.tsx'
import { useHydrated } from '#web/lib/browser/hydrated.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { showFailure } from '#web/lib/notify/failure-toast.ts'
import { showToast } from '#web/lib/notify/toasts.ts'
import { Link, useLocation, useNavigate } from '#web/lib/routing/router.tsx'
import { EmailField, PasswordField, REFUSED } from './credential-fields.tsx'
import { SignUpForm } from './sign-up-form.tsx'
import { useProblemText } from './use-problem-text.ts'

const SIGN_IN = '#sign-in'
const SIGN_UP = '#sign-up'

/** The chosen tab is in the URL, so that a link can lead to it and a press before the application has loaded counts. */
export function AuthTabs() {
  const texts = useTexts('auth')
  const { pathname, search, hash } = useLocation()
  const navigate = useNavigate()
  const [sentTo, setSentTo] = useState<string>()
  // The served page shows the first tab.
  const selected = useHydrated() && hash === SIGN_UP ? 'signUp' : 'signIn'
  const select = (name: 'signIn' | 'signUp') =>
    navigate({ pathname, search, hash: name === 'signUp' ? SIGN_UP : SIGN_IN }, { replace: true })
  const welcome = (email: string) => {
    setSentTo(email)
    select('signIn')
  }
  return (
    <Tabs
      label={texts.tabs}
      selected={selected}
      onSelect={select}
      tabs={[
        { name: 'signIn', label: texts.signIn, href: SIGN_IN, panel: <SignInForm sentTo={sentTo} /> },
        { name: 'signUp', label: texts.signUp, href: SIGN_UP, panel: <SignUpForm onDone={welcome} /> },
      ]}
    />
  )
}

/** `sentTo`: the address that a confirmation link was just mailed to. It stays visible after the toast. */
function SignInForm({ sentTo }: { sentTo?: string | undefined }) {
  const texts = useTexts('auth')
  const auth = useAuth()
  const problemText = useProblemText()
  const { register, handleSubmit, setError, formState } = useForm<Credentials>({
    resolver: standardSchemaResolver(credentialsSchema),
    defaultValues: { email: sentTo ?? '', password: '' },
  })
  const isHydrated = useHydrated()
  const { errors, isSubmitting } = formState

  async function submit(credentials: Credentials) {
    try {
      await auth.signIn(credentials)
      showToast({ title: texts.welcome, description: texts.signedIn })
    } catch (error) {
      const reason = problemText(error)
      showFailure(texts.signInFailed, reason)
      if (error instanceof ProblemError && error.code === 'credentials_wrong') setError('password', { type: REFUSED, message: reason })
    }
  }

  return (
    <form noValidate method="post" onSubmit={handleSubmit(submit)}>
      {sentTo !== undefined && (
        <p className="mt-6 rounded-md bg-river-wash px-4 py-3 text-sm [overflow-wrap:anywhere]">{texts.linkSent({ email: sentTo })}</p>
      )}
      <fieldset disabled={!isHydrated} className="flex flex-col pt-6">
        <EmailField registered={register('email')} error={errors.email} />
        <PasswordField registered={register('password')} error={errors.password} isNew={false} />
        <Button type="submit" variant="primary" size="lg" disabled={isSubmitting}>
          {isSubmitting ? texts.signingIn : texts.signIn}
        </Button>
        <Link to="/auth/forgot-password" className="mt-2 inline-flex min-h-11 items-center self-center underline underline-offset-4">
          {texts.forgot}
        </Link>
      </fieldset>
    </form>
  )
}
