/** Keeps the address that is shown for an account, with its mail. Fetched when it nears its end: the line is there once it works. */
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { emailFormSchema } from '#contract/account.ts'
import type { Language } from '#contract/languages.ts'
import type { MailboxCreated } from '#contract/mailbox.ts'
import { NamesUnbroken } from '#web/components/ui/address.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Field, Form, Input, SaidByToast } from '#web/components/ui/field.tsx'
import { keepMailbox } from '#web/lib/api/account-routes.ts'
import { request } from '#web/lib/api/request.ts'
import { useAuth } from '#web/lib/auth/auth.tsx'
import { hasPasskeys, preparePasskeys, signUpWithPasskey } from '#web/lib/auth/passkeys.ts'
import { useProblemText, useSignUpRefusal } from '#web/lib/auth/refusals.ts'
import { obtainBotCheck } from '#web/lib/bot-check/bot-check.ts'
import { KEEP_KEY, localStore, readStored, writeStored } from '#web/lib/browser/storage.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import type { StoredAddress } from '#web/lib/mailbox/address-store.ts'
import { addressStore, otherAddressStore } from '#web/lib/mailbox/page-addresses.ts'
import { showFailure } from '#web/lib/notify/failure-toast.ts'
import { showToast } from '#web/lib/notify/toasts.ts'
import { Link, useNavigate } from '#web/lib/routing/router.tsx'
import { text } from '#web/lib/shape.ts'

const SIGN_UP = { pathname: '/auth', search: '', hash: '#sign-up' }

export type KeepProps = {
  part: 'line' | 'form' | 'reminder'
  address: StoredAddress
  /** The form, which a visitor without an account needs. */
  isOpen: boolean
  onOpen: () => void
  onClose: () => void
}

export default function KeepAddress({ part, ...props }: KeepProps) {
  if (part === 'reminder') return <Reminder email={props.address.unconfirmed ?? ''} />
  return part === 'line' ? <KeepLine {...props} /> : <KeepForm {...props} />
}

/** In the place of the line, until the confirmation: an account that nobody confirms does not list the address. */
function Reminder({ email }: { email: string }) {
  const { keep: texts } = useTexts('mailboxDialogs')
  return (
    <p className="border-line border-b pb-3 text-muted text-sm [overflow-wrap:anywhere]">
      <NamesUnbroken text={texts.reminder({ email })} />
    </p>
  )
}

/** The one line, on the water under the clock. With an account one press is enough. */
function KeepLine({ address, isOpen, onOpen, onClose }: Omit<KeepProps, 'part'>) {
  const { keep: texts } = useTexts('mailboxDialogs')
  const { status } = useAuth()
  const navigate = useNavigate()
  const keep = useKeep(address)
  const isSignedIn = status === 'signed-in'
  // What the form shows is there before it opens.
  useTexts('auth')
  useEffect(preparePasskeys, [])
  const { press } = keep
  const latestPress = useRef(press)
  latestPress.current = press
  useEffect(() => {
    if (isSignedIn && takeWanted()) void latestPress.current()
  }, [isSignedIn])

  function begin() {
    if (isSignedIn) return void press()
    if (isOpen) return onClose()
    if (hasPasskeys()) return onOpen()
    wantToKeep(address.email)
    navigate(SIGN_UP)
  }

  return (
    <button
      type="button"
      aria-expanded={isSignedIn || !hasPasskeys() ? undefined : isOpen}
      aria-disabled={keep.isKeeping}
      onClick={() => !keep.isKeeping && begin()}
      className="keep-line"
    >
      <span className="underline decoration-dusk decoration-2 underline-offset-4">{texts.line}</span>
      <span className="text-muted"> {texts.lifetime}</span>
    </button>
  )
}

function useKeep({ token }: StoredAddress) {
  const { keep: texts } = useTexts('mailboxDialogs')
  const problemText = useProblemText()
  const [isKeeping, setIsKeeping] = useState(false)
  async function press() {
    setIsKeeping(true)
    try {
      await keepForAccount(token)
      showToast({ title: texts.kept, description: texts.keptText })
    } catch (error) {
      showFailure(texts.failed, problemText(error))
      setIsKeeping(false)
    }
  }
  return { isKeeping, press }
}

/** For a visitor without an account: a passkey keeps the address at once, and the link in the mail opens the account. */
function KeepForm({ address, onClose }: Pick<KeepProps, 'address' | 'onClose'>) {
  const { keep: texts } = useTexts('mailboxDialogs')
  const auth = useTexts('auth')
  const { language } = useLanguage()
  const showRefusal = useSignUpRefusal()
  const [email, setEmail] = useState('')
  const [mistake, setMistake] = useState<ReactNode>()
  const [isWorking, setIsWorking] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])

  /** The focus goes back to the line that opened it. */
  function leave() {
    onClose()
    document.querySelector<HTMLElement>('.keep-line')?.focus()
  }

  async function submit() {
    if (isWorking) return
    const form = emailFormSchema.safeParse({ email })
    setMistake(form.success ? undefined : auth.emailInvalid)
    if (!form.success) return field.current?.focus()
    setIsWorking(true)
    try {
      const isKept = await keepWithPasskey(form.data.email, address.token, language)
      showToast({ title: auth.checkEmail, description: auth.checkEmailText, note: isKept ? texts.keptText : texts.tooLate })
      onClose()
    } catch (error) {
      const refusal = showRefusal(error)
      setMistake(refusal && <SaidByToast>{refusal}</SaidByToast>)
      setIsWorking(false)
    }
  }

  return (
    <Form
      aria-label={texts.title}
      onSubmit={submit}
      onKeyDown={event => event.key === 'Escape' && leave()}
      className="keep-form -mx-5 sm:-mx-6 animate-fade border-line border-b px-5 sm:px-6 pb-3"
    >
      <Field label={auth.email} hint={texts.hint} error={mistake} className="mb-1!">
        <Input
          ref={field}
          type="email"
          autoComplete="email"
          inputMode="email"
          value={email}
          onChange={event => {
            setEmail(event.target.value)
            setMistake(undefined)
          }}
        />
      </Field>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Button type="submit" variant="primary" aria-disabled={isWorking} aria-busy={isWorking} className="max-sm:w-full">
          {isWorking ? texts.working : texts.button}
        </Button>
        <Link
          to="/auth"
          onClick={() => wantToKeep(address.email)}
          className="inline-flex min-h-11 items-center text-sm sm:px-2 underline underline-offset-4"
        >
          {texts.otherwise}
        </Link>
        <Button variant="quiet" className="ml-auto px-2! text-muted! text-sm! max-sm:-mr-2" onClick={leave}>
          {texts.close}
        </Button>
      </div>
    </Form>
  )
}

/** For the signed-in account. Throws `ProblemError`. */
async function keepForAccount(token: string): Promise<void> {
  const askedAtMs = performance.now()
  showKept(await request(keepMailbox, { json: { token } }), askedAtMs)
}

/** Signs up with a passkey. `false` if the address had ended before it could be kept. Throws `ProblemError` and `BotCheckError`. */
async function keepWithPasskey(email: string, token: string, language: Language): Promise<boolean> {
  const { mailbox, askedAtMs } = await signUpWithPasskey(email, await obtainBotCheck('signup'), language, token)
  if (mailbox) showKept({ ...mailbox, unconfirmed: email }, askedAtMs)
  return mailbox !== undefined
}

/** Before the visitor goes to sign in or up: their address is kept when they come back. */
const wantToKeep = (email: string) => writeStored(localStore, KEEP_KEY, email)

/** Whether the address that is shown now is the one that was wanted, and can still be kept. `true` once. */
function takeWanted(): boolean {
  const wanted = readStored(localStore, KEEP_KEY, text)
  localStore.removeItem(KEEP_KEY)
  const shown = addressStore.get()
  return wanted !== undefined && shown?.email === wanted && !shown.kept
}

/** The night goes over into the day, unless motion is not wanted. Meanwhile the visitor may have changed to their other address. */
function showKept(mailbox: MailboxCreated & { unconfirmed?: string }, askedAtMs: number): void {
  const store = [addressStore, otherAddressStore].find(each => each.get()?.token === mailbox.token)
  if (!store) return
  const show = () => store.save(mailbox, askedAtMs)
  if (!document.startViewTransition || matchMedia('(prefers-reduced-motion: reduce)').matches) show()
  else {
    const { ready } = document.startViewTransition(async () => {
      show()
      // React has drawn it then.
      await new Promise(resolve => setTimeout(resolve))
    })
    // A hidden tab or a slow device skips it, and the address is shown all the same.
    ready.catch(() => undefined)
  }
}
