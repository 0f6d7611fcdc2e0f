import type { ReactNode } from 'react'

/** Read by screen readers, but not visible. */
export function VisuallyHidden({ children }: { children: ReactNode }) {
  return <span className="sr-only">{children}</span>
}
