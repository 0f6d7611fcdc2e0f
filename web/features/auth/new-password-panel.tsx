import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useForm } from 'react-hook-form'
import { newPasswordFormSchema } from '#contract/account.ts'
import { Button } from '#web/components/ui/button.tsx'
import { resetPassword } from '#web/lib/api/account-api.ts'
import { useAuth } from '#web/lib/auth/auth.tsx'
import { useLinkToken } from '#web/lib/auth/link-token.ts'
import { useHydrated } from '#web/lib/browser/hydrated.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { showFailure } from '#web/lib/notify/failure-toast.ts'
import { showToast } from '#web/lib/notify/toasts.ts'
import { useNavigate } from '#web/lib/routing/router.tsx'
import { AuthFrame } from './auth-frame.tsx'
import { PasswordField } from './credential-fields.tsx'
import { useProblemText } from './use-problem-text.ts'

export function NewPasswordPanel() {
  const { renew: texts } = useTexts('auth')
  const auth = useAuth()
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
      await resetPassword(token, password, destroyMailboxes)
      await auth.refresh()
      showToast({ title: texts.done, description: texts.doneText })
      navigate('/auth')
    } catch (error) {
      showFailure(texts.failed, problemText(error))
    }
  }

  return (
    <AuthFrame heading={texts.heading} lead={texts.lead}>
      <form noValidate method="post" onSubmit={handleSubmit(submit)}>
        <fieldset disabled={!isHydrated} className="flex flex-col gap-2">
          <PasswordField registered={register('password')} error={errors.password} isNew label={texts.password} />
          <label className="flex min-h-11 items-start gap-3 py-2">
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
