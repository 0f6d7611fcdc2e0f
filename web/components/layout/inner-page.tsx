import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { Reeds } from '../drawings/mayfly.tsx'

/**
 * Every page but the home page: its content begins at the same place on each, and the shore of the home page lies between it and the
 * footer. A link back, or a breadcrumb, before the heading has the class `way-back`.
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
