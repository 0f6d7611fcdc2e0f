import type { KeyboardEvent } from 'react'
import { LANGUAGE_NAMES, LANGUAGES, type Language } from '#contract/languages.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { withLanguage } from '#web/lib/i18n/language.ts'
import { useLocation, useNavigate } from '#web/lib/routing/router.tsx'
import { Check } from '../ui/icons.tsx'
import { moveInMenu } from '../ui/popover.ts'

/** The open language menu. */
export default function LanguageChoices({ onChosen }: { onChosen: () => void }) {
  const words = useTexts('layout')
  const { language, setLanguage } = useLanguage()
  const choose = useChoice(setLanguage)
  return (
    <div
      role="menu"
      aria-label={words.language}
      tabIndex={-1}
      onKeyDown={(event: KeyboardEvent<HTMLElement>) => moveInMenu(event, event.currentTarget)}
      className="absolute right-1 z-40 mt-1 min-w-44 animate-fade rounded-md border border-line bg-raised py-1.5 shadow-lift"
    >
      {LANGUAGES.map(code => (
        <button
          key={code}
          type="button"
          role="menuitemradio"
          aria-checked={code === language}
          lang={code}
          // biome-ignore lint/a11y/noAutofocus: opening a menu moves the focus into it
          autoFocus={code === language}
          onClick={() => {
            onChosen()
            choose(code)
          }}
          className="flex min-h-11 w-full items-center justify-between gap-6 px-4 text-left hover:bg-sunken focus-visible:bg-sunken focus-visible:outline-offset-[-2px]"
        >
          {LANGUAGE_NAMES[code]}
          {code === language && <Check aria-hidden="true" className="size-4 text-dusk-ink" strokeWidth={2} />}
        </button>
      ))}
    </div>
  )
}

/** Sets `?lang=` without a new history entry, and stores the choice. */
function useChoice(setLanguage: (language: Language) => Promise<void>) {
  const navigate = useNavigate()
  const location = useLocation()
  return (language: Language) => {
    navigate({ search: withLanguage(location.search, language), hash: location.hash }, { replace: true })
    // Offline the other language cannot be fetched: the page stays as it is, and the choice is stored for the next load.
    setLanguage(language).catch(() => undefined)
  }
}
