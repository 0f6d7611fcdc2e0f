import { type ReactNode, useState, useSyncExternalStore } from 'react'
import { PRO_MAILBOXES_MAX } from '#contract/limits.ts'
import type { MailboxCreated } from '#contract/mailbox.ts'
import { isChoosable } from '#contract/text-patterns.ts'
import { Address } from '#web/components/ui/address.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Field, Form, Input, Select } from '#web/components/ui/field.tsx'
import { StatusDot } from '#web/components/ui/status-dot.tsx'
import { ProblemError } from '#web/lib/api/request.ts'
import { createProMailbox, useProMailboxes } from '#web/lib/auth/pro-mailboxes.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { clockTime } from '#web/lib/mailbox/countdown.ts'
import { addressStore } from '#web/lib/mailbox/page-addresses.ts'
import { problemText, showFailure } from '#web/lib/notify/failure-toast.ts'
import { showToast } from '#web/lib/notify/toasts.ts'
import { useSiteConfig } from '#web/lib/site/site-config.ts'
import type { ErrorTexts } from '#web/texts/en/mailbox.ts'

/** The live addresses of the account, and the form for a new one. `onOpen` is called when this browser shows another address. */
export function ProAddresses({ onOpen }: { onOpen: () => void }) {
  const texts = useTexts('account')
  const { mailboxes, reload } = useProMailboxes()
  const used = mailboxes?.length ?? 0
  const open = (mailbox: MailboxCreated) => {
    showAddress(mailbox)
    onOpen()
  }
  return (
    <Section id="addresses" title={texts.addresses} hint={texts.addressesHint({ used, max: PRO_MAILBOXES_MAX })}>
      {mailboxes && <AddressList mailboxes={mailboxes} onOpen={open} />}
      <NewAddress onCreated={() => void reload()} isFull={used >= PRO_MAILBOXES_MAX} />
    </Section>
  )
}

type AddressListProps = {
  mailboxes: readonly MailboxCreated[]
  /** Unread messages by token, where they are known. */
  unread?: ReadonlyMap<string, number>
  onOpen: (mailbox: MailboxCreated) => void
}

/** Lists the live addresses of the account, to switch between them. */
export function AddressList({ mailboxes, unread, onOpen }: AddressListProps) {
  const texts = useTexts('account')
  const { language } = useLanguage()
  const openToken = useOpenToken()
  const weekday = new Intl.DateTimeFormat(language, { weekday: 'long' })
  const goneAt = (at: Date) => texts.goneAt({ day: weekday.format(at), time: clockTime(at, language) })
  if (mailboxes.length === 0) return <p className="mb-5">{texts.noAddresses}</p>
  return (
    <ul className="mb-6 divide-y divide-line">
      {mailboxes.map(mailbox => (
        <li key={mailbox.token} className="flex items-center justify-between gap-3 min-h-17 py-3 sm:gap-4">
          <div className="min-w-0">
            <p className="font-mono max-sm:text-sm [overflow-wrap:anywhere]">
              <Address email={mailbox.email} />
            </p>
            <p className="flex flex-wrap gap-x-3 text-muted text-sm">
              {goneAt(new Date(mailbox.expiresAt))}
              <Unread count={unread?.get(mailbox.token) ?? 0} />
              {mailbox.token === openToken && <StatusDot tone="live">{texts.opened}</StatusDot>}
            </p>
          </div>
          {mailbox.token !== openToken && (
            <Button aria-label={`${texts.open} ${mailbox.email}`} className="shrink-0" onClick={() => onOpen(mailbox)}>
              {texts.open}
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}

function Unread({ count }: { count: number }) {
  const texts = useTexts('account')
  if (count === 0) return null
  return <span className="font-medium text-dusk-ink">{texts.unread({ count })}</span>
}

type NewAddressProps = { onCreated: (mailbox: MailboxCreated) => void; isFull: boolean }
type Mistakes = { localPart?: string; domain?: string }

/** The form for an address with a chosen name and domain. Errors appear below their field. */
export function NewAddress({ onCreated, isFull }: NewAddressProps) {
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
    <Form aria-label={texts.newAddress} className={FORM} onSubmit={create}>
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
    </Form>
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
  if (error.code === 'local_part_taken' || error.code === 'local_part_reserved') return { localPart: problemText(error, errors) }
  if (error.code === 'domain_not_served') return { domain: errors.domain_not_served }
  return {}
}

/** Makes `mailbox` the address that this browser shows, in all its tabs. */
export function showAddress(mailbox: MailboxCreated): void {
  addressStore.save(mailbox, performance.now())
}

/** The token of the address that this browser shows. */
export function useOpenToken(): string | undefined {
  return useSyncExternalStore(
    addressStore.subscribe,
    () => addressStore.get()?.token,
    () => undefined,
  )
}

/** A form section of the account page: fields at full width, one button below them, as wide on a phone. */
export const FORM = 'flex flex-col items-start gap-2 max-sm:[&>button]:w-full'

type SectionProps = { id: string; title: string; hint: string; children: ReactNode }

/** A part of the account page. Its `id` is where the page's navigation leads. */
export function Section({ id, title, hint, children }: SectionProps) {
  return (
    // Where there is room, what it is stands beside what can be done.
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="gap-10 border-line border-t py-8 @min-[48rem]:grid @min-[48rem]:grid-cols-[15rem_minmax(0,1fr)]"
    >
      <div>
        <h2 id={`${id}-title`} className="text-lg">
          {title}
        </h2>
        <p className="mt-1 mb-5 text-muted">{hint}</p>
      </div>
      <div className="min-w-0">{children}</div>
    </section>
  )
}
