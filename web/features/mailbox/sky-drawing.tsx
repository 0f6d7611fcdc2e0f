import { lazy, memo, Suspense } from 'react'

const NAME = 'sky'
/**
 * On a first visit to `/` the drawing is already in the served page, so its 1.3 kB of shapes need no code. Read before React hydrates the
 * page.
 */
const served = typeof document === 'undefined' ? undefined : document.querySelector(`[data-drawing=${NAME}]`)?.innerHTML
const SkyShapes = lazy(() => import('./sky-shapes.tsx'))

/** The picture behind the clock; styles.css moves its parts. */
export const SkyDrawing = memo(function SkyDrawing() {
  if (served !== undefined) {
    // biome-ignore lint/security/noDangerouslySetInnerHtml: our own served markup, put back unchanged
    return <div aria-hidden="true" data-drawing={NAME} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: served }} />
  }
  return (
    <div aria-hidden="true" data-drawing={NAME}>
      <Suspense>
        <SkyShapes />
      </Suspense>
    </div>
  )
})
