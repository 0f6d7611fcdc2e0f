import type { ReactNode } from 'react'

/** Read by a screen reader, seen by nobody. */
export function VisuallyHidden({ children }: { children: ReactNode }) {
  return <span className="sr-only">{children}</span>
}
