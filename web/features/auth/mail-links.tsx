import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { type AccountProof, emailFormSchema, newPasswordFormSchema, passwordFormSchema } from '#contract/account.ts'
import { Button, ButtonLink } from '#web/components/ui/button.tsx'
import { forgotPassword, resetPassword } from '#web/lib/api/account-routes.ts'
import { ProblemError, send } from '#web/lib/api/request.ts'
import { askSession } from '#web/lib/auth/ask-session.ts'
import { authStore } from '#web/lib/auth/auth.tsx'
import { askForPasskey } from '#web/lib/auth/passkeys.ts'
import { useProblemText } from '#web/lib/auth/refusals.ts'
import { confirmSignUp } from '#web/lib/auth/sign-in.ts'
import { useHydrated } from '#web/lib/browser/hydrated.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { showFailure } from '#web/lib/notify/failure-toast.ts'
import { showToast } from '#web/lib/notify/toasts.ts'
import { useNavigate } from '#web/lib/routing/router.tsx'
import { AuthFrame, EmailField, PasskeyButton, PasswordField } from './form-parts.tsx'

/**
 * Confirms with the password or the passkey of the sign-up, by POST. Programs that scan mail open links but fill in no forms, and a link
 * from a stranger's sign-up confirms nothing, because only the stranger has these.
 */
export function ConfirmPanel() {
  const { confirm: texts, signIn, passkeyConfirm } = useTexts('auth')
  const problemText = useProblemText()
  const token = useLinkToken()
  const isHydrated = useHydrated()
  const navigate = useNavigate()
  const [isDead, setIsDead] = useState(false)
  const [problem, setProblem] = useState<string>()
  const { register, handleSubmit, formState } = useForm({
    resolver: standardSchemaResolver(passwordFormSchema),
    defaultValues: { password: '' },
  })
  const { errors, isSubmitting } = formState
  const [isAsking, setIsAsking] = useState(false)

  async function submitPasskey() {
    setIsAsking(true)
    await confirm(async () => ({ passkey: await askForPasskey() }))
    setIsAsking(false)
  }

  async function confirm(prove: () => Promise<AccountProof>) {
    if (token === undefined) return setIsDead(true)
    setProblem(undefined)
    try {
      await confirmSignUp({ token, ...(await prove()) })
      showToast({ title: texts.done, description: texts.doneText })
      navigate('/')
    } catch (error) {
      const code = error instanceof ProblemError ? error.code : undefined
      if (code === 'link_expired') setIsDead(true)
      else setProblem(code === 'credentials_wrong' ? texts.wrongPassword : problemText(error))
    }
  }

  if (isDead) {
    return (
      <AuthFrame heading={texts.failed} lead={texts.failedText}>
        <ButtonLink to="/auth" variant="primary" size="lg" className="w-full">
          {signIn}
        </ButtonLink>
      </AuthFrame>
    )
  }
  return (
    <AuthFrame heading={texts.heading} lead={texts.lead}>
      <form noValidate method="post" onSubmit={handleSubmit(({ password }) => confirm(async () => ({ password })))}>
        <fieldset disabled={!isHydrated} className="flex flex-col">
          <PasswordField registered={register('password')} error={errors.password} isNew={false} />
          <Button type="submit" variant="primary" size="lg" disabled={isSubmitting}>
            {isSubmitting ? texts.working : texts.button}
          </Button>
          <PasskeyButton label={passkeyConfirm} isWorking={isAsking} onPress={() => void submitPasskey()} />
        </fieldset>
      </form>
      <p role="alert" className="mt-3 text-ember-ink">
        {problem}
      </p>
    </AuthFrame>
  )
}

export function ForgotPasswordPanel() {
  const { forgotten: texts, signIn } = useTexts('auth')
  const { language } = useLanguage()
  const problemText = useProblemText()
  const [isSent, setIsSent] = useState(false)
  const { register, handleSubmit, formState } = useForm({ resolver: standardSchemaResolver(emailFormSchema), defaultValues: { email: '' } })
  const isHydrated = useHydrated()
  const { errors, isSubmitting } = formState

  async function submit({ email }: { email: string }) {
    try {
      await send(forgotPassword, { json: { email, language } })
      setIsSent(true)
    } catch (error) {
      showFailure(texts.failed, problemText(error))
    }
  }

  if (isSent) {
    return (
      <AuthFrame heading={texts.done} lead={texts.doneText}>
        <ButtonLink to="/auth" size="lg" className="w-full">
          {signIn}
        </ButtonLink>
      </AuthFrame>
    )
  }
  return (
    <AuthFrame heading={texts.heading} lead={texts.lead}>
      <form noValidate method="post" onSubmit={handleSubmit(submit)}>
        <fieldset disabled={!isHydrated} className="flex flex-col">
          <EmailField registered={register('email')} error={errors.email} />
          <Button type="submit" variant="primary" size="lg" disabled={isSubmitting}>
            {isSubmitting ? texts.working : texts.button}
          </Button>
        </fieldset>
      </form>
    </AuthFrame>
  )
}

export function NewPasswordPanel() {
  const { renew: texts } = useTexts('auth')
  const problemText = useProblemText()
  const navigate = useNavigate()
  const token = useLinkToken()
  const { register, handleSubmit, formState } = useForm({
    resolver: standardSchemaResolver(newPasswordFormSchema),
    defaultValues: { password: '', destroyMailboxes: false },
  })
  const isHydrated = useHydrated()
  const { errors, isSubmitting } = formState

  async function submit({ password, destroyMailboxes }: { password: string; destroyMailboxes: boolean }) {
    if (token === undefined) return void showToast({ title: texts.failed, description: texts.noLink, variant: 'destructive' })
    try {
      await send(resetPassword, { json: { token, password, destroyMailboxes } })
      // Every session of that account is over. This browser may be signed in to another one.
      await askSession(false).then(authStore.set, console.warn)
      showToast({ title: texts.done, description: texts.doneText })
      navigate('/auth')
    } catch (error) {
      showFailure(texts.failed, problemText(error))
    }
  }

  return (
    <AuthFrame heading={texts.heading} lead={texts.lead}>
      <form noValidate method="post" onSubmit={handleSubmit(submit)}>
        <fieldset disabled={!isHydrated} className="flex flex-col">
          <PasswordField registered={register('password')} error={errors.password} isNew label={texts.password} />
          <label className="mb-3.5 flex min-h-11 items-start gap-3">
            <input type="checkbox" {...register('destroyMailboxes')} className="mt-1 size-5 shrink-0 accent-ink" />
            <span>
              {texts.destroyMailboxes}
              <span className="block text-sm text-muted">{texts.destroyMailboxesHint}</span>
            </span>
          </label>
          <Button type="submit" variant="primary" size="lg" disabled={isSubmitting}>
            {isSubmitting ? texts.working : texts.button}
          </Button>
        </fieldset>
      </form>
    </AuthFrame>
  )
}

/** The token of a link in a mail: read from the URL's fragment and removed from it at once, so that no history contains it. */
function useLinkToken(): string | undefined {
  const [token, setToken] = useState<string>()
  useEffect(() => {
    const found = /^#([\w-]{43})$/.exec(location.hash)?.[1]
    if (found === undefined) return
    setToken(found)
    history.replaceState(history.state, '', location.pathname + location.search)
  }, [])
  return token
}
