import { useTexts } from '#web/lib/i18n.tsx'
import { Benefits } from './benefits.tsx'

/** Headline, sub-headline and the three points. On a phone the points give way to the address; the page repeats them below the inbox. */
export function Hero({ className }: { className?: string }) {
  const words = useTexts('home')
  return (
    <div className={className}>
      <h1 className="max-w-[12ch] text-[length:clamp(1.75rem,1.05rem+3.6vw,4rem)] leading-[1.02] tracking-[-0.032em] max-lg:max-w-none">
        {words.headline}
      </h1>
      <p className="mt-5 max-w-[36ch] text-lg text-muted max-lg:hidden">{words.subheadline}</p>
      <Benefits className="mt-9 max-lg:hidden" />
    </div>
  )
}
