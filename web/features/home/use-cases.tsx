import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { SectionHeading } from './section-heading.tsx'

/** Six use cases, as a list. */
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
