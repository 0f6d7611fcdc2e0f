import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { type Credentials, credentialsSchema } from '#contract/account.ts'
import { PRO_LIFETIME_SECONDS } from '#contract/limits.ts'
import { NamesUnbroken } from '#web/components/ui/address.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Tabs } from '#web/components/ui/tabs.tsx'
import { signUp } from '#web/lib/api/account-routes.ts'
import { ProblemError, send } from '#web/lib/api/request.ts'
import { signInWithPasskey, signUpWithPasskey } from '#web/lib/auth/passkeys.ts'
import { useProblemText, useSignUpRefusal } from '#web/lib/auth/refusals.ts'
import { signIn } from '#web/lib/auth/sign-in.ts'
import { obtainBotCheck, sendChecked } from '#web/lib/bot-check/bot-check.ts'
import { useHydrated } from '#web/lib/browser/hydrated.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { showFailure } from '#web/lib/notify/failure-toast.ts'
import { showToast } from '#web/lib/notify/toasts.ts'
import { Link, useLocation, useNavigate } from '#web/lib/routing/router.tsx'
import { useSiteConfig } from '#web/lib/site/site-config.ts'
import { EmailField, PasskeyButton, PasswordField, REFUSED } from './form-parts.tsx'

const SIGN_IN = '#sign-in'
const SIGN_UP = '#sign-up'

/** The chosen tab is in the URL, so that a link can lead to it and a press before the application has loaded counts. */
export function AuthTabs() {
  const texts = useTexts('auth')
  const { pathname, search, hash } = useLocation()
  const navigate = useNavigate()
  const [sentTo, setSentTo] = useState<string>()
  const typedEmail = useRef('')
  const takesFocus = useRef(false)
  // The served page shows the first tab.
  const selected = useHydrated() && hash === SIGN_UP ? 'signUp' : 'signIn'
  const select = (name: 'signIn' | 'signUp') =>
    navigate({ pathname, search, hash: name === 'signUp' ? SIGN_UP : SIGN_IN }, { replace: true })
  /** The focus goes to what takes the place of the button that was pressed. */
  const showForm = (name: 'signIn' | 'signUp') => {
    takesFocus.current = true
    setSentTo(undefined)
    select(name)
  }
  const showSent = (email: string) => {
    // Meanwhile the visitor may have chosen the other tab.
    takesFocus.current = window.location.hash === SIGN_UP
    setSentTo(email)
  }
  const signIn = <SignInForm typedEmail={typedEmail} takesFocus={takesFocus} />
  const signUp =
    sentTo === undefined ? (
      <SignUpForm typedEmail={typedEmail} takesFocus={takesFocus} onDone={showSent} />
    ) : (
      <LinkSent email={sentTo} takesFocus={takesFocus} onOpened={() => showForm('signIn')} onMistyped={() => showForm('signUp')} />
    )
  return (
    <Tabs
      label={texts.tabs}
      selected={selected}
      onSelect={select}
      tabs={[
        { name: 'signIn', label: texts.signIn, href: SIGN_IN, panel: signIn },
        { name: 'signUp', label: texts.signUp, href: SIGN_UP, panel: signUp },
      ]}
    />
  )
}

/** `typedEmail` outlives the form: whoever tries to sign in before having an account types it once. */
type FormProps = { readonly typedEmail: RefObject<string>; readonly takesFocus: RefObject<boolean> }

function useFocusOnce(takesFocus: RefObject<boolean>, focus: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is drawn anew takes it
  useEffect(() => {
    if (!takesFocus.current) return
    takesFocus.current = false
    focus()
  }, [])
}

/** Props for `register('email', …)`. */
const remember = (typedEmail: RefObject<string>) => ({
  onChange: ({ target }: { target: { value: string } }) => {
    typedEmail.current = target.value
  },
})

type LinkSentProps = Pick<FormProps, 'takesFocus'> & { email: string; onOpened: () => void; onMistyped: () => void }

/** Stays after the toast, in place of the form that was sent. */
function LinkSent({ email, takesFocus, onOpened, onMistyped }: LinkSentProps) {
  const texts = useTexts('auth')
  const told = useRef<HTMLParagraphElement>(null)
  useFocusOnce(takesFocus, () => told.current?.focus())
  return (
    <div className="flex flex-col items-start gap-4 pt-6">
      <p ref={told} tabIndex={-1} className="w-full rounded-md bg-river-wash px-4 py-3 [overflow-wrap:anywhere]">
        <NamesUnbroken text={texts.linkSent({ email })} />
      </p>
      <div className="flex flex-wrap gap-2">
        <Button onClick={onOpened}>{texts.linkOpened}</Button>
        <Button variant="quiet" onClick={onMistyped}>
          {texts.linkElsewhere}
        </Button>
      </div>
    </div>
  )
}

function SignInForm({ typedEmail, takesFocus }: FormProps) {
  const texts = useTexts('auth')
  const problemText = useProblemText()
  const { register, handleSubmit, setError, setFocus, formState } = useForm<Credentials>({
    resolver: standardSchemaResolver(credentialsSchema),
    defaultValues: { email: typedEmail.current, password: '' },
  })
  const isHydrated = useHydrated()
  const { errors, isSubmitting } = formState
  const [isAsking, setIsAsking] = useState(false)
  useFocusOnce(takesFocus, () => setFocus(typedEmail.current === '' ? 'email' : 'password'))

  async function submitPasskey() {
    setIsAsking(true)
    try {
      await signInWithPasskey()
      showToast({ title: texts.welcome, description: texts.signedIn })
    } catch (error) {
      showFailure(texts.signInFailed, problemText(error))
      setIsAsking(false)
    }
  }

  async function submit(credentials: Credentials) {
    try {
      await signIn(credentials)
      showToast({ title: texts.welcome, description: texts.signedIn })
    } catch (error) {
      const reason = problemText(error)
      showFailure(texts.signInFailed, reason)
      if (error instanceof ProblemError && error.code === 'credentials_wrong') setError('password', { type: REFUSED, message: reason })
    }
  }

  return (
    <form noValidate method="post" onSubmit={handleSubmit(submit)}>
      <fieldset disabled={!isHydrated} className="flex flex-col pt-6">
        <EmailField registered={register('email', remember(typedEmail))} error={errors.email} />
        <PasswordField registered={register('password')} error={errors.password} isNew={false} />
        <Button type="submit" variant="primary" size="lg" disabled={isSubmitting}>
          {isSubmitting ? texts.signingIn : texts.signIn}
        </Button>
        <Link to="/auth/forgot-password" className="mt-2 inline-flex min-h-11 items-center self-center underline underline-offset-4">
          {texts.forgot}
        </Link>
        <PasskeyButton label={texts.passkeySignIn} isWorking={isAsking} onPress={() => void submitPasskey()} />
      </fieldset>
    </form>
  )
}

/** `onDone` is called with the address that the confirmation link was mailed to. */
function SignUpForm({ typedEmail, takesFocus, onDone }: FormProps & { onDone: (email: string) => void }) {
  const texts = useTexts('auth')
  const { language } = useLanguage()
  const showRefusal = useSignUpRefusal()
  const [isVerifying, setIsVerifying] = useState(false)
  const [isAsking, setIsAsking] = useState(false)
  const { register, handleSubmit, setError, setFocus, trigger, getValues, formState } = useForm<Credentials>({
    resolver: standardSchemaResolver(credentialsSchema),
    defaultValues: { email: typedEmail.current, password: '' },
  })
  const isHydrated = useHydrated()
  const { errors, isSubmitting } = formState
  useFocusOnce(takesFocus, () => setFocus('email', { shouldSelect: true }))

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

  const submit = (credentials: Credentials) =>
    start(credentials.email, passed => sendChecked('signup', { ...credentials, language, ...passed }, json => send(signUp, { json })))

  /** It needs the address alone of the fields. */
  async function submitPasskey() {
    if (!(await trigger('email', { shouldFocus: true }))) return
    const { email } = getValues()
    setIsAsking(true)
    await start(email, ({ botCheck }) => signUpWithPasskey(email.trim(), botCheck, language))
    setIsAsking(false)
  }

  async function start(email: string, sendIt: (passed: { botCheck: string | undefined }) => Promise<unknown>) {
    const passed = await check()
    if (!passed) return
    try {
      await sendIt(passed)
      showToast({ title: texts.checkEmail, description: texts.checkEmailText })
      onDone(email)
    } catch (error) {
      const message = showRefusal(error)
      if (message !== undefined) setError('email', { type: REFUSED, message })
    }
  }

  return (
    <form noValidate method="post" onSubmit={handleSubmit(submit)}>
      <fieldset disabled={!isHydrated} className="flex flex-col pt-6">
        <EmailField registered={register('email', remember(typedEmail))} error={errors.email} />
        <PasswordField registered={register('password')} error={errors.password} isNew />
        <Button type="submit" variant="primary" size="lg" disabled={isSubmitting || isVerifying}>
          {isVerifying ? texts.verifying : isSubmitting ? texts.creatingAccount : texts.createAccount}
        </Button>
        <PasskeyButton
          label={texts.passkeySignUp}
          isWorking={isAsking || isSubmitting || isVerifying}
          onPress={() => void submitPasskey()}
        />
      </fieldset>
    </form>
  )
}

const CELL = 'border-line border-b py-2.5 pr-3 text-left align-baseline font-normal'

/** Compares the lifetimes of a visitor's address and a Pro address, drawn to the same scale. */
export function Comparison() {
  const { compare } = useTexts('auth')
  const { lifetimeSeconds } = useSiteConfig()
  return (
    <section
      aria-labelledby="compare"
      className="mt-12 lg:mt-14 lg:rounded-lg lg:border lg:border-line lg:bg-raised lg:px-8 lg:pt-7 lg:pb-4"
    >
      <h2 id="compare" className="text-xl">
        {compare.title}
      </h2>
      <table className="mt-2 w-full table-fixed text-sm lg:text-base [&_tbody_tr:last-child>*]:lg:border-b-0">
        <thead>
          <tr className="text-muted">
            <th className={CELL}>
              <span className="sr-only">{compare.title}</span>
            </th>
            <th scope="col" className={CELL}>
              {compare.anonymous}
            </th>
            <th scope="col" className={CELL}>
              {compare.pro}
            </th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row" className={`${CELL} text-muted`}>
              {compare.lives.label}
            </th>
            <td className={CELL}>
              <Lifetime text={compare.lives.anonymous} part={Math.min(1, lifetimeSeconds / PRO_LIFETIME_SECONDS)} />
            </td>
            <td className={CELL}>
              <Lifetime text={compare.lives.pro} part={1} />
            </td>
          </tr>
          {compare.rows.map(({ label, anonymous, pro }) => (
            <tr key={label}>
              <th scope="row" className={`${CELL} text-muted`}>
                {label}
              </th>
              <td className={CELL}>{anonymous}</td>
              <td className={CELL}>{pro}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Lifetime({ text, part }: { text: string; part: number }) {
  return (
    <>
      <span className="font-medium">{text}</span>
      <span aria-hidden="true" className="mt-1.5 block h-0.5 bg-line">
        <span style={{ width: `max(3px, ${part * 100}%)` }} className="block h-full bg-dusk forced-colors:bg-[CanvasText]" />
      </span>
    </>
  )
}
