import { type ComponentType, lazy, memo, Suspense } from 'react'

/**
 * A drawing of `/` that needs no code on a first visit, because it is already in the served page. To be called before React hydrates the
 * page.
 */
export function servedDrawing(name: string, load: () => Promise<{ default: ComponentType }>): ComponentType {
  const served = typeof document === 'undefined' ? undefined : document.querySelector(`[data-drawing=${name}]`)?.innerHTML
  const Shapes = lazy(load)
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
