import { clsx } from 'clsx'
import { useTexts } from '#web/lib/i18n/i18n.tsx'

type Props = {
  /** On a small screen only the names, in one line: the page has the full text below the inbox. */
  isShortened?: boolean
  className?: string
}

/** On a small screen a dot before each name instead of a line above it. */
const SHORT_LIST = 'flex flex-wrap gap-x-3 text-sm sm:gap-x-4 lg:block lg:border-b lg:text-base'
const SHORT_POINT =
  'inline-flex items-center gap-x-1.5 before:size-1.5 before:rounded-full before:bg-dusk forced-colors:before:bg-[CanvasText] ' +
  'lg:grid lg:grid-cols-[9rem_1fr] lg:items-start lg:gap-x-6 lg:border-line lg:border-t lg:py-3 low:py-2 lg:before:content-none'

/** The three points: anonymous, auto-destroy, instant. */
export function Benefits({ isShortened = false, className }: Props) {
  const { benefits } = useTexts('home')
  return (
    <ul aria-label={benefits.label} className={clsx('border-line', isShortened ? SHORT_LIST : 'border-b', className)}>
      {[benefits.anonymous, benefits.autoDestroy, benefits.instant].map(benefit => (
        <li key={benefit.title} className={isShortened ? SHORT_POINT : 'grid gap-x-6 border-line border-t py-3 sm:grid-cols-[9rem_1fr]'}>
          <strong className="font-medium">{benefit.title}</strong>
          <span className={clsx('text-muted', isShortened && 'max-lg:hidden')}>{benefit.text}</span>
        </li>
      ))}
    </ul>
  )
}
