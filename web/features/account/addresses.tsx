import { type ReactNode, useCallback, useState, useSyncExternalStore } from 'react'
import { PRO_MAILBOXES_MAX } from '#contract/limits.ts'
import type { MailboxCreated } from '#contract/mailbox.ts'
import { isChoosable } from '#contract/text-patterns.ts'
import { Address } from '#web/components/ui/address.tsx'
import { Button, CopyButton } from '#web/components/ui/button.tsx'
import { Field, Form, Input, Select } from '#web/components/ui/field.tsx'
import { Trash2 } from '#web/components/ui/icons.ts'
import { StatusDot } from '#web/components/ui/status-dot.tsx'
import { ProblemError } from '#web/lib/api/request.ts'
import { createProMailbox, useProMailboxes } from '#web/lib/auth/pro-mailboxes.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { clockTime, daysUntil, relativeDay } from '#web/lib/mailbox/countdown.ts'
import { destroyAddress } from '#web/lib/mailbox/deletions.ts'
import { addressStore, otherAddressStore } from '#web/lib/mailbox/page-addresses.ts'
import { problemText, showFailure } from '#web/lib/notify/failure-toast.ts'
import { showToast } from '#web/lib/notify/toasts.ts'
import { offerUndo } from '#web/lib/notify/undo.ts'
import { useSiteConfig } from '#web/lib/site/site-config.ts'
import type { ErrorTexts } from '#web/texts/en/mailbox.ts'

// Without a network every press counts.
import('#web/lib/browser/stray-press.ts').catch(() => undefined)

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
      {mailboxes && <AddressList mailboxes={mailboxes} onOpen={open} onDeleted={reload} />}
      <NewAddress used={used} onCreated={() => void reload()} />
    </Section>
  )
}

type AddressListProps = {
  mailboxes: readonly MailboxCreated[]
  /** Unread messages by token, where they are known. */
  unread?: ReadonlyMap<string, number>
  onOpen: (mailbox: MailboxCreated) => void
  onDeleted: () => Promise<void>
}

/** Lists the live addresses of the account, to switch between them, copy and delete them. */
export function AddressList({ mailboxes, unread, onOpen, onDeleted }: AddressListProps) {
  const texts = useTexts('account')
  const { delete: deleteText } = useTexts('mailbox')
  const { copy } = useTexts('layout')
  const { language } = useLanguage()
  const openToken = useOpenToken()
  const goneAt = (at: Date) => texts.goneAt({ day: relativeDay(daysUntil(at), language), time: clockTime(at, language) })
  const { leaving, deleteWithUndo } = useDeletions(onDeleted)
  const shown = mailboxes.filter(({ token }) => !leaving.has(token))
  if (shown.length === 0) return <p className="mb-5">{texts.noAddresses}</p>
  return (
    <ul className="mb-6 divide-y divide-line">
      {shown.map(mailbox => (
        // On a phone the buttons take a line of their own, so that the address keeps its.
        <li key={mailbox.token} className="flex min-h-17 flex-wrap items-center justify-between gap-x-2 py-3 sm:flex-nowrap">
          <div className="min-w-0 flex-1 max-sm:w-full max-sm:flex-none">
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
            <Button aria-label={`${texts.open} ${mailbox.email}`} className="shrink-0 max-sm:order-1" onClick={() => onOpen(mailbox)}>
              {texts.open}
            </Button>
          )}
          <CopyButton text={mailbox.email} variant="quiet" className="shrink-0 px-3! max-sm:-ml-3">
            {copy} <span className="sr-only">{mailbox.email}</span>
          </CopyButton>
          <Button
            data-delete
            variant="quiet"
            aria-label={`${deleteText} ${mailbox.email}`}
            className="shrink-0 px-3! text-muted! hover:text-ember-ink! max-sm:mr-auto"
            onClick={() => deleteWithUndo(mailbox)}
          >
            <Trash2 aria-hidden="true" strokeWidth={1.75} />
            {texts.deleteThis}
          </Button>
        </li>
      ))}
    </ul>
  )
}

/** Deletes addresses once that can no longer be undone. `leaving`: the tokens of those that are not listed any more. */
function useDeletions(onDeleted: () => Promise<void>) {
  const { notices } = useTexts('mailbox')
  const { deleteFailed } = useTexts('notices')
  const { undo } = useTexts('layout')
  const errors = useTexts('errors')
  const [leaving, setLeaving] = useState<ReadonlySet<string>>(new Set())
  const deleteWithUndo = useCallback(
    ({ token, email }: MailboxCreated) => {
      const keep = () => setLeaving(tokens => new Set([...tokens].filter(other => other !== token)))
      const commit = () => {
        // This browser may show it, in other tabs too.
        for (const store of [addressStore, otherAddressStore]) store.take(token)
        void destroyAddress(token)
          .catch(error => showFailure(deleteFailed, problemText(error, errors)))
          .then(onDeleted)
          .then(keep)
      }
      setLeaving(tokens => new Set([...tokens, token]))
      offerUndo({ commit, undo: keep }, { title: notices.deleting, description: email, variant: 'default' }, undo)
    },
    [onDeleted, notices, deleteFailed, undo, errors],
  )
  return { leaving, deleteWithUndo }
}

function Unread({ count }: { count: number }) {
  const texts = useTexts('account')
  if (count === 0) return null
  return <span className="font-medium text-dusk-ink">{texts.unread({ count })}</span>
}

/** `fullAt`: the number of addresses with which no other was allowed. */
type Mistakes = { localPart?: string; domain?: string; fullAt?: number }

/** The form for an address with a chosen name and domain. Errors appear below their field, and at the button if there is no room. */
export function NewAddress({ used, onCreated }: { used: number; onCreated: (mailbox: MailboxCreated) => void }) {
  const texts = useTexts('account')
  const errors = useTexts('errors')
  const [localPart, setLocalPart] = useState('')
  const [domain, setDomain] = useState<string>()
  const [mistakes, setMistakes] = useState<Mistakes>({})
  const [isCreating, setIsCreating] = useState(false)

  async function create() {
    if (isCreating) return
    const name = localPart.trim()
    if (name !== '' && !isChoosable(name)) return setMistakes({ localPart: texts.localPartInvalid({ chars: name.length }) })
    // The same refusal again is read out again.
    setMistakes({})
    setIsCreating(true)
    try {
      const mailbox = await createProMailbox({ ...(name && { localPart: name }), ...(domain && { domain }) })
      setLocalPart('')
      setMistakes({})
      // Whoever left the name to chance learns it here.
      showToast({ title: texts.created, description: mailbox.email })
      onCreated(mailbox)
    } catch (error) {
      const isFull = error instanceof ProblemError && error.code === 'mailboxes_max'
      const found = isFull ? { fullAt: used } : fieldErrors(error, errors)
      setMistakes(found)
      if (Object.keys(found).length === 0) showFailure(texts.createFailed, problemText(error, errors))
    } finally {
      setIsCreating(false)
    }
  }

  return (
    <Form aria-label={texts.newAddress} className={FORM} onSubmit={create}>
      <Field label={texts.localPart} hint={texts.localPartHint} error={mistakes.localPart} className="w-full">
        <Input
          value={localPart}
          onChange={event => {
            setLocalPart(event.target.value)
            setMistakes({})
          }}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Field>
      <DomainField domain={domain} onChoose={setDomain} error={mistakes.domain} />
      {mistakes.fullAt === used && (
        <p role="alert" className="mb-3 text-ember-ink text-sm">
          {errors.mailboxes_max}
        </p>
      )}
      {/* A disabled button would lose the focus, and with it the popover around the form would close. */}
      <Button type="submit" aria-disabled={isCreating} aria-busy={isCreating}>
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
      <Select value={domain ?? domains[0]} onChange={event => onChoose(event.target.value)}>
        {domains.map(name => (
          <option key={name}>{name}</option>
        ))}
      </Select>
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

/** Whether it belongs to the account. It may have been kept a moment ago. */
export function useIsOpenKept(): boolean {
  return useSyncExternalStore(
    addressStore.subscribe,
    () => addressStore.get()?.kept ?? false,
    () => false,
  )
}

/** A form section of the account page: fields at full width, one button below them, as wide on a phone. */
export const FORM = 'flex flex-col items-start max-sm:[&>button]:w-full'

/** A part of the account page. Its `id` is where the page's navigation leads. */
export function Section({ id, title, hint, children }: { id: string; title: string; hint: string; children: ReactNode }) {
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
