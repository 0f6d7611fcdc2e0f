import { useState } from 'react'
import { isChoosable } from '#contract/local-part.ts'
import type { MailboxCreated } from '#contract/mailbox.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Field, Input, Select } from '#web/components/ui/field.tsx'
import { ProblemError } from '#web/lib/api/mailbox-api.ts'
import { createProMailbox } from '#web/lib/auth/pro-mailboxes.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { problemText, showFailure } from '#web/lib/notify/failure-toast.ts'
import { showToast } from '#web/lib/notify/toasts.ts'
import { useSiteConfig } from '#web/lib/site/site-config.ts'
import type { ErrorTexts } from '#web/texts/en/errors.ts'
import { FORM } from './section.tsx'

type Props = { onCreated: (mailbox: MailboxCreated) => void; isFull: boolean }
type Mistakes = { localPart?: string; domain?: string }

/** The form for an address with a chosen name and domain. Errors appear below their field. */
export function NewAddress({ onCreated, isFull }: Props) {
  const texts = useTexts('account')
  const errors = useTexts('errors')
  const [localPart, setLocalPart] = useState('')
  const [domain, setDomain] = useState<string>()
  const [mistakes, setMistakes] = useState<Mistakes>({})
  const [isCreating, setIsCreating] = useState(false)

  async function create() {
    if (isCreating) return
    const name = localPart.trim()
    if (name !== '' && !isChoosable(name)) return setMistakes({ localPart: texts.localPartInvalid })
    setIsCreating(true)
    try {
      const mailbox = await createProMailbox({ ...(name && { localPart: name }), ...(domain && { domain }) })
      setLocalPart('')
      setMistakes({})
      showToast({ title: texts.created })
      onCreated(mailbox)
    } catch (error) {
      const found = fieldErrors(error, errors)
      setMistakes(found)
      if (!found.localPart && !found.domain) {
        showFailure(texts.createFailed, problemText(error, errors))
      }
    } finally {
      setIsCreating(false)
    }
  }

  return (
    <form
      noValidate
      aria-label={texts.newAddress}
      className={FORM}
      onSubmit={event => {
        event.preventDefault()
        void create()
      }}
    >
      <Field label={texts.localPart} hint={texts.localPartHint} error={mistakes.localPart} className="w-full">
        {control => (
          <Input
            {...control}
            value={localPart}
            onChange={event => {
              setLocalPart(event.target.value)
              setMistakes({})
            }}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Field>
      <DomainField domain={domain} onChoose={setDomain} error={mistakes.domain} />
      {isFull && <p className="mb-1 text-ember-ink text-sm">{errors.mailboxes_max}</p>}
      {/* A disabled button would lose the focus, and with it the popover around the form would close. */}
      <Button type="submit" disabled={isFull} aria-disabled={isCreating}>
        {isCreating ? texts.creating : texts.create}
      </Button>
    </form>
  )
}

type DomainProps = { domain: string | undefined; onChoose: (domain: string) => void; error: string | undefined }

/** Shown if there is a choice, or if the only domain was refused. */
function DomainField({ domain, onChoose, error }: DomainProps) {
  const texts = useTexts('account')
  const { domains } = useSiteConfig()
  if (domains.length < 2 && error === undefined) return null
  return (
    <Field label={texts.domain} error={error} className="w-full">
      {control => (
        <Select {...control} value={domain ?? domains[0]} onChange={event => onChoose(event.target.value)}>
          {domains.map(name => (
            <option key={name}>{name}</option>
          ))}
        </Select>
      )}
    </Field>
  )
}

/** The field that the server's refusal is about, if any. */
function fieldErrors(error: unknown, errors: ErrorTexts): Mistakes {
  if (!(error instanceof ProblemError)) return {}
  if (error.code === 'local_part_taken' || error.code === 'local_part_reserved') return { localPart: errors[error.code] }
  if (error.code === 'domain_not_served') return { domain: errors[error.code] }
  return {}
}
