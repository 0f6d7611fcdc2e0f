import { clsx } from 'clsx'
import { useTexts } from '#web/lib/i18n.tsx'

/** The three points of the hero; on a phone they stand below the inbox instead (spec 2.09, 2.10). */
export function Benefits({ className }: { className?: string }) {
  const { benefits } = useTexts('home')
  return (
    <ul aria-label={benefits.label} className={clsx('border-line border-b', className)}>
      {[benefits.anonymous, benefits.autoDestroy, benefits.instant].map(benefit => (
        <li key={benefit.title} className="grid gap-x-6 border-line border-t py-3 sm:grid-cols-[9rem_1fr]">
          <strong className="font-medium">{benefit.title}</strong>
          <span className="text-muted">{benefit.text}</span>
        </li>
      ))}
    </ul>
  )
}
