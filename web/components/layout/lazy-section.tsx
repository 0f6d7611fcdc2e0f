import { type ComponentProps, type ComponentType, lazy, type MouseEvent, memo, Suspense, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Language } from '#contract/languages.ts'
import { useHydrated } from '#web/lib/browser/hydrated.ts'
import { loadTexts, useLanguage } from '#web/lib/i18n/i18n.tsx'
import { servedLink, useNavigate } from '#web/lib/routing/router.tsx'
import type { LazyArea } from '#web/texts/catalog.ts'

/** Distance from the screen at which a section's code is fetched. */
const NEAR = { rootMargin: '200px', threshold: 0.01 }
/** How often a section looks whether the visitor is done in it. */
const BUSY_MS = 250

type LazySectionProps = {
  load: () => Promise<ComponentType>
  areas: readonly LazyArea[]
  /** Classes that reserve space when no HTML was served, e.g. `empty:min-h-26`, or `below-screen` with a height. */
  room: string
  /** `div` for content that has its own landmark. */
  as?: 'section' | 'div'
}

/**
 * A section whose text is in the served HTML, for crawlers and a stable layout, but whose code is fetched only when the visitor scrolls
 * near. Until then React leaves the served nodes alone (an empty `__html` is never written during hydration).
 */
export const LazySection = (props: LazySectionProps) => (import.meta.env.SSR ? <Served {...props} /> : <NearSection {...props} />)

function Served({ load, room, as: Element = 'section' }: LazySectionProps) {
  const Content = lazy(async () => ({ default: await load() }))
  return (
    <Element className={room}>
      <Suspense>
        <Content />
      </Suspense>
    </Element>
  )
}

function NearSection({ load, areas, room, as: Element = 'section' }: LazySectionProps) {
  const { language } = useLanguage()
  const navigate = useNavigate()
  const section = useRef<HTMLDivElement>(null)
  const [Content, setContent] = useState<ComponentType>()
  const served = useRef<Language>(language)
  const isStale = served.current !== language

  useEffect(() => {
    const element = section.current
    if (!element || Content) return
    const fetchContent = async () => {
      const [component] = await Promise.all([load(), loadTexts(language, areas)])
      // Whoever walks through the section by Tab keeps the place, and a press that has begun is finished: then its nodes are replaced. At
      // once, since a press that began before React's next turn would end on a node that is gone, and do nothing.
      const replace = () => {
        if (!isStale && element.matches(':active, :focus-within')) setTimeout(replace, BUSY_MS)
        else flushSync(() => setContent(() => component))
      }
      replace()
    }
    // Without a network the served text stays; the code is fetched when the section comes near again.
    const near = () => void fetchContent().catch(() => undefined)
    // A change of language cannot wait until the section is near.
    if (isStale) return near()
    const observer = new IntersectionObserver(entries => entries.some(entry => entry.isIntersecting) && near(), NEAR)
    observer.observe(element)
    return () => observer.disconnect()
  }, [Content, language, isStale, load, areas])

  if (Content) {
    return (
      <Element ref={section} className={room}>
        <Content />
      </Element>
    )
  }
  /** A served link keeps what only the application knows, such as the language of a shared link. */
  function follow(event: MouseEvent) {
    const to = servedLink(event)
    if (to === undefined) return
    event.preventDefault()
    navigate(to)
  }
  return (
    <Element
      ref={section}
      onClick={follow}
      className={room}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: it is empty; its only effect is that hydration keeps the served nodes
      dangerouslySetInnerHTML={{ __html: '' }}
    />
  )
}

type StaticPartProps = { load: () => Promise<ComponentType>; area: LazyArea }

/**
 * A part that only shows text. A served page has it already, so neither its code nor its texts are fetched, until the language changes or
 * the page is reached by a link within the site.
 */
export const StaticPart = memo(function StaticPart({ load, area }: StaticPartProps) {
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

const parts = new Map<StaticPartProps['load'], ComponentType>()

/** Changing the page or the language is a transition, which waits for it. Without a network the part is missing, and the page works. */
function partOf(load: StaticPartProps['load'], area: LazyArea, language: Language): ComponentType {
  const known = parts.get(load)
  if (known) return known
  const part = lazy(async () => {
    const [component] = await Promise.all([load(), loadTexts(language, [area])]).catch(() => [() => null])
    return { default: component }
  })
  parts.set(load, part)
  return part
}

/** Stands for a `<div>` of the served page whose nodes React leaves alone. Only while the page hydrates. */
export function ServedNodes(props: Omit<ComponentProps<'div'>, 'children'>) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: it is empty, and never written during hydration; its only effect is that the served nodes stay
  return <div {...props} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: '' }} />
}
