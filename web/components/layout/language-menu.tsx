import { type FocusEvent, type KeyboardEvent, useRef, useState } from 'react'
import { LANGUAGE_NAMES } from '#contract/languages.ts'
import { LANGUAGES, type Language, useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { withLanguage } from '#web/lib/i18n/language.ts'
import { useLocation, useNavigate } from '#web/lib/routing/router.tsx'
import { Check, ChevronDown } from '../ui/icons.tsx'

/** A menu button as in the ARIA Authoring Practices. Hand-written, because a library's menu would be larger than the rest of the header. */
export function LanguageMenu() {
  const words = useTexts('layout')
  const { language, setLanguage } = useLanguage()
  const [isOpen, setIsOpen] = useState(false)
  const menu = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const choose = useChoice(setLanguage)

  function close(event: KeyboardEvent) {
    if (event.key !== 'Escape') return
    setIsOpen(false)
    button.current?.focus()
  }

  function onMenuKeyDown(event: KeyboardEvent) {
    const items = [...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitemradio]') ?? [])]
    const current = items.indexOf(document.activeElement as HTMLElement)
    const target = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: items.length - 1 }[event.key]
    if (target === undefined) return
    event.preventDefault()
    items[(target + items.length) % items.length]?.focus()
  }

  function onBlur(event: FocusEvent<HTMLDivElement>) {
    if (!event.currentTarget.contains(event.relatedTarget)) setIsOpen(false)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only watches keys and focus of the menu inside
    <div className="relative" onKeyDown={close} onBlur={onBlur}>
      <button
        ref={button}
        type="button"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        // The label must contain the visible text, or speech control cannot press the button (WCAG 2.5.3).
        aria-label={`${words.language}: ${LANGUAGE_NAMES[language]} (${language.toUpperCase()})`}
        onClick={() => setIsOpen(!isOpen)}
        className="inline-flex min-h-11 items-center gap-1 rounded-sm px-2 text-muted transition-colors duration-150 ease-out hover:text-ink sm:px-3.5"
      >
        <span className="uppercase">{language}</span>
        <ChevronDown aria-hidden="true" className="size-4" strokeWidth={1.5} />
      </button>
      {isOpen && (
        <div
          ref={menu}
          role="menu"
          aria-label={words.language}
          tabIndex={-1}
          onKeyDown={onMenuKeyDown}
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
                setIsOpen(false)
                button.current?.focus()
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
