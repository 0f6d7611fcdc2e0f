import { clsx } from 'clsx'
import { type ReactNode, useState } from 'react'
import type { AccountProof } from '#contract/account.ts'
import type { Passkey } from '#contract/passkeys.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Field, Form, SaidByToast } from '#web/components/ui/field.tsx'
import { PasswordInput } from '#web/components/ui/password-input.tsx'
import { deleteAccount, listPasskeys, removePasskey } from '#web/lib/api/account-routes.ts'
import { ProblemError, request, send, sendLast } from '#web/lib/api/request.ts'
import { authStore } from '#web/lib/auth/auth.tsx'
import { addPasskey, askForPasskey, hasPasskeys } from '#web/lib/auth/passkeys.ts'
import { regional } from '#web/lib/i18n/date-and-time.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { problemText, showFailure } from '#web/lib/notify/failure-toast.ts'
import { showToast } from '#web/lib/notify/toasts.ts'
import { FORM, Section } from './addresses.tsx'
import { focusOnce, useAccountList, useQuestion } from './settings-parts.ts'

type AccountPasskeys = { readonly list: readonly Passkey[] | undefined; reload(): Promise<void> }

const readPasskeys = async () => (await request(listPasskeys, {})).passkeys

/** The passkeys of the account; undefined until the first response. */
export const useAccountPasskeys = (): AccountPasskeys => useAccountList(useTexts('errors').title, readPasskeys)

export function Passkeys({ list, reload }: AccountPasskeys) {
  const texts = useTexts('account')
  const errors = useTexts('errors')
  const add = async (proof: AccountProof) => {
    await addPasskey(proof)
    showToast({ title: texts.passkeyAdded })
    await reload()
  }
  const remove = async (id: string, proof: AccountProof) => {
    await send(removePasskey, { params: { id }, json: proof })
    showToast({ title: texts.passkeyRemoved })
    await reload()
  }
  return (
    <Section id="passkeys" title={texts.passkeys} hint={texts.passkeysHint}>
      {list?.length === 0 && hasPasskeys() && <p className="mb-5">{texts.noPasskeys}</p>}
      {list && list.length > 0 && (
        <ul className="mb-6 divide-y divide-line">
          {list.map(passkey => (
            <PasskeyRow key={passkey.id} passkey={passkey} onProven={proof => remove(passkey.id, proof)} />
          ))}
        </ul>
      )}
      {!hasPasskeys() && <p className="text-muted">{errors.passkeys_unavailable}</p>}
      {hasPasskeys() && (
        <ProofButton
          label={texts.addPasskey}
          working={texts.addingPasskey}
          failed={texts.passkeyFailed}
          hasPasskey={Boolean(list?.length)}
          onProven={add}
        />
      )}
    </Section>
  )
}

type PasskeyRowProps = { readonly passkey: Passkey; readonly onProven: (proof: AccountProof) => Promise<void> }

/** Its button opens the form that asks for a proof. */
function PasskeyRow({ passkey: { device, createdAt, lastUsedAt }, onProven }: PasskeyRowProps) {
  const texts = useTexts('account')
  const question = useQuestion()
  const { language } = useLanguage()
  const shown = (time: string) => new Intl.DateTimeFormat(regional(language), { dateStyle: 'medium' }).format(new Date(time))
  const name = device ?? texts.unknownDevice
  const created = texts.passkeyFrom({ date: shown(createdAt) })
  return (
    <li className="py-3">
      <div className="list-row">
        <div className="min-w-0">
          <p>{name}</p>
          <p className="text-muted text-sm">
            {`${created}, ${lastUsedAt ? texts.lastUsedAt({ date: shown(lastUsedAt) }) : texts.neverUsed}`}
          </p>
        </div>
        <Button
          aria-label={`${texts.removePasskey} ${name}, ${created}`}
          ref={question.opener}
          aria-expanded={question.isOpen}
          className="danger-quiet! shrink-0"
          onClick={question.isOpen ? question.close : question.open}
        >
          {texts.removePasskey}
        </Button>
      </div>
      {question.isOpen && (
        <div className="mt-4">
          <ProofForm
            label={texts.removeThisPasskey}
            working={texts.removingPasskey}
            failed={texts.passkeyNotRemoved}
            hasPasskey
            onProven={onProven}
            onClose={question.close}
          />
        </div>
      )}
    </li>
  )
}

export function DeleteAccount({ list }: Pick<AccountPasskeys, 'list'>) {
  const texts = useTexts('account')
  const destroy = async (proof: AccountProof) => {
    await sendLast(deleteAccount, { json: proof })
    showToast({ title: texts.deleted })
    authStore.set(null)
  }
  return (
    <Section id="delete-account" title={texts.delete} hint={texts.deleteHint}>
      <ProofButton
        label={texts.delete}
        working={texts.deleting}
        failed={texts.deleteFailed}
        hasPasskey={Boolean(list?.length)}
        isDangerous
        onProven={destroy}
      />
    </Section>
  )
}

type ProofFormProps = {
  readonly label: string
  readonly working: string
  /** Title of the toast when it failed. */
  readonly failed: string
  readonly hasPasskey: boolean
  readonly isDangerous?: boolean
  readonly onProven: (proof: AccountProof) => Promise<void>
}

/** Its button opens the form that asks for a proof, in its place. */
function ProofButton(props: ProofFormProps) {
  const question = useQuestion()
  if (question.isOpen) return <ProofForm {...props} onClose={question.close} />
  return (
    <Button ref={question.opener} className={clsx('max-sm:w-full', props.isDangerous && 'danger-quiet!')} onClick={question.open}>
      {props.label}
    </Button>
  )
}

/** Asks for the password or a passkey again, so that nobody does this from a borrowed browser. */
export function ProofForm(props: ProofFormProps & { readonly onClose: () => void }) {
  const { label, working, failed, hasPasskey, isDangerous = false, onProven, onClose } = props
  const texts = useTexts('account')
  const errors = useTexts('errors')
  const [password, setPassword] = useState('')
  const [refusal, setRefusal] = useState<ReactNode>()
  const [isWorking, setIsWorking] = useState(false)

  async function submit(prove: () => Promise<AccountProof>) {
    if (isWorking) return
    setIsWorking(true)
    setRefusal(undefined)
    try {
      await onProven(await prove())
      onClose()
    } catch (error) {
      const isWrong = error instanceof ProblemError && error.code === 'credentials_wrong'
      const reason = isWrong ? texts.passwordWrong : problemText(error, errors)
      showFailure(failed, reason)
      if (isWrong) setRefusal(<SaidByToast>{reason}</SaidByToast>)
      setIsWorking(false)
    }
  }

  return (
    <Form
      className={FORM}
      aria-label={label}
      onSubmit={() => (password === '' ? setRefusal(texts.passwordMissing) : submit(async () => ({ password })))}
      onKeyDown={event => event.key === 'Escape' && onClose()}
    >
      <Field label={texts.password} error={refusal} className="w-full">
        <PasswordInput
          ref={focusOnce}
          autoComplete="current-password"
          value={password}
          onChange={event => {
            setPassword(event.target.value)
            setRefusal(undefined)
          }}
        />
      </Field>
      <div className="flex flex-wrap gap-3 max-sm:w-full max-sm:flex-col">
        <Button
          type="submit"
          data-delete={isDangerous || undefined}
          variant={isDangerous ? 'danger' : 'secondary'}
          aria-disabled={isWorking}
          aria-busy={isWorking}
        >
          {isWorking ? working : label}
        </Button>
        {hasPasskey && hasPasskeys() && (
          // No louder than the button beside it, and the browser asks before anything happens.
          <Button
            data-delete={isDangerous || undefined}
            className={isDangerous ? 'danger-quiet!' : ''}
            aria-disabled={isWorking}
            aria-busy={isWorking}
            onClick={() => void submit(async () => ({ passkey: await askForPasskey() }))}
          >
            {isDangerous ? texts.deleteWithPasskey : texts.withPasskey}
          </Button>
        )}
        <Button variant="quiet" onClick={onClose}>
          {texts.cancel}
        </Button>
      </div>
    </Form>
  )
}
