import { type ChangeEvent, type ReactNode, useState } from 'react'
import type { AccountSession } from '#contract/account.ts'
import { PASSWORD_CHARS } from '#contract/limits.ts'
import { NamesUnbroken } from '#web/components/ui/address.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Field, Form, SaidByToast } from '#web/components/ui/field.tsx'
import { PasswordInput } from '#web/components/ui/password-input.tsx'
import { StatusDot } from '#web/components/ui/status-dot.tsx'
import { changePassword, endSession, forgotPassword, listSessions } from '#web/lib/api/account-routes.ts'
import { ProblemError, request, send } from '#web/lib/api/request.ts'
import { signOut, signOutEverywhere } from '#web/lib/auth/sign-in.ts'
import { dateAndTime } from '#web/lib/i18n/date-and-time.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { problemText, showFailure } from '#web/lib/notify/failure-toast.ts'
import { showToast } from '#web/lib/notify/toasts.ts'
import { FORM, Section } from './addresses.tsx'
import { focusOnce, useAccountList, useQuestion } from './settings-parts.ts'

const readSessions = async () => (await request(listSessions, {})).sessions

export function Devices() {
  const texts = useTexts('account')
  const errors = useTexts('errors')
  const { list: sessions, attempt, reload } = useAccountList(errors.title, readSessions)
  const end = ({ id, isCurrent }: AccountSession) =>
    isCurrent ? attempt(signOut) : attempt(() => send(endSession, { params: { id } })).then(reload)

  return (
    <Section id="devices" title={texts.devices} hint={texts.devicesHint}>
      <ul className="mb-6 divide-y divide-line">
        {sessions?.map(session => (
          <DeviceRow key={session.id} session={session} onEnd={() => void end(session)} />
        ))}
      </ul>
      <p className="mb-3 text-muted text-sm">{texts.signOutEverywhereHint}</p>
      <Button className="max-sm:w-full" onClick={() => void attempt(signOutEverywhere)}>
        {texts.signOutEverywhere}
      </Button>
    </Section>
  )
}

function DeviceRow({ session: { device, createdAt, isCurrent }, onEnd }: { session: AccountSession; onEnd: () => void }) {
  const texts = useTexts('account')
  const { language } = useLanguage()
  const [browser, system] = device?.split(' · ') ?? []
  const name = browser && system ? texts.browserOn({ browser, system }) : (device ?? texts.unknownDevice)
  const time = dateAndTime(createdAt, language)
  return (
    <li className="list-row py-3">
      <div className="min-w-0">
        <p>{name}</p>
        <p className="flex flex-wrap gap-x-3 text-muted text-sm">
          {texts.signedInAt({ time })}
          {isCurrent && <StatusDot tone="live">{texts.thisDevice}</StatusDot>}
        </p>
      </div>
      <Button data-delete aria-label={`${texts.signOut} ${name}, ${time}`} className="shrink-0" onClick={onEnd}>
        {texts.signOut}
      </Button>
    </li>
  )
}

/** With the one before, so that a borrowed browser changes nothing; or by the link of a forgotten password. */
export function ChangePassword({ email }: { email: string }) {
  const texts = useTexts('account')
  const question = useQuestion()
  return (
    <Section id="password" title={texts.changePassword} hint={texts.changePasswordHint}>
      {question.isOpen ? (
        <PasswordForm email={email} onClose={question.close} />
      ) : (
        <Button ref={question.opener} className="max-sm:w-full" onClick={question.open}>
          {texts.changePasswordButton}
        </Button>
      )}
      <ResetLink email={email} />
    </Section>
  )
}

function PasswordForm({ email, onClose }: { email: string; onClose: () => void }) {
  const texts = useTexts('account')
  const { passwordHint, passwordShort } = useTexts('auth')
  const errors = useTexts('errors')
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [mistakes, setMistakes] = useState<{ current?: ReactNode; next?: string }>({})
  const [isSaving, setIsSaving] = useState(false)

  async function save() {
    if (isSaving) return
    if (current === '' || next.length < PASSWORD_CHARS.min)
      return setMistakes({
        ...(current === '' && { current: texts.passwordMissing }),
        ...(next.length < PASSWORD_CHARS.min && { next: passwordShort }),
      })
    setIsSaving(true)
    try {
      await send(changePassword, { json: { currentPassword: current, password: next } })
      showToast({ title: texts.passwordChanged, description: texts.passwordChangedText })
      onClose()
    } catch (error) {
      const isWrong = error instanceof ProblemError && error.code === 'credentials_wrong'
      const reason = isWrong ? texts.passwordWrong : problemText(error, errors)
      if (isWrong) setMistakes({ current: <SaidByToast>{reason}</SaidByToast> })
      showFailure(texts.changePasswordFailed, reason)
      setIsSaving(false)
    }
  }
  const typing = (set: (value: string) => void) => (event: ChangeEvent<HTMLInputElement>) => {
    set(event.target.value)
    setMistakes({})
  }

  return (
    <Form className={FORM} aria-label={texts.changePassword} onSubmit={save} onKeyDown={event => event.key === 'Escape' && onClose()}>
      {/* For password managers, which ask whose password it is. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <Field label={texts.currentPassword} error={mistakes.current} className="w-full">
        <PasswordInput ref={focusOnce} autoComplete="current-password" value={current} onChange={typing(setCurrent)} />
      </Field>
      <Field label={texts.newPassword} hint={passwordHint} error={mistakes.next} className="w-full">
        <PasswordInput autoComplete="new-password" maxLength={PASSWORD_CHARS.max} value={next} onChange={typing(setNext)} />
      </Field>
      <div className="flex flex-wrap gap-3 max-sm:w-full max-sm:flex-col">
        <Button type="submit" aria-disabled={isSaving} aria-busy={isSaving}>
          {isSaving ? texts.changingPassword : texts.changePasswordButton}
        </Button>
        <Button variant="quiet" onClick={onClose}>
          {texts.cancel}
        </Button>
      </div>
    </Form>
  )
}

function ResetLink({ email }: { email: string }) {
  const texts = useTexts('account')
  const errors = useTexts('errors')
  const { language } = useLanguage()
  const [state, setState] = useState<'idle' | 'sending' | 'sent'>('idle')
  async function ask() {
    setState('sending')
    try {
      await send(forgotPassword, { json: { email, language } })
      setState('sent')
    } catch (error) {
      showFailure(texts.resetLinkFailed, problemText(error, errors))
      setState('idle')
    }
  }
  return (
    <div className="mt-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-2 border-line border-t pt-4">
      <p role="status" className="min-w-[min(16rem,100%)] flex-1 text-muted text-sm [overflow-wrap:anywhere]">
        <NamesUnbroken text={state === 'sent' ? texts.resetLinkSent({ email }) : texts.resetLink} />
      </p>
      <Button
        className="max-sm:w-full"
        aria-disabled={state === 'sending'}
        aria-busy={state === 'sending'}
        onClick={() => state !== 'sending' && void ask()}
      >
        {state === 'sent' ? texts.resetLinkAgain : texts.resetLinkButton}
      </Button>
    </div>
  )
}
