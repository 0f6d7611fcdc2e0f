import { Plus } from '#web/components/ui/icons.tsx'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { SectionHeading } from './section-heading.tsx'

/** The questions and answers. `<details>` opens without a script, is found by the browser's search, and closes its siblings by `name`. */
export function Questions() {
  const { faq } = useTexts('homeSections')
  return (
    <div className="page-width grid gap-10 py-16 sm:py-24 lg:grid-cols-[1fr_2fr] lg:gap-16">
      <SectionHeading title={faq.title} intro={faq.intro} className="lg:sticky lg:top-10 lg:self-start" />
      <div className="border-line border-b">
        {faq.items.map(item => (
          <details key={item.question} name="faq" className="group border-line border-t">
            <summary className="flex min-h-15 list-none items-center justify-between gap-6 py-3 font-medium text-lg">
              <h3 className="text-pretty font-medium">{item.question}</h3>
              <Plus
                aria-hidden="true"
                strokeWidth={1.5}
                className="size-5 shrink-0 text-muted transition-transform duration-150 ease-out group-open:rotate-45"
              />
            </summary>
            <p className="max-w-[62ch] pb-6 text-muted">{item.answer}</p>
          </details>
        ))}
      </div>
    </div>
  )
}
