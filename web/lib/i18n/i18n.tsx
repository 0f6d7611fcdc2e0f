/** The texts of the site in the page's language: `useTexts('area')`, typed by the English catalog. */
import { createContext, type ReactNode, startTransition, use, useCallback, useEffect, useMemo, useState } from 'react'
import { LANGUAGES, type Language, perLanguage } from '#contract/languages.ts'
import { type Area, type Core, catalogs, type LazyArea, type Texts } from '#web/texts/catalog.ts'
import { rememberFailure, throwIfFailed } from '../routing/failed-loads.ts'
import { withSiteFacts } from '../site/site-config.ts'
import { detectBrowserLanguage, storeLanguage } from './language.ts'

type Key = 'core' | LazyArea
const loaded = perLanguage(() => new Map<string, unknown>())
const loading = perLanguage(() => new Map<string, Promise<unknown>>())

/** Fetches texts before they are rendered, so that nothing suspends. `core` is the areas every page shows. */
export async function loadTexts(language: Language, areas: readonly Key[]): Promise<void> {
  await Promise.all(areas.map(area => load(language, area)))
}

/** One area, for code outside of components. Rejects if it cannot be fetched. */
export function fetchTexts<Name extends LazyArea>(language: Language, area: Name): Promise<Texts[Name]> {
  return load(language, area) as Promise<Texts[Name]>
}

const failureKey = (language: Language, area: Key) => `${language}/${area}`

function load(language: Language, area: Key): Promise<unknown> {
  const known = loading[language].get(area)
  if (known) return known
  const texts: Promise<unknown> = fetchArea(language, area).then((source: unknown) => {
    const module = withSiteFacts(source, language)
    loaded[language].set(area, module)
    // React marks a resolved promise like this; `use` then returns its value at once.
    Object.assign(texts, { status: 'fulfilled', value: module })
    return module
  })
  // A failed fetch must not be cached: the next try may have a network again.
  texts.catch((error: unknown) => {
    loading[language].delete(area)
    rememberFailure(failureKey(language, area), error)
  })
  loading[language].set(area, texts)
  return texts
}

async function fetchArea(language: Language, area: Key): Promise<unknown> {
  const core = await catalogs[language]()
  if (area === 'core') return core
  const file: Readonly<Record<string, unknown>> = await core.lazyAreas[area]()
  return file[area]
}

function read<Name extends Area>(language: Language, name: Name): Texts[Name] {
  const core = readArea(language, 'core') as Core
  return (name in core ? core[name as keyof Core] : readArea(language, name as LazyArea)) as Texts[Name]
}

function readArea(language: Language, area: Key): unknown {
  if (!loaded[language].has(area)) throwIfFailed(failureKey(language, area))
  // This is done for loaded texts too: a component that suspended here is replayed and must call the same hook again (React error 467).
  return use(load(language, area))
}

type LanguageState = { language: Language; setLanguage: (language: Language) => Promise<void> }
const LanguageContext = createContext<LanguageState | undefined>(undefined)

/** `initial` must be the language of the served HTML, or hydration would not match it. The visitor's own language follows at once. */
export function LanguageProvider({ initial, children }: { initial: Language; children: ReactNode }) {
  const [language, setShownLanguage] = useState(initial)

  const change = useCallback(async (next: Language) => {
    // All texts on the screen must be loaded in the new language before it changes.
    const areas = LANGUAGES.flatMap(known => [...loaded[known].keys()]) as Key[]
    await loadTexts(next, areas)
    document.documentElement.lang = next
    startTransition(() => setShownLanguage(next))
  }, [])

  useEffect(() => {
    const detected = detectBrowserLanguage()
    if (detected !== initial) change(detected).catch(() => undefined)
  }, [initial, change])

  const state = useMemo(() => {
    const setLanguage = async (next: Language) => {
      storeLanguage(next)
      await change(next)
    }
    return { language, setLanguage }
  }, [language, change])

  return <LanguageContext value={state}>{children}</LanguageContext>
}

/** The page's language, and a function to change it: the choice is stored, and the texts on the page change in place. */
export function useLanguage(): LanguageState {
  const state = use(LanguageContext)
  if (!state) throw new Error('useLanguage needs a <LanguageProvider> above it')
  return state
}

/** One area of the catalog in the page's language. A key that another language lacks is a compile error. */
export function useTexts<Name extends Area>(area: Name): Texts[Name] {
  return read(useLanguage().language, area)
}
