import { MooredBoat } from '#web/components/drawings/moored-boat.tsx'
import { buttonClass } from '#web/components/ui/button.tsx'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { Head } from '#web/lib/site/head.tsx'
import { useSiteConfig } from '#web/lib/site/site-config.ts'

/** Served without any script: an empty `href` is the requested URL, so the link tries it again. */
export default function OfflinePage() {
  const words = useTexts('notFound')
  const { siteName } = useSiteConfig()
  return (
    <section className="page-width flex flex-col items-start pt-8 pb-20 sm:pt-16">
      <Head title={`${words.offlineTitle}: ${siteName}`} description={words.offlineText} path="/" noindex />
      <MooredBoat className="w-full max-w-md" />
      <h1 className="mt-10 text-2xl">{words.offlineTitle}</h1>
      <p className="mt-3 max-w-[56ch] text-lg text-muted">{words.offlineText}</p>
      {/* biome-ignore lint/a11y/useValidAnchor: a link to the address in the bar is what reloads without a script */}
      <a href="" className={buttonClass('primary', 'lg', 'mt-8')}>
        {words.reload}
      </a>
    </section>
  )
}
