import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import type { FieldErrors, UseFormRegisterReturn } from 'react-hook-form'
import { type CredentialErrorKey, credentialErrors } from '#contract/account.ts'
import { InnerPage, WayBack } from '#web/components/layout/inner-page.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Field, Input, SaidByToast } from '#web/components/ui/field.tsx'
import { PasswordInput } from '#web/components/ui/password-input.tsx'
import { hasPasskeys } from '#web/lib/auth/passkeys.ts'
import { useHydrated } from '#web/lib/browser/hydrated.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'

/** The type of an error whose message is the server's refusal, in the visitor's language. */
export const REFUSED = 'refused'

type FieldError = FieldErrors<{ value: string }>['value']

function useErrorText(error: FieldError): ReactNode {
  const texts = useTexts('auth')
  if (!error) return undefined
  if (error.type === REFUSED) return <SaidByToast>{error.message}</SaidByToast>
  const key = Object.keys(credentialErrors).find((known): known is CredentialErrorKey => known === error.message)
  return key ? texts[key] : texts.emailInvalid
}

export function EmailField({ registered, error }: { registered: UseFormRegisterReturn; error: FieldError }) {
  const texts = useTexts('auth')
  return (
    <Field label={texts.email} error={useErrorText(error)}>
      <Input {...registered} type="email" autoComplete="email" inputMode="email" />
    </Field>
  )
}

type PasswordProps = { registered: UseFormRegisterReturn; error: FieldError; isNew: boolean; label?: string }

export function PasswordField({ registered, error, isNew, label }: PasswordProps) {
  const texts = useTexts('auth')
  return (
    <Field label={label ?? texts.password} hint={isNew ? texts.passwordHint : undefined} error={useErrorText(error)}>
      <PasswordInput {...registered} autoComplete={isNew ? 'new-password' : 'current-password'} />
    </Field>
  )
}

type AuthFrameProps = { heading: string; lead: string; children?: ReactNode; aside?: ReactNode }

/** The narrow column around all account forms, with a link to the home page. On a wide screen `aside` is beside it. */
export function AuthFrame({ heading, lead, children, aside }: AuthFrameProps) {
  return (
    <InnerPage>
      <div
        className={clsx(
          'mx-auto max-w-md lg:mx-0',
          aside && 'lg:grid lg:max-w-none lg:grid-cols-[minmax(0,9fr)_minmax(0,11fr)] lg:items-start lg:gap-x-[min(7vw,6rem)]',
        )}
      >
        <div>
          <WayBack />
          <h1 className="text-2xl">{heading}</h1>
          <p className="mt-3 mb-6 text-muted sm:text-lg">{lead}</p>
          {children}
        </div>
        {aside}
      </div>
    </InnerPage>
  )
}

/** Below a form, where the browser has passkeys. */
export function PasskeyButton({ label, isWorking, onPress }: { label: string; isWorking: boolean; onPress: () => void }) {
  const { or } = useTexts('auth')
  const isHydrated = useHydrated()
  if (!isHydrated || !hasPasskeys()) return null
  return (
    <div className="flex flex-col gap-3 pt-3">
      <p className="flex items-center gap-3 text-muted text-sm before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {or}
      </p>
      <Button size="lg" aria-disabled={isWorking} aria-busy={isWorking} onClick={() => !isWorking && onPress()}>
        {label}
      </Button>
    </div>
  )
}
