import { useEffect } from 'react'
import { PRO_MAILBOXES_MAX } from '#contract/limits.ts'
import { ChevronDown } from '#web/components/ui/icons.tsx'
import { useProMailboxes } from '#web/lib/auth/pro-mailboxes.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { AddressList } from './address-list.tsx'
import { NewAddress } from './new-address.tsx'
import { openAddress, useOpenToken } from './open-address.ts'

/** On the home page of a signed-in account: switches between its live addresses, and has the form for a chosen name. */
export default function AddressSwitcher() {
  const texts = useTexts('account')
  const { mailboxes, reload } = useProMailboxes()
  const openToken = useOpenToken()
  const used = mailboxes?.length ?? 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: an address was made, deleted or has expired whenever another one is open
  useEffect(() => void reload(), [openToken, reload])
  if (!mailboxes) return null
  return (
    <section aria-labelledby="addresses" className="rounded-lg border border-line bg-raised p-4 sm:p-6">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="addresses" className="font-medium text-muted text-sm">
          {texts.addresses}
        </h2>
        <p className="text-muted text-sm">{texts.addressesHint({ used, max: PRO_MAILBOXES_MAX })}</p>
      </div>
      <AddressList mailboxes={mailboxes} onOpen={openAddress} />
      <details className="group border-line border-t pt-3">
        <summary className="flex min-h-11 cursor-pointer list-none items-center justify-between gap-3 rounded-sm font-medium">
          {texts.newAddress}
          <ChevronDown
            aria-hidden="true"
            strokeWidth={1.5}
            className="size-5 shrink-0 text-muted transition-transform duration-150 group-open:rotate-180"
          />
        </summary>
        <div className="pt-3">
          <NewAddress onCreated={openAddress} isFull={used >= PRO_MAILBOXES_MAX} />
        </div>
      </details>
    </section>
  )
}
