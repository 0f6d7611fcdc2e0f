import { type ComponentType, useState } from 'react'
import { LANGUAGE_NAMES } from '#contract/languages.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { ChevronDown } from '../ui/icons.tsx'
import { usePopover } from '../ui/use-popover.ts'

type Choices = ComponentType<{ onChosen: () => void }>

/** Its choices are fetched when a pointer or the focus comes near. */
export function LanguageMenu() {
  const words = useTexts('layout')
  const { language } = useLanguage()
  const { isOpen, leave, root, button } = usePopover()
  const [Choices, setChoices] = useState<Choices>()
  // Without a network the next try may have one.
  const fetchChoices = () => {
    if (!Choices) import('./language-choices.tsx').then(module => setChoices(() => module.default)).catch(() => undefined)
  }

  return (
    <div {...root} className="relative">
      <button
        {...button}
        type="button"
        aria-haspopup="menu"
        onPointerEnter={fetchChoices}
        onFocus={fetchChoices}
        onClick={() => {
          fetchChoices()
          button.onClick()
        }}
        // Speech control presses a button by its visible text, which the label must contain (WCAG 2.5.3), and not in brackets, which are
        // not spoken.
        aria-label={`${words.language}: ${LANGUAGE_NAMES[language]}, ${language.toUpperCase()}`}
        className="inline-flex min-h-11 items-center gap-1 rounded-sm px-2 text-muted transition-colors duration-150 ease-out hover:text-ink sm:px-3.5"
      >
        <span className="uppercase">{language}</span>
        <ChevronDown aria-hidden="true" className="size-4" strokeWidth={1.5} />
      </button>
      {isOpen && Choices && <Choices onChosen={leave} />}
    </div>
  )
}
