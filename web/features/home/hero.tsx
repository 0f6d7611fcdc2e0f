import { clsx } from 'clsx'
import { useTexts } from '#web/lib/i18n/i18n.tsx'

/** Headline, sub-headline and the three points. Short on a phone, so that the address, its clock and the inbox fit on the first screen. */
export function Hero() {
  const words = useTexts('home')
  return (
    <div className="short:flex short:flex-wrap short:items-baseline short:justify-between short:gap-x-4">
      <h1 className="headline">{words.headline}</h1>
      <p className="sub-headline text-muted">
        {words.subheadline} <span className="lg:block max-sm:hidden">{words.subheadlineMore}</span>
      </p>
      <Benefits isShortened className="huge-text:hidden mt-2 short:mt-0 lg:mt-9 low:mt-5" />
    </div>
  )
}

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
