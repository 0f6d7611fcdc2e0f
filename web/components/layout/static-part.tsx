import { type ComponentType, lazy, memo, useRef } from 'react'
import type { Language } from '#contract/languages.ts'
import { useHydrated } from '#web/lib/browser/hydrated.ts'
import { loadTexts, useLanguage } from '#web/lib/i18n/i18n.tsx'
import type { LazyArea } from '#web/texts/catalog.ts'
import { ServedNodes } from './served-nodes.tsx'

type Props = { load: () => Promise<ComponentType>; area: LazyArea }

/**
 * A part that only shows text. A served page has it already, so neither its code nor its texts are fetched, until the language changes or
 * the page is reached by a link within the site.
 */
export const StaticPart = memo(function StaticPart({ load, area }: Props) {
  const { language } = useLanguage()
  const isHydrating = !useHydrated()
  const served = useRef(isHydrating ? language : undefined)
  // For good: after a change of language and back, React has drawn it.
  if (served.current !== language) served.current = undefined
  if (!import.meta.env.SSR && served.current !== undefined) return <ServedNodes key="served" />
  const Part = partOf(load, area, language)
  return (
    <div>
      <Part />
    </div>
  )
})

const parts = new Map<Props['load'], ComponentType>()

/** Changing the page or the language is a transition, which waits for it. Without a network the part is missing, and the page works. */
function partOf(load: Props['load'], area: LazyArea, language: Language): ComponentType {
  const known = parts.get(load)
  if (known) return known
  const part = lazy(async () => {
    const [component] = await Promise.all([load(), loadTexts(language, [area])]).catch(() => [() => null])
    return { default: component }
  })
  parts.set(load, part)
  return part
}
