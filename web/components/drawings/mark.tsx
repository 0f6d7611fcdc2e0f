import { Drawing, DUSK } from './drawing.tsx'

/** The mark of the product: wing, body, tails and a line of water, legible from 16 px. */
export function Mark({ className, label }: { className?: string; label?: string }) {
  return (
    <Drawing viewBox="0 0 32 32" strokeWidth={2} className={className} label={label}>
      <path d="M10.4 19.6C8.4 12.4 11 6 16.8 2.8C22 6.6 22.6 12.6 18.8 16.2C16.4 18.4 13.4 19.4 10.4 19.6Z" />
      <path d="M4.6 19C8 21.8 17.6 22 23.4 17.4" />
      <path d="M23.4 17.4C26 15 27.6 12 28.2 8.4M23.4 17.4C26 16.4 28.2 15 30 12.8" strokeWidth="1.5" />
      <path d="M11 18.6C11.8 13.6 13.8 9.6 16.6 6.8" stroke={DUSK} strokeWidth="1.5" />
      <path d="M4 27.4H28" stroke={DUSK} />
    </Drawing>
  )
}
