import { memo } from 'react'
import { LazySection } from '#web/components/layout/lazy-section.tsx'

const AREAS = ['homeSections'] as const
const loadHowItWorks = () => import('./how-it-works.tsx').then(module => module.HowItWorks)
const loadUseCases = () => import('./use-cases.tsx').then(module => module.UseCases)
const loadQuestions = () => import('./questions.tsx').then(module => module.Questions)
const loadCallToAction = () => import('./call-to-action.tsx').then(module => module.CallToAction)

/** The sections below the inbox: served as text, hydrated when they come near the screen. */
export const LazySections = memo(function LazySections() {
  return (
    <>
      <LazySection areas={AREAS} load={loadHowItWorks} room="empty:min-h-[60rem] lg:empty:min-h-[36rem]" />
      <LazySection areas={AREAS} load={loadUseCases} room="empty:min-h-[50rem] lg:empty:min-h-[30rem]" />
      <LazySection areas={AREAS} load={loadQuestions} room="empty:min-h-[46rem]" />
      <LazySection areas={AREAS} load={loadCallToAction} room="empty:min-h-[34rem]" />
    </>
  )
})
