import { useEffect } from 'react'
import { Jetty, MooredBoat } from '#web/components/drawings/pictures.ts'
import { InnerPage } from '#web/components/layout/inner-page.tsx'
import { ButtonLink, buttonClass } from '#web/components/ui/button.tsx'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { useLocation } from '#web/lib/routing/router.tsx'
import { Head } from '#web/lib/site/head.tsx'
import { useSiteConfig } from '#web/lib/site/site-config.ts'

export function NotFoundPage() {
  const words = useTexts('notFound')
  const { pathname } = useLocation()
  useEffect(() => {
    // Shows in the console which link was wrong.
    console.error(`404: there is no page at ${pathname}`)
  }, [pathname])
  return (
    <InnerPage className="grid content-center items-center gap-x-16 gap-y-6 lg:grid-cols-[6fr_5fr]">
      <Head {...words.meta} path="/404" noindex />
      <Jetty className="w-full lg:order-2" />
      <div className="flex flex-col items-start">
        <p
          aria-hidden="true"
          className="figures -ml-[0.035em] font-semibold text-[length:clamp(min(6rem,40vw),22vw,13rem)] leading-[0.9] tracking-[-0.02em]"
        >
          {words.code}
        </p>
        <h1 className="mt-6 text-2xl">{words.message}</h1>
        <p className="mt-3 max-w-[44ch] text-lg text-muted">{words.remedy}</p>
        <ButtonLink to="/" variant="primary" size="lg" className="mt-8 max-sm:w-full">
          {words.home}
        </ButtonLink>
      </div>
    </InnerPage>
  )
}

/** Served without any script: an empty `href` is the requested URL, so the link tries it again. */
export function OfflinePage() {
  const words = useTexts('notFound')
  const { siteName } = useSiteConfig()
  return (
    <InnerPage className="grid content-center items-center gap-x-16 gap-y-6 lg:grid-cols-[6fr_5fr]">
      <Head title={`${words.offlineTitle}: ${siteName}`} description={words.offlineText} path="/" noindex />
      <MooredBoat className="w-full lg:order-2" />
      <div className="flex flex-col items-start">
        {' '}
        <h1 className="text-2xl">{words.offlineTitle}</h1>
        <p className="mt-3 max-w-[56ch] text-lg text-muted">{words.offlineText}</p>
        {/* biome-ignore lint/a11y/useValidAnchor: a link to the address in the bar is what reloads without a script */}
        <a href="" className={buttonClass('primary', 'lg', 'mt-8 max-sm:w-full')}>
          {words.reload}
        </a>
      </div>
    </InnerPage>
  )
}
