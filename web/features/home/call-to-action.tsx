import { type MouseEvent, use } from 'react'
import { EveningFlight } from '#web/components/drawings/pictures.ts'
import { buttonClass } from '#web/components/ui/button.tsx'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { formatTimeLeft, useSecondsLeft } from '#web/lib/mailbox/countdown.ts'
import { GENERATOR_ID, INBOX_ID, scrollToSection } from '#web/lib/routing/scroll-to-section.ts'
import { HomeAddressContext } from './lazy-sections.tsx'

/** The end of the page: a night scene, and the link back to the inbox, or to a new address if there is none. */
export function CallToAction() {
  const { callToAction } = useTexts('homeSections')
  const { state, generate } = use(HomeAddressContext)
  const { phase } = state
  const isComing = phase === 'restoring' || phase === 'generating'
  const isOver = !isComing && phase !== 'active'
  // One element for both, so that the focus stays on it when the address comes or ends.
  function follow(event: MouseEvent) {
    event.preventDefault()
    if (isOver) generate({ isScrolling: true })
    else scrollToSection(INBOX_ID)
  }
  const words = callToAction[isComing ? 'coming' : phase === 'expired' || phase === 'destroying' ? 'ended' : 'none']
  return (
    <div className="night relative overflow-hidden">
      <div className="page-width relative z-10 pt-16 pb-72 sm:pt-24 sm:pb-80 lg:pb-36">
        {phase === 'active' && state.address ? (
          <Live deadlineMs={state.address.deadlineMs} />
        ) : (
          <Words title={words.title} text={words.text} />
        )}
        <a href={`#${isOver ? GENERATOR_ID : INBOX_ID}`} className={buttonClass('primary', 'lg', 'mt-8')} onClick={follow}>
          {isOver ? callToAction.generate : callToAction.button}
        </a>
      </div>
      <EveningFlight className="absolute overflow-visible right-0 bottom-0 h-auto w-[38rem] max-w-none max-sm:-right-12 max-sm:w-[34rem] lg:w-[min(46rem,50vw)]" />
    </div>
  )
}

function Live({ deadlineMs }: { deadlineMs: number }) {
  const { live } = useTexts('homeSections').callToAction
  const seconds = useSecondsLeft(deadlineMs)
  return <Words title={live.title} text={live.text({ time: formatTimeLeft(seconds) })} />
}

function Words({ title, text }: { title: string; text: string }) {
  return (
    <>
      {/* As high with one line as with two: the titles change, and nothing below may move under a pointer. */}
      <h2 className="min-h-[2lh] max-w-[16ch] content-end text-3xl">{title}</h2>
      <p className="figures mt-4 text-lg text-muted">{text}</p>
    </>
  )
}
