import { clsx } from 'clsx'
import type { ReactNode } from 'react'

type StatusTone = 'live' | 'waiting' | 'danger' | 'idle'

const TONES: Record<StatusTone, string> = { live: 'bg-river', waiting: 'bg-dusk animate-breathe', danger: 'bg-ember', idle: 'bg-edge' }

/** A status word with a dot. The word carries the meaning; the dot only repeats it. */
export function StatusDot({ tone, children, className }: { tone: StatusTone; children: ReactNode; className?: string }) {
  return (
    <span className={clsx('inline-flex items-center gap-2 text-muted text-sm', className)}>
      <span aria-hidden="true" className={clsx('size-2 shrink-0 rounded-full forced-colors:bg-[CanvasText]', TONES[tone])} />
      {children}
    </span>
  )
}

/** A placeholder for content that is loading. Give it the size of the content. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={clsx('block animate-breathe rounded-sm bg-line/70', className)} />
}
