import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useEffect, useRef } from 'react'
import { type FieldError, useForm } from 'react-hook-form'
import { contactErrorKeys, contactFormSchema, type ContactForm as Form } from '#contract/site.ts'
import { WayBack } from '#web/components/layout/inner-page.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Field, Input, TextArea } from '#web/components/ui/field.tsx'
import { send } from '#web/lib/api/request.ts'
import { sendContact } from '#web/lib/api/site-routes.ts'
import { authStore, useAuth } from '#web/lib/auth/auth.tsx'
import { obtainBotCheck, sendChecked } from '#web/lib/bot-check/bot-check.ts'
import { useHydrated } from '#web/lib/browser/hydrated.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { showToast } from '#web/lib/notify/toasts.ts'
import { useNavigate } from '#web/lib/routing/router.tsx'

/** How long the confirmation is shown before the home page opens. */
const REDIRECT_MS = 2000

/** Validates when a field loses focus, and then on every key. A failure keeps the text. */
export function ContactForm() {
  const texts = useTexts('contact')
  const { language } = useLanguage()
  const navigate = useNavigate()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const { register, handleSubmit, reset, getValues, resetField, formState } = useForm<Form>({
    resolver: standardSchemaResolver(contactFormSchema),
    mode: 'onTouched',
    defaultValues: { name: '', email: '', subject: '', message: '' },
  })
  const isHydrated = useHydrated()
  const auth = useAuth()
  const own = auth.status === 'signed-in' ? auth.email : ''
  useEffect(() => {
    if (own === '') return
    if (getValues('email') === '') resetField('email', { defaultValue: own })
    // Whoever comes after a sign-out does not read it.
    return () => void (getValues('email') === own && resetField('email', { defaultValue: '' }))
  }, [own, getValues, resetField])
  const { errors, isSubmitting: isSending } = formState

  async function submit(form: Form) {
    try {
      const botCheck = await obtainBotCheck('contact')
      await sendChecked('contact', { ...form, language, ...(botCheck !== undefined && { botCheck }) }, json => send(sendContact, { json }))
      showToast({ title: texts.sent, description: texts.sentText })
      reset()
      timer.current = setTimeout(() => navigate('/'), REDIRECT_MS)
    } catch {
      showToast({ title: texts.failed, description: texts.failedText, variant: 'destructive' })
    }
  }

  const errorText = (error: FieldError | undefined) => {
    if (!error) return undefined
    const key = contactErrorKeys.find(known => known === error.message)
    return key ? texts.errors[key] : texts.errors.emailInvalid
  }

  return (
    <form noValidate method="post" onSubmit={handleSubmit(submit)} aria-busy={isSending}>
      {/* react-hook-form drops the value of a disabled field, so the fieldset disables them all. */}
      <fieldset disabled={isSending || !isHydrated} className="flex flex-col">
        <Field label={texts.name} error={errorText(errors.name)}>
          <Input {...register('name')} autoComplete="name" />
        </Field>
        <Field label={texts.email} hint={texts.emailHint} error={errorText(errors.email)}>
          <Input {...register('email')} type="email" autoComplete="email" />
        </Field>
        <Field label={texts.subject} error={errorText(errors.subject)}>
          <Input {...register('subject')} />
        </Field>
        <Field label={texts.message} error={errorText(errors.message)}>
          <TextArea {...register('message')} rows={6} />
        </Field>
        <Button type="submit" variant="primary" size="lg" disabled={isSending}>
          {isSending ? texts.sending : texts.send}
        </Button>
      </fieldset>
    </form>
  )
}

/** Its code is not fetched for the many who have no account. */
const leave = async () => (await import('#web/lib/auth/sign-in.ts')).signOut()

/** The way back, and the signed-in account. The links to the blog and to Pro are in the header of every page. */
export function ContactHeader() {
  const texts = useTexts('contact')
  const auth = useAuth()
  return (
    <WayBack>
      {auth.status === 'signed-in' && (
        <div className="flex min-w-0 items-center gap-3">
          <span className="truncate text-sm">
            <span className="sr-only">{texts.signedInAs} </span>
            {auth.email}
          </span>
          <Button className="shrink-0" onClick={() => void leave().catch(authStore.refresh)}>
            {texts.signOut}
          </Button>
        </div>
      )}
    </WayBack>
  )
}
