import { Benefits } from '#web/features/home/benefits.tsx'
import { Hero } from '#web/features/home/hero.tsx'
import { LazySections } from '#web/features/home/lazy-sections.tsx'
import { Head } from '#web/lib/head.tsx'
import { useTexts } from '#web/lib/i18n.tsx'
import { GENERATOR_ID } from '#web/lib/scroll-to-inbox.ts'

export default function HomePage() {
  const words = useTexts('home')
  const { home } = useTexts('meta')
  return (
    <>
      <Head {...home} path="/" />
      <div className="page-width grid gap-x-20 gap-y-4 pt-1 lg:grid-cols-[5fr_6fr] lg:items-start lg:pt-12">
        <Hero />
        <section id={GENERATOR_ID} aria-label={words.generator} />
      </div>
      <div className="page-width mt-6 lg:mt-14" />
      <div className="page-width mt-10 lg:hidden">
        <p className="text-lg">{words.subheadline}</p>
        <Benefits className="mt-5" />
      </div>
      <LazySections />
    </>
  )
}
