import { useTexts } from '#web/lib/i18n/i18n.tsx'

/** First stop of the Tab key (WCAG 2.4.1). */
export function SkipLink() {
  const words = useTexts('layout')
  return (
    <a
      href="#main"
      className="fixed top-3 left-3 z-60 -translate-y-20 rounded-md bg-ink px-4 py-2.5 font-medium text-paper focus-visible:translate-y-0"
    >
      {words.skip}
    </a>
  )
}
