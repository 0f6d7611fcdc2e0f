import { LANGUAGE_NAMES, LANGUAGES, type Language } from '#contract/languages.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { withLanguage } from '#web/lib/i18n/language.ts'
import { useLocation, useNavigate } from '#web/lib/routing/router.tsx'
import { Check, ChevronDown } from '../ui/icons.tsx'
import { useMenu } from '../ui/use-menu.ts'

export function LanguageMenu() {
  const words = useTexts('layout')
  const { language, setLanguage } = useLanguage()
  const { isOpen, leave, root, button } = useMenu()
  const choose = useChoice(setLanguage)

  return (
    <div {...root} className="relative">
      <button
        {...button}
        type="button"
        // The label must contain the visible text, or speech control cannot press the button (WCAG 2.5.3).
        aria-label={`${words.language}: ${LANGUAGE_NAMES[language]} (${language.toUpperCase()})`}
        className="inline-flex min-h-11 items-center gap-1 rounded-sm px-2 text-muted transition-colors duration-150 ease-out hover:text-ink sm:px-3.5"
      >
        <span className="uppercase">{language}</span>
        <ChevronDown aria-hidden="true" className="size-4" strokeWidth={1.5} />
      </button>
      {isOpen && (
        <div
          role="menu"
          aria-label={words.language}
          tabIndex={-1}
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
                leave()
                choose(code)
              }}
              className="flex min-h-11 w-full items-center justify-between gap-6 px-4 text-left hover:bg-sunken focus-visible:bg-sunken focus-visible:outline-offset-[-2px]"
            >
              {LANGUAGE_NAMES[code]}
              {code === language && <Check aria-hidden="true" className="size-4 text-dusk-ink" strokeWidth={2} />}
            </button>
          ))}
        </div>
      )}
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
