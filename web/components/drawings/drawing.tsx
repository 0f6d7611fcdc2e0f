import { type ComponentType, lazy, memo, type ReactNode, Suspense } from 'react'

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

/** A drawing of `/` without code on a first visit, since the served page has it. Call this before React hydrates the page. */
export function servedDrawing(name: string, load: () => Promise<{ default: ComponentType }>): ComponentType {
  const served = typeof document === 'undefined' ? undefined : document.querySelector(`[data-drawing=${name}]`)?.innerHTML
  // Without a network the drawing is missing, and the page works.
  const loadShapes = () => load().catch(() => ({ default: () => null }))
  const Shapes = lazy<ComponentType>(loadShapes)
  // On another page, the next thing that is done may lead to `/`.
  if (served === undefined && typeof document !== 'undefined') {
    for (const sign of ['pointerdown', 'keydown']) addEventListener(sign, loadShapes, { once: true })
  }
  return memo(function ServedDrawing() {
    if (served !== undefined) {
      // biome-ignore lint/security/noDangerouslySetInnerHtml: our own served markup, put back unchanged
      return <div aria-hidden="true" data-drawing={name} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: served }} />
    }
    return (
      <div aria-hidden="true" data-drawing={name}>
        <Suspense>
          <Shapes />
        </Suspense>
      </div>
    )
  })
}
