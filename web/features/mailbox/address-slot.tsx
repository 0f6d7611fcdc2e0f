import { clsx } from 'clsx'
import type { ReactNode } from 'react'

export const ADDRESS =
  'grid min-h-11 w-full content-center font-mono font-semibold leading-tight [overflow-wrap:anywhere] sm:min-h-13 sm:text-xl short:min-h-11 short:text-base'

/** What is shown in place of the address, or an address that can no longer be used. */
export function AddressSlot({ tone, children }: { tone?: string; children: ReactNode }) {
  return (
    <div className={clsx(ADDRESS, tone)}>
      <div>{children}</div>
    </div>
  )
}
