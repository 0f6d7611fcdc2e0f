import { useState } from 'react'
import type { AccountSession } from '#contract/account.ts'
import { NamesUnbroken } from '#web/components/ui/address.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { StatusDot } from '#web/components/ui/status-dot.tsx'
import { endSession, forgotPassword, listSessions } from '#web/lib/api/account-routes.ts'
import { request, send } from '#web/lib/api/request.ts'
import { signOut, signOutEverywhere } from '#web/lib/auth/sign-in.ts'
import { dateAndTime } from '#web/lib/i18n/date-and-time.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { problemText, showFailure } from '#web/lib/notify/failure-toast.ts'
import { useAccountList } from './account-list.ts'
import { Section } from './addresses.tsx'

const readSessions = async () => (await request(listSessions, {})).sessions

/** Where the account is signed in. */
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
    <li className="flex items-center justify-between gap-4 py-3">
      <div className="min-w-0">
        <p>{name}</p>
        <p className="flex flex-wrap gap-x-3 text-muted text-sm">
          {texts.signedInAt({ time })}
          {isCurrent && <StatusDot tone="live">{texts.thisDevice}</StatusDot>}
        </p>
      </div>
      <Button aria-label={`${texts.signOut} ${name}, ${time}`} className="shrink-0" onClick={onEnd}>
        {texts.signOut}
      </Button>
    </li>
  )
}

/** By the link of a forgotten password: a borrowed browser alone changes nothing, and nobody has to know the old one. */
export function ChangePassword({ email }: { email: string }) {
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
      showFailure(texts.changePasswordFailed, problemText(error, errors))
      setState('idle')
    }
  }
  return (
    <Section id="password" title={texts.changePassword} hint={texts.changePasswordHint}>
      <p role="status" className="mb-3 [overflow-wrap:anywhere] empty:hidden">
        {state === 'sent' && <NamesUnbroken text={texts.changePasswordSent({ email })} />}
      </p>
      <Button className="max-sm:w-full" aria-disabled={state === 'sending'} onClick={() => void ask()}>
        {state === 'sent' ? texts.changePasswordAgain : texts.changePasswordButton}
      </Button>
    </Section>
  )
}
