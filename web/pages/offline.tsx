import { MooredBoat } from '#web/components/drawings/moored-boat.tsx'
import { InnerPage } from '#web/components/layout/inner-page.tsx'
import { buttonClass } from '#web/components/ui/button.tsx'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { Head } from '#web/lib/site/head.tsx'
import { useSiteConfig } from '#web/lib/site/site-config.ts'

/** Served without any script: an empty `href` is the requested URL, so the link tries it again. */
export default function OfflinePage() {
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
