import { useTexts } from '#web/lib/i18n.tsx'

/** The three points of the hero; on a phone they stand below the inbox instead (spec 2.09, 2.10). */
export function Benefits({ className }: { className?: string }) {
  const { benefits } = useTexts('home')
  return (
    <ul aria-label={benefits.label} className={className}>
      {[benefits.anonymous, benefits.autoDestroy, benefits.instant].map(benefit => (
        <li key={benefit.title} className="flex gap-4 border-line border-t py-3.5 last:border-b">
          <strong className="w-32 shrink-0 font-medium">{benefit.title}</strong>
          <span className="text-muted">{benefit.text}</span>
        </li>
      ))}
    </ul>
  )
}
