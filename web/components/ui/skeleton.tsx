import { clsx } from 'clsx'

/** The outline of what is about to appear; as quiet as paper. Give it the size of the real thing. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={clsx('block animate-breathe rounded-sm bg-line/70', className)} />
}
