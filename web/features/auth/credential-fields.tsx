import { useState } from 'react'
import type { FieldErrors, UseFormRegisterReturn } from 'react-hook-form'
import { type CredentialErrorKey, credentialErrors } from '#contract/account.ts'
import { Field, Input } from '#web/components/ui/field.tsx'
import { Eye, EyeOff } from '#web/components/ui/lazy-icons.tsx'
import { VisuallyHidden } from '#web/components/ui/visually-hidden.tsx'
import { useTexts } from '#web/lib/i18n/i18n.tsx'

/** The type of an error whose message is the server's refusal, in the visitor's language. */
export const REFUSED = 'refused'

type FieldError = FieldErrors<{ value: string }>['value']

function useErrorText(error: FieldError): string | undefined {
  const texts = useTexts('auth')
  if (!error) return undefined
  if (error.type === REFUSED) return error.message
  const key = Object.keys(credentialErrors).find((known): known is CredentialErrorKey => known === error.message)
  return key ? texts[key] : texts.emailInvalid
}

export function EmailField({ registered, error }: { registered: UseFormRegisterReturn; error: FieldError }) {
  const texts = useTexts('auth')
  return (
    <Field label={texts.email} error={useErrorText(error)}>
      {control => <Input {...control} {...registered} type="email" autoComplete="email" inputMode="email" />}
    </Field>
  )
}

type PasswordProps = { registered: UseFormRegisterReturn; error: FieldError; isNew: boolean; label?: string }

export function PasswordField({ registered, error, isNew, label }: PasswordProps) {
  const texts = useTexts('auth')
  const [isShown, setIsShown] = useState(false)
  const Icon = isShown ? EyeOff : Eye
  return (
    <Field label={label ?? texts.password} hint={isNew ? texts.passwordHint : undefined} error={useErrorText(error)}>
      {control => (
        <div className="relative">
          <Input
            {...control}
            {...registered}
            type={isShown ? 'text' : 'password'}
            autoComplete={isNew ? 'new-password' : 'current-password'}
            autoCapitalize="none"
            spellCheck={false}
            className="pr-13"
          />
          <button
            type="button"
            onClick={() => setIsShown(!isShown)}
            className="absolute inset-y-0 right-0 grid w-12 place-items-center rounded-md text-muted hover:text-ink focus-visible:-outline-offset-4"
          >
            <Icon aria-hidden="true" className="size-5" strokeWidth={1.5} />
            <VisuallyHidden>{isShown ? texts.hidePassword : texts.showPassword}</VisuallyHidden>
          </button>
        </div>
      )}
    </Field>
  )
}
