import { useState } from 'react'
import { Button } from '#web/components/ui/button.tsx'
import { Field, Input } from '#web/components/ui/field.tsx'
import { destroyAccount, destroyAddress, findAccount, resumeAccount, suspendAccount } from '#web/lib/api/operator-api.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { useAttempt } from './attempt.ts'

/** Destroys an abuser's address or suspends an account. Actions that cannot be undone ask for confirmation in place. */
export function AbuseActions() {
  return (
    <div className="flex max-w-xl flex-col gap-8 border-line border-t py-6">
      <DestroyAddress />
      <AccountActions />
    </div>
  )
}

function DestroyAddress() {
  const { end: words, done } = useTexts('operator')
  const attempt = useAttempt()
  const [address, setAddress] = useState('')
  const destroy = async () => {
    if (await attempt(() => destroyAddress(address), done)) setAddress('')
  }
  return (
    <section>
      <h2 className="mb-3 text-lg">{words.address}</h2>
      <Field label={words.addressLabel} hint={words.addressHint}>
        {control => <Input {...control} autoComplete="off" value={address} onChange={event => setAddress(event.target.value)} />}
      </Field>
      <DestroyButton key={address} isDisabled={!address.includes('@')} onDestroy={() => void destroy()} />
    </section>
  )
}

function AccountActions() {
  const { end: words, done } = useTexts('operator')
  const attempt = useAttempt()
  const [email, setEmail] = useState('')
  const [found, setFound] = useState<Awaited<ReturnType<typeof findAccount>>>()
  const find = () => attempt(async () => setFound(await findAccount(email)))
  const act = async (work: (email: string) => Promise<unknown>) => {
    if (found && (await attempt(() => work(found.email), done)))
      setFound(work === destroyAccount ? undefined : await findAccount(found.email))
  }
  return (
    <section>
      <h2 className="mb-3 text-lg">{words.account}</h2>
      <form
        noValidate
        onSubmit={event => {
          event.preventDefault()
          setFound(undefined)
          void find()
        }}
      >
        <Field label={words.email} hint={words.accountHint}>
          {control => <Input {...control} type="email" autoComplete="off" value={email} onChange={event => setEmail(event.target.value)} />}
        </Field>
        <Button type="submit" className="mt-2" disabled={!email.includes('@')}>
          {words.find}
        </Button>
      </form>
      {found && (
        <div className="mt-4 flex flex-wrap items-center gap-3 rounded-md bg-sunken p-4">
          <p className="w-full [overflow-wrap:anywhere]">{`${found.email} · ${found.isSuspended ? words.suspended : words.active}`}</p>
          {found.isSuspended ? (
            <Button onClick={() => void act(resumeAccount)}>{words.resume}</Button>
          ) : (
            <Button onClick={() => void act(suspendAccount)}>{words.suspend}</Button>
          )}
          <DestroyButton key={found.email} onDestroy={() => void act(destroyAccount)} />
        </div>
      )}
    </section>
  )
}

function DestroyButton({ isDisabled = false, onDestroy }: { isDisabled?: boolean; onDestroy: () => void }) {
  const { end: words } = useTexts('operator')
  const [isAsked, setIsAsked] = useState(false)
  return (
    <Button variant={isAsked ? 'danger' : 'secondary'} disabled={isDisabled} onClick={() => (isAsked ? onDestroy() : setIsAsked(true))}>
      {isAsked ? words.sure : words.destroy}
    </Button>
  )
}
