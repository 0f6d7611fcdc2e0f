import { useState } from 'react'
import { PRO_MAILBOXES_MAX } from '#contract/limits.ts'
import type { MailboxCreated } from '#contract/mailbox.ts'
import { Button } from '#web/components/ui/button.tsx'
import { controlClass, Field, Input } from '#web/components/ui/field.tsx'
import { createMailbox } from '#web/lib/api.ts'
import { obtainBotCheck } from '#web/lib/bot-check.ts'
import { useLanguage, useTexts } from '#web/lib/i18n.tsx'
import { useProMailboxes } from '#web/lib/pro-mailboxes.ts'
import { problemText } from '#web/lib/problem-text.ts'
import { sessionStore } from '#web/lib/session.ts'
import { useSiteConfig } from '#web/lib/site-config.ts'
import { showToast } from '#web/lib/toasts.ts'
import { Section } from './section.tsx'

/** `onOpen` is called when an address has become the one this browser shows. */
export function ProAddresses({ onOpen }: { onOpen: () => void }) {
  const texts = useTexts('account')
  const { mailboxes, reload } = useProMailboxes()
  const used = mailboxes?.length ?? 0

  function open(mailbox: MailboxCreated) {
    sessionStore.save(mailbox, performance.now())
    onOpen()
  }

  return (
    <Section title={texts.addresses} hint={texts.addressesHint({ used, max: PRO_MAILBOXES_MAX })}>
      {mailboxes && <AddressList mailboxes={mailboxes} onOpen={open} />}
      <NewAddress onCreated={reload} isFull={used >= PRO_MAILBOXES_MAX} />
    </Section>
  )
}

/** A switcher: every live address of the account, the open one marked. */
export function AddressList({ mailboxes, onOpen }: { mailboxes: readonly MailboxCreated[]; onOpen: (mailbox: MailboxCreated) => void }) {
  const texts = useTexts('account')
  const { language } = useLanguage()
  const openToken = sessionStore.get()?.token
  const time = new Intl.DateTimeFormat(language, { dateStyle: 'short', timeStyle: 'short' })
  if (mailboxes.length === 0) return <p className="mb-5">{texts.noAddresses}</p>
  return (
    <ul className="mb-6 divide-y divide-line">
      {mailboxes.map(mailbox => (
        <li key={mailbox.token} className="flex items-center justify-between gap-4 py-3">
          <div className="min-w-0">
            <p className="break-all font-mono">{mailbox.email}</p>
            <p className="text-muted text-sm">{texts.goneAt({ time: time.format(new Date(mailbox.expiresAt)) })}</p>
          </div>
          <Button aria-label={`${texts.open} ${mailbox.email}`} disabled={mailbox.token === openToken} onClick={() => onOpen(mailbox)}>
            {mailbox.token === openToken ? texts.opened : texts.open}
          </Button>
        </li>
      ))}
    </ul>
  )
}

function NewAddress({ onCreated, isFull }: { onCreated: () => Promise<void>; isFull: boolean }) {
  const texts = useTexts('account')
  const errors = useTexts('errors')
  const { domains } = useSiteConfig()
  const [localPart, setLocalPart] = useState('')
  const [domain, setDomain] = useState<string>()
  const [isCreating, start] = useState(false)

  async function create() {
    start(true)
    try {
      const botCheck = await obtainBotCheck('generate_email')
      const name = localPart.trim()
      await createMailbox({ ...(botCheck && { botCheck }), ...(name && { localPart: name }), ...(domain && { domain }) })
      setLocalPart('')
      showToast({ title: texts.created })
      await onCreated()
    } catch (error) {
      showToast({ title: texts.createFailed, description: problemText(error, errors), variant: 'destructive' })
    } finally {
      start(false)
    }
  }

  return (
    <form
      noValidate
      aria-label={texts.newAddress}
      onSubmit={event => {
        event.preventDefault()
        void create()
      }}
    >
      <Field label={texts.localPart} hint={texts.localPartHint}>
        {control => (
          <Input
            {...control}
            value={localPart}
            onChange={event => setLocalPart(event.target.value)}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Field>
      {domains.length > 1 && (
        <Field label={texts.domain}>
          {control => (
            <select
              {...control}
              className={`${controlClass} min-h-12`}
              value={domain ?? domains[0]}
              onChange={event => setDomain(event.target.value)}
            >
              {domains.map(name => (
                <option key={name}>{name}</option>
              ))}
            </select>
          )}
        </Field>
      )}
      <Button type="submit" variant="primary" disabled={isCreating || isFull}>
        {isCreating ? texts.creating : texts.create}
      </Button>
    </form>
  )
}
