import { EveningFlight } from '#web/components/drawings/evening-flight.tsx'
import { buttonClass } from '#web/components/ui/button.tsx'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { INBOX_ID, scrollToSection } from '#web/lib/routing/scroll-to-section.ts'

/** The end of the page: a night scene, and the link back to the inbox. */
export function CallToAction() {
  const { callToAction } = useTexts('homeSections')
  return (
    <div className="night relative overflow-hidden">
      <div className="page-width relative z-10 pt-16 pb-72 sm:pt-24 sm:pb-80 lg:pb-36">
        <h2 className="max-w-[16ch] text-3xl">{callToAction.title}</h2>
        <p className="mt-4 text-lg text-muted">{callToAction.text}</p>
        <a
          href={`#${INBOX_ID}`}
          className={buttonClass('primary', 'lg', 'mt-8')}
          onClick={event => {
            event.preventDefault()
            scrollToSection(INBOX_ID)
          }}
        >
          {callToAction.button}
        </a>
      </div>
      <EveningFlight className="absolute right-0 bottom-0 h-auto w-[38rem] max-w-none max-sm:-right-28 lg:w-[46rem]" />
    </div>
  )
}
