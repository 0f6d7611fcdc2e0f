import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { passwordFormSchema } from '#contract/account.ts'
import { Button, ButtonLink } from '#web/components/ui/button.tsx'
import { confirmEmail } from '#web/lib/api/account-api.ts'
import { ProblemError } from '#web/lib/api/request.ts'
import { useLinkToken } from '#web/lib/auth/link-token.ts'
import { useHydrated } from '#web/lib/browser/hydrated.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { AuthFrame } from './auth-frame.tsx'
import { PasswordField } from './credential-fields.tsx'
import { useProblemText } from './use-problem-text.ts'

/**
 * Confirms with the password of the sign-up, by POST. Programs that scan mail open links but fill in no forms, and a link from a stranger's
 * sign-up confirms nothing, because only the stranger knows its password.
 */
export function ConfirmPanel() {
  const { confirm: texts, signIn } = useTexts('auth')
  const problemText = useProblemText()
  const token = useLinkToken()
  const isHydrated = useHydrated()
  const [result, setResult] = useState<'done' | 'failed'>()
  const [problem, setProblem] = useState<string>()
  const { register, handleSubmit, formState } = useForm({
    resolver: standardSchemaResolver(passwordFormSchema),
    defaultValues: { password: '' },
  })
  const { errors, isSubmitting } = formState

  async function submit({ password }: { password: string }) {
    if (token === undefined) return setResult('failed')
    setProblem(undefined)
    try {
      await confirmEmail(token, password)
      setResult('done')
    } catch (error) {
      const code = error instanceof ProblemError ? error.code : undefined
      if (code === 'link_expired') setResult('failed')
      else setProblem(code === 'credentials_wrong' ? texts.wrongPassword : problemText(error))
    }
  }

  if (result) {
    return (
      <AuthFrame heading={texts[result]} lead={result === 'done' ? texts.doneText : texts.failedText}>
        <ButtonLink to="/auth" variant="primary" size="lg" className="w-full">
          {signIn}
        </ButtonLink>
      </AuthFrame>
    )
  }
  return (
    <AuthFrame heading={texts.heading} lead={texts.lead}>
      <form noValidate method="post" onSubmit={handleSubmit(submit)}>
        <fieldset disabled={!isHydrated} className="flex flex-col gap-2">
          <PasswordField registered={register('password')} error={errors.password} isNew={false} />
          <Button type="submit" variant="primary" size="lg" disabled={isSubmitting}>
            {isSubmitting ? texts.working : texts.button}
          </Button>
        </fieldset>
      </form>
      <p role="alert" className="mt-3 text-ember-ink">
        {problem}
      </p>
    </AuthFrame>
  )
}
