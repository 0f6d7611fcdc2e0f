import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { ButtonLink } from '#web/components/ui/button.tsx'
import { Head } from '#web/lib/head.tsx'
import { useTexts } from '#web/lib/i18n.tsx'

export default function NotFoundPage() {
  const words = useTexts('notFound')
  const { notFound } = useTexts('meta')
  const { pathname } = useLocation()
  useEffect(() => {
    // Spec 2.32: somebody who follows a bad link with the console open sees which one it was.
    console.error(`404: there is no page at ${pathname}`)
  }, [pathname])
  return (
    <section className="page-width flex flex-col items-start pt-12 pb-20 sm:pt-24">
      <Head {...notFound} path="/404" noindex image="/social/home-en.png" />
      <p aria-hidden="true" className="figures font-semibold text-[clamp(6rem,24vw,15rem)] leading-none tracking-[-0.06em]">
        {words.code}
      </p>
      <h1 className="mt-8 text-2xl">{words.message}</h1>
      <p className="mt-3 max-w-prose text-lg text-muted">{words.remedy}</p>
      <ButtonLink to="/" variant="primary" size="lg" className="mt-8">
        {words.home}
      </ButtonLink>
    </section>
  )
}
