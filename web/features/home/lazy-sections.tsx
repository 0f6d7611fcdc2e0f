import { createContext, memo, useEffect } from 'react'
import { LazySection } from '#web/components/layout/lazy-section.tsx'
import { RESTORING, type ShownAddress } from '#web/lib/mailbox/address-machine.ts'

const AREAS = ['homeSections'] as const
const loadHowItWorks = () => import('./home-sections.tsx').then(module => module.HowItWorks)
const loadUseCases = () => import('./home-sections.tsx').then(module => module.UseCases)
const loadQuestions = () => import('./home-sections.tsx').then(module => module.Questions)
const loadCallToAction = () => import('./call-to-action.tsx').then(module => module.CallToAction)

/** By now the fonts are there, and laying out all of the page takes nothing from the first screen. */
const SETTLED_MS = 2000

/** The sections below the inbox: served as text, hydrated when they come near the screen. */
export const LazySections = memo(function LazySections() {
  useEffect(() => {
    const timer = setTimeout(() => document.documentElement.toggleAttribute('data-settled', true), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <>
      <LazySection areas={AREAS} load={loadHowItWorks} room="below-screen room-steps" />
      <LazySection areas={AREAS} load={loadUseCases} room="below-screen room-uses" />
      <LazySection areas={AREAS} load={loadQuestions} room="below-screen room-questions" />
      <LazySection areas={AREAS} load={loadCallToAction} room="below-screen room-call" />
    </>
  )
})

/** What the sections below the inbox know of the visitor's address. */
type HomeAddress = { state: ShownAddress; generate: (options: { isScrolling: true }) => void }

/** Set by the home page. The served page is the same for everyone, so there no address is known yet. */
export const HomeAddressContext = createContext<HomeAddress>({ state: RESTORING, generate: () => {} })
