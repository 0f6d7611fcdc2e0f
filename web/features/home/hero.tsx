import { memo } from 'react'
import { useTexts } from '#web/lib/i18n.tsx'
import { Benefits } from './benefits.tsx'

/** Headline, sub-headline and the three points. On a phone the points give way to the address; the page repeats them below the inbox. */
export const Hero = memo(function Hero() {
  const words = useTexts('home')
  return (
    <div>
      <h1 className="text-3xl max-lg:text-2xl max-sm:text-xl max-sm:tracking-[-0.03em] lg:max-w-[12ch]">{words.headline}</h1>
      <p className="mt-5 max-w-[36ch] text-lg text-muted max-lg:hidden">{words.subheadline}</p>
      <Benefits className="mt-9 max-lg:hidden" />
    </div>
  )
})
