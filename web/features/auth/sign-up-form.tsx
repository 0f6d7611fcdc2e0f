import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { type Credentials, credentialsSchema } from '#contract/account.ts'
import { Button } from '#web/components/ui/button.tsx'
import { signUp } from '#web/lib/api/account-api.ts'
import { ProblemError } from '#web/lib/api/request.ts'
import { BotCheckError, botCheckRefused, obtainBotCheck, sendChecked } from '#web/lib/bot-check/bot-check.ts'
import { useHydrated } from '#web/lib/browser/hydrated.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { showFailure } from '#web/lib/notify/failure-toast.ts'
import { showToast } from '#web/lib/notify/toasts.ts'
import { EmailField, PasswordField, REFUSED } from './credential-fields.tsx'
import { useProblemText } from './use-problem-text.ts'

/** `onDone` is called with the address that the confirmation link was mailed to. */
export function SignUpForm({ onDone }: { onDone: (email: string) => void }) {
  const texts = useTexts('auth')
  const { language } = useLanguage()
  const problemText = useProblemText()
  const [isVerifying, setIsVerifying] = useState(false)
  const { register, handleSubmit, setError, formState } = useForm<Credentials>({
    resolver: standardSchemaResolver(credentialsSchema),
    defaultValues: { email: '', password: '' },
  })
  const isHydrated = useHydrated()
  const { errors, isSubmitting } = formState

  async function check(): Promise<{ botCheck: string | undefined } | undefined> {
    setIsVerifying(true)
    try {
      return { botCheck: await obtainBotCheck('signup') }
    } catch {
      // Without a token nothing is sent or shown; the security log has the failure.
      return undefined
    } finally {
      setIsVerifying(false)
    }
  }

  async function submit(credentials: Credentials) {
    const passed = await check()
    if (!passed) return
    try {
      await sendChecked('signup', { ...credentials, language, ...passed }, signUp)
      showToast({ title: texts.checkEmail, description: texts.checkEmailText })
      onDone(credentials.email)
    } catch (error) {
      showRefusal(error)
    }
  }

  function showRefusal(error: unknown) {
    const code = error instanceof ProblemError ? error.code : undefined
    const refused = code === 'bot_check_failed' ? botCheckRefused('signup') : error
    if (code === 'account_exists') {
      setError('email', { type: REFUSED, message: texts.accountExistsText })
      showToast({ title: texts.accountExists, description: texts.accountExistsText, variant: 'destructive' })
    } else if (refused instanceof BotCheckError)
      showToast({ title: texts.botCheckFailed, description: texts.botCheck[refused.failure], variant: 'destructive' })
    else showFailure(texts.signUpFailed, problemText(error))
  }

  return (
    <form noValidate method="post" onSubmit={handleSubmit(submit)}>
      <fieldset disabled={!isHydrated} className="flex flex-col pt-6">
        <EmailField registered={register('email')} error={errors.email} />
        <PasswordField registered={register('password')} error={errors.password} isNew />
        <Button type="submit" variant="primary" size="lg" disabled={isSubmitting || isVerifying}>
          {isVerifying ? texts.verifying : isSubmitting ? texts.creatingAccount : texts.createAccount}
        </Button>
      </fieldset>
    </form>
  )
}
