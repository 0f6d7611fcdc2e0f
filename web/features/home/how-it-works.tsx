import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { SectionHeading } from './section-heading.tsx'

/** The time of each step on the address's countdown, and where the sun stands then: its lower edge above the horizon. */
const MOMENTS = [
  { time: '00:10:00', sun: 'bottom-5 bg-sun lg:bottom-11' },
  { time: '00:09:48', sun: 'bottom-3 bg-sun lg:bottom-7' },
  { time: '00:09:21', sun: 'bottom-1 bg-sun lg:bottom-3' },
  { time: '00:00:00', sun: '-bottom-11 bg-sun-low shadow-[0_0_2rem_0.75rem_var(--color-sun-low)] lg:-bottom-15' },
] as const

/** The four steps along the horizon, over which the sun goes down; on a phone from top to bottom. */
export function HowItWorks() {
  const { howItWorks } = useTexts('homeSections')
  return (
    <div className="page-width py-16 sm:py-24">
      <SectionHeading title={howItWorks.title} intro={howItWorks.intro} />
      <ol className="setting-sun relative mt-8 grid gap-y-7 lg:mt-12 lg:grid-cols-4">
        {howItWorks.steps.map((step, index) => {
          const moment = MOMENTS[index]
          return (
            <li key={step.title} className="flex items-start gap-x-5 lg:flex-col lg:pr-8">
              <span aria-hidden="true">
                <span className={`absolute left-3 size-10 rounded-full lg:left-0 lg:size-14 ${moment?.sun}`} />
              </span>
              <div>
                <p className="figures font-mono text-muted text-sm lg:mt-6">{moment?.time}</p>
                <h3 className="mt-1 text-lg">{step.title}</h3>
                <p className="mt-1.5 max-w-[34ch] text-muted sm:max-lg:max-w-none">{step.text}</p>
              </div>
            </li>
          )
        })}
      </ol>
    </div>
  )
}
