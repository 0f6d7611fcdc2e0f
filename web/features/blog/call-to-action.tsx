import { Mark } from '#web/components/drawings/mark.tsx'
import { ButtonLink } from '#web/components/ui/button.tsx'
import { useTexts } from '#web/lib/i18n/i18n.tsx'

export function CallToAction() {
  const { callToAction } = useTexts('blog')
  return (
    <aside
      aria-label={callToAction.title}
      className="flex flex-col gap-5 rounded-lg border border-line bg-raised p-6 sm:flex-row sm:flex-wrap sm:items-center sm:gap-6 sm:p-8"
    >
      <Mark className="size-14 shrink-0" />
      <div className="flex-1">
        <p className="font-semibold text-lg">{callToAction.title}</p>
        <p className="text-muted">{callToAction.text}</p>
      </div>
      <ButtonLink to="/" variant="primary">
        {callToAction.button}
      </ButtonLink>
    </aside>
  )
}
