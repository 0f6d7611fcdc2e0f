import { useState } from 'react'
import { Tabs } from '#web/components/ui/tabs.tsx'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { SignUpForm } from './sign-up-form.tsx'

export function AuthTabs() {
  const texts = useTexts('auth')
  const [selected, select] = useState<'signIn' | 'signUp'>('signIn')
  const [sentTo, keep] = useState<string>()
  const welcome = (email: string) => {
    keep(email)
    select('signIn')
  }
  return (
    <Tabs
      label={texts.tabs}
      selected={selected}
      onSelect={select}
      tabs={[
        { name: 'signIn', label: texts.signIn, panel: <SignInForm sentTo={sentTo} /> },
        { name: 'signUp', label: texts.signUp, panel: <SignUpForm onDone={welcome} /> },
      ]}
    />
  )
}
