import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { Link } from '#web/lib/routing/router.tsx'
import { Reeds } from '../drawings/picture.tsx'
import { ArrowLeft } from '../ui/lazy-icons.ts'

/**
 * Every page but the home page: its content begins at the same place on each, and the shore of the home page lies between it and the
 * footer. `WayBack`, or a breadcrumb with its class, stands before the heading.
 */
export function InnerPage({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <div className="inner-page">
      <div className={clsx('page-width flex-1 pt-9 pb-16', className)}>{children}</div>
      <div aria-hidden="true" data-print="never" className="shore">
        <div className="page-width">
          <Reeds />
        </div>
      </div>
    </div>
  )
}

/** The way back to the address, above the heading. `children` stand at the other end of its line. */
export function WayBack({ children }: { children?: ReactNode }) {
  const { back } = useTexts('layout')
  return (
    <div className="way-back flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
      <Link
        to="/"
        className="-mx-2.5 inline-flex min-h-11 items-center gap-2 rounded-sm px-2.5 text-muted underline-offset-4 hover:text-ink hover:underline"
      >
        <ArrowLeft aria-hidden="true" className="size-4" strokeWidth={1.75} />
        {back}
      </Link>
      {children}
    </div>
  )
}
