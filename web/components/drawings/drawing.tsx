import type { ReactNode } from 'react'

/** The two strokes of every drawing: ink is the text colour around it, dusk the palette's warm light. */
const INK = 'currentColor'
export const DUSK = 'var(--color-dusk)'

type DrawingProps = {
  viewBox: `0 0 ${number} ${number}`
  strokeWidth?: number
  className?: string | undefined
  /** Alternative text. Without it the drawing is decoration. */
  label?: string | undefined
  children: ReactNode
}

export function Drawing({ viewBox, strokeWidth = 1.5, className, label, children }: DrawingProps) {
  const naming = label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true as const }
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: a title element would show as a tooltip; the label names the picture instead
    <svg
      {...naming}
      viewBox={viewBox}
      className={className}
      fill="none"
      stroke={INK}
      strokeWidth={strokeWidth}
      strokeLinecap="round"
      strokeLinejoin="round"
      focusable="false"
    >
      {children}
    </svg>
  )
}
