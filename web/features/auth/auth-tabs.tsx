import { useState } from 'react'
import { Tabs } from '#web/components/ui/tabs.tsx'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { SignUpForm } from './sign-up-form.tsx'

export function AuthTabs() {
  const texts = useTexts('auth')
  const [selected, setSelected] = useState<'signIn' | 'signUp'>('signIn')
  const [sentTo, setSentTo] = useState<string>()
  const welcome = (email: string) => {
    setSentTo(email)
    setSelected('signIn')
  }
  return (
    <Tabs
      label={texts.tabs}
      selected={selected}
      onSelect={setSelected}
      tabs={[
        { name: 'signIn', label: texts.signIn, panel: <SignInForm sentTo={sentTo} /> },
        { name: 'signUp', label: texts.signUp, panel: <SignUpForm onDone={welcome} /> },
      ]}
    />
  )
}
