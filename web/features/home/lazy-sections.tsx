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
      <LazySection areas={AREAS} load={loadHowItWorks} room="below-screen [--room:51rem] sm:[--room:45rem] lg:[--room:37rem]" />
      <LazySection areas={AREAS} load={loadUseCases} room="below-screen [--room:63rem] sm:[--room:44rem] lg:[--room:35rem]" />
      <LazySection areas={AREAS} load={loadQuestions} room="below-screen [--room:56rem] sm:[--room:52rem] lg:[--room:43rem]" />
      <LazySection areas={AREAS} load={loadCallToAction} room="below-screen [--room:37rem] sm:[--room:40rem] lg:[--room:31rem]" />
    </>
  )
})

/** What the sections below the inbox know of the visitor's address. */
type HomeAddress = { state: ShownAddress; generate: (options: { isScrolling: true }) => void }

/** Set by the home page. The served page is the same for everyone, so there no address is known yet. */
export const HomeAddressContext = createContext<HomeAddress>({ state: RESTORING, generate: () => {} })
