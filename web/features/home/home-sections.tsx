import { clsx } from 'clsx'
import { fillIn } from '#contract/limits.ts'
import { quotaTexts } from '#contract/quota.ts'
import { Plus } from '#web/components/ui/icons.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { useSiteConfig } from '#web/lib/site/site-config.ts'

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
    <div className="@container/steps page-width py-16 sm:py-24">
      <SectionHeading title={howItWorks.title} intro={howItWorks.intro} />
      <ol className="setting-sun relative mt-8 grid gap-y-7 lg:mt-12 lg:grid-cols-4">
        {howItWorks.steps.map((step, index) => {
          const moment = MOMENTS[index]
          return (
            <li key={step.title} className="flex items-start gap-x-5 @max-[15rem]/steps:flex-col lg:flex-col lg:pr-8">
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

export function UseCases() {
  const { useCases } = useTexts('homeSections')
  return (
    <div className="bg-sunken">
      <div className="page-width grid gap-10 py-16 sm:py-24 lg:grid-cols-[1fr_2fr] lg:gap-16">
        <SectionHeading title={useCases.title} intro={useCases.intro} />
        <dl className="grid content-start gap-x-12 sm:grid-cols-2">
          {useCases.cases.map(occasion => (
            <div key={occasion.title} className="border-line border-t py-5">
              <dt className="font-semibold text-lg">{occasion.title}</dt>
              <dd className="mt-1 text-muted">{occasion.text}</dd>
            </div>
          ))}
        </dl>
      </div>
    </div>
  )
}

/** The questions and answers. `<details>` opens without a script, is found by the browser's search, and closes its siblings by `name`. */
export function Questions() {
  const { faq } = useTexts('homeSections')
  const limits = quotaTexts(useSiteConfig())
  return (
    <div className="page-width grid gap-10 py-16 sm:py-24 lg:grid-cols-[1fr_2fr] lg:gap-16">
      <SectionHeading title={faq.title} intro={faq.intro} className="lg:sticky lg:top-10 lg:self-start" />
      <div className="min-w-0 border-line border-b">
        {faq.items.map(item => (
          <details key={item.question} name="faq" className="group border-line border-t">
            <summary className="flex min-h-15 list-none items-center justify-between gap-[min(1.5rem,5vw)] py-3 font-medium text-lg">
              <h3 className="min-w-0 text-pretty font-medium">{item.question}</h3>
              <Plus
                aria-hidden="true"
                strokeWidth={1.5}
                className="size-5 shrink-0 text-muted transition-transform duration-150 ease-out group-open:rotate-45"
              />
            </summary>
            <p className="max-w-[62ch] pb-6 text-muted">{import.meta.env.SSR ? item.answer : fillIn(item.answer, limits)}</p>
          </details>
        ))}
      </div>
    </div>
  )
}

/** Title and one sentence, the same in all three sections. */
function SectionHeading({ title, intro, className }: { title: string; intro: string; className?: string }) {
  return (
    <div className={clsx('max-w-[44ch]', className)}>
      <h2 className="text-2xl huge-text:text-xl">{title}</h2>
      <p className="mt-3 text-lg text-muted">{intro}</p>
    </div>
  )
}
