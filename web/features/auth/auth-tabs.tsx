import { useState } from 'react'
import { Tabs } from '#web/components/ui/tabs.tsx'
import { useHydrated } from '#web/lib/browser/hydrated.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { useLocation, useNavigate } from '#web/lib/routing/router.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { SignUpForm } from './sign-up-form.tsx'

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
