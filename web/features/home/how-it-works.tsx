import { StepDeleted, StepGenerated, StepReceive, StepUseAnywhere } from '#web/components/drawings/steps.tsx'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { SectionHeading } from './section-heading.tsx'

/** The time of each step on the address's countdown. */
const MOMENTS = ['00:10:00', '00:09:48', '00:09:21', '00:00:00'] as const
/** Each is moved to the left by the empty part of its picture, so that it begins above its text. */
const DRAWINGS = [
  { Picture: StepGenerated, shift: '-translate-x-[11%]' },
  { Picture: StepUseAnywhere, shift: '-translate-x-[13.5%]' },
  { Picture: StepReceive, shift: '-translate-x-[18.5%]' },
  { Picture: StepDeleted, shift: '-translate-x-[11.5%]' },
] as const

/** The four steps along a time line: from left to right, on a phone from top to bottom. */
export function HowItWorks() {
  const { howItWorks } = useTexts('homeSections')
  return (
    <div className="page-width py-16 sm:py-24">
      <SectionHeading title={howItWorks.title} intro={howItWorks.intro} />
      <ol className="mt-10 grid gap-x-8 max-lg:border-line max-lg:border-l lg:mt-14 lg:grid-cols-4">
        {howItWorks.steps.map((step, index) => {
          const drawing = DRAWINGS[index]
          const isLast = index === howItWorks.steps.length - 1
          return (
            <li key={step.title} className="relative pb-9 last:pb-0 sm:max-lg:flex sm:max-lg:gap-6 max-lg:pl-7 lg:pb-0">
              <span
                aria-hidden="true"
                className={`absolute top-2.5 -left-1 size-2 rounded-full lg:top-auto lg:left-0 lg:mt-[7rem] ${isLast ? 'bg-ember' : 'bg-dusk'}`}
              />
              {drawing && <drawing.Picture className={`size-18 shrink-0 lg:size-22 ${drawing.shift}`} />}
              <div>
                <p className="figures mt-3 font-mono text-muted text-sm sm:max-lg:mt-0 lg:mt-7 lg:border-line lg:border-t lg:pt-5">
                  {MOMENTS[index]}
                </p>
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
