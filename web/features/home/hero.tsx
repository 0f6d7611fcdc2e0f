import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { Benefits } from './benefits.tsx'

/** Headline, sub-headline and the three points. Short on a phone, so that the address, its clock and the inbox fit on the first screen. */
export function Hero() {
  const words = useTexts('home')
  return (
    <div className="short:flex short:flex-wrap short:items-baseline short:justify-between short:gap-x-4">
      <h1 className="low:text-[3rem] text-3xl short:text-xl max-lg:text-2xl max-sm:text-[min(1.625rem,6.6vw)] max-sm:tracking-[-0.022em] lg:max-w-[12ch]">
        {words.headline}
      </h1>
      <p className="mt-1.5 text-muted text-sm short:sr-only sm:text-base lg:mt-5 low:mt-3 lg:max-w-[38ch] lg:text-lg">
        {words.subheadline} <span className="lg:block max-sm:hidden">{words.subheadlineMore}</span>
      </p>
      <Benefits isShortened className="mt-2 short:mt-0 lg:mt-9 low:mt-5" />
    </div>
  )
}
