import { clsx } from 'clsx'
import { useState } from 'react'
import { ServedNodes } from '#web/components/layout/served-nodes.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Copy, RefreshCw } from '#web/components/ui/icons.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useHydrated } from '#web/lib/browser/hydrated.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { ADDRESS, AddressSlot } from './address-slot.tsx'

/**
 * Address and main button while an address is requested. In the served page web/lib/mailbox/show-first-address.ts may already show the
 * address there, so React leaves those nodes alone.
 */
export function WaitingAddress() {
  const texts = useTexts('mailbox')
  const isHydrated = useHydrated()
  const [isServed] = useState(!isHydrated)
  if (!import.meta.env.SSR && isServed) return <ServedNodes data-first-address className="contents" />
  return (
    <div data-first-address={isServed || undefined} className="contents">
      <div className="@container">
        <AddressSlot>
          <Skeleton className="h-[0.8em] w-4/5" />
          <span className="sr-only">{texts.generating}</span>
        </AddressSlot>
      </div>
      <Button variant="primary" size="lg" className="w-full short:min-h-11 max-sm:px-3 bg-glow/70 disabled:opacity-100" disabled>
        <RefreshCw aria-hidden="true" strokeWidth={1.75} className="animate-spin" />
        {texts.generating}
      </Button>
      {import.meta.env.SSR && <FirstAddress />}
    </div>
  )
}

/** Looks like address and button of the card; the script fills in the address and makes both copy it. */
function FirstAddress() {
  const texts = useTexts('mailbox')
  const { copied } = useTexts('layout')
  return (
    <template>
      <div className="@container">
        <button type="button" className={clsx(ADDRESS, 'text-left hover:text-dusk-ink')}>
          <span data-address className="one-line block" />
        </button>
      </div>
      <Button variant="primary" size="lg" className="w-full short:min-h-11">
        <Copy aria-hidden="true" strokeWidth={1.75} />
        <span aria-live="polite" data-copied={copied}>
          {texts.copy}
        </span>
      </Button>
    </template>
  )
}
