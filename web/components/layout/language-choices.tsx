import { LANGUAGE_NAMES, LANGUAGES, type Language } from '#contract/languages.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { withLanguage } from '#web/lib/i18n/language.ts'
import { useLocation, useNavigate } from '#web/lib/routing/router.tsx'
import { MenuItems } from '../ui/menu.tsx'

/** The open language menu. */
export default function LanguageChoices({ onChosen }: { onChosen: () => void }) {
  const words = useTexts('layout')
  const { language, setLanguage } = useLanguage()
  const choose = useChoice(setLanguage)
  const items = LANGUAGES.map(code => ({ label: LANGUAGE_NAMES[code], act: () => choose(code), isChosen: code === language, lang: code }))
  return (
    <MenuItems
      label={words.language}
      items={items}
      onChosen={onChosen}
      className="absolute right-1 mt-1 min-w-[min(11rem,calc(100vw-2.5rem))]"
    />
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
