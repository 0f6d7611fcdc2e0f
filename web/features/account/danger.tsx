import { useState } from 'react'
import { Button } from '#web/components/ui/button.tsx'
import { Field, Input } from '#web/components/ui/field.tsx'
import { deleteAccount } from '#web/lib/api/account-api.ts'
import { useAuth } from '#web/lib/auth/auth.tsx'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { problemText, showFailure } from '#web/lib/notify/failure-toast.ts'
import { showToast } from '#web/lib/notify/toasts.ts'
import { FORM, Section } from './section.tsx'

export function Devices() {
  const texts = useTexts('account')
  const errors = useTexts('errors')
  const auth = useAuth()

  async function signOutEverywhere() {
    try {
      await auth.signOutEverywhere()
    } catch (error) {
      showFailure(errors.title, problemText(error, errors))
    }
  }

  return (
    <Section title={texts.devices} hint={texts.devicesHint}>
      <Button className="max-sm:w-full" onClick={() => void signOutEverywhere()}>
        {texts.signOutEverywhere}
      </Button>
    </Section>
  )
}

/** Asks for the password again, so that nobody can delete an account from a borrowed browser. */
export function DeleteAccount() {
  const texts = useTexts('account')
  const errors = useTexts('errors')
  const auth = useAuth()
  const [password, setPassword] = useState('')
  const [isRemoving, setIsRemoving] = useState(false)

  async function remove() {
    setIsRemoving(true)
    try {
      await deleteAccount(password)
      showToast({ title: texts.removed })
      await auth.refresh()
    } catch (error) {
      showFailure(texts.removeFailed, problemText(error, errors))
      setIsRemoving(false)
    }
  }

  return (
    <Section title={texts.remove} hint={texts.removeHint}>
      <form
        noValidate
        className={FORM}
        onSubmit={event => {
          event.preventDefault()
          void remove()
        }}
      >
        <Field label={texts.password} className="w-full">
          {control => (
            <Input
              {...control}
              type="password"
              autoComplete="current-password"
              value={password}
              onChange={event => setPassword(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" variant="danger" disabled={isRemoving || password === ''}>
          {isRemoving ? texts.removing : texts.remove}
        </Button>
      </form>
    </Section>
  )
}
