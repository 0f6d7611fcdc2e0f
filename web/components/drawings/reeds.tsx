import { Drawing } from './drawing.tsx'

/** Reeds that stand in the water at its near shore. */
export function Reeds({ className }: { className?: string }) {
  return (
    <Drawing viewBox="0 0 60 90" strokeWidth={1.25} className={className}>
      <path d="m48 90C48 66 46 44 41 24M55 90C54 62 55 40 58 22M44 90C43 76 38 62 28 52M51 90C50 74 50 62 52 48M40 90C39 80 34 72 26 68" />
      <path d="m40.6 22L38.4 11M52.4 45L53.6 35" strokeWidth={4} />
    </Drawing>
  )
}
