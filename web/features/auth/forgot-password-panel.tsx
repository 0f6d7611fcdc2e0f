import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { emailFormSchema } from '#contract/account.ts'
import { Button, ButtonLink } from '#web/components/ui/button.tsx'
import { forgotPassword } from '#web/lib/api/account-api.ts'
import { useHydrated } from '#web/lib/browser/hydrated.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { showFailure } from '#web/lib/notify/failure-toast.ts'
import { AuthFrame } from './auth-frame.tsx'
import { EmailField } from './credential-fields.tsx'
import { useProblemText } from './use-problem-text.ts'

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
      await forgotPassword(email, language)
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
        <fieldset disabled={!isHydrated} className="flex flex-col gap-2">
          <EmailField registered={register('email')} error={errors.email} />
          <Button type="submit" variant="primary" size="lg" disabled={isSubmitting}>
            {isSubmitting ? texts.working : texts.button}
          </Button>
        </fieldset>
      </form>
    </AuthFrame>
  )
}
