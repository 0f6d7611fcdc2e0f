import { type ComponentType, useEffect, useState } from 'react'
import { LANGUAGE_NAMES } from '#contract/languages.ts'
import { useAuth } from '#web/lib/auth/auth.tsx'
import { useStore } from '#web/lib/browser/use-store.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { addressStore } from '#web/lib/mailbox/page-addresses.ts'
import { matchPath } from '#web/lib/routing/place.ts'
import { Link, NavLink, useLocation } from '#web/lib/routing/router.tsx'
import { useSiteConfig } from '#web/lib/site/site-config.ts'
import { Mark } from '../drawings/drawing.tsx'
import { ChevronDown } from '../ui/icons.ts'
import { usePopover } from '../ui/popover.ts'

export function SiteHeader() {
  const words = useTexts('layout')
  const { siteName } = useSiteConfig()
  const isSignedIn = useAuth().status === 'signed-in'
  return (
    <header data-site className="site-head">
      <Link to="/" className="site-name">
        <Mark className="size-7" />
        {siteName}
      </Link>
      <LiveAddress />
      <nav aria-label={words.mainNavigation} className="-mr-2 flex flex-wrap items-center sm:-mr-3.5">
        <NavLink to="/blog" className="site-link">
          {words.blog}
        </NavLink>
        <NavLink to="/contact" className="site-link max-sm:hidden">
          {words.contact}
        </NavLink>
        <NavLink to={isSignedIn ? '/account' : '/auth#sign-up'} className="site-link">
          {isSignedIn ? words.account : words.pro}
        </NavLink>
        <LanguageMenu />
      </nav>
    </header>
  )
}

const noAddress = () => undefined

/**
 * On all pages but the home page: the address that the visitor has, with the way back to it. It takes the room between the name and the
 * links, whether there is an address or not, so that nothing moves. Its code is fetched when there is one.
 */
function LiveAddress() {
  const isHome = matchPath('/', useLocation().pathname) !== undefined
  const hasAddress = useStore(addressStore, noAddress) !== undefined
  const isShown = hasAddress && !isHome
  const [Shown, setShown] = useState<ComponentType>()
  useEffect(() => {
    // Without a network the header stays as it is.
    if (isShown) import('./live-address-link.tsx').then(module => setShown(() => module.default)).catch(() => undefined)
  }, [isShown])
  return <div className="@container account-slot">{isShown && Shown && <Shown />}</div>
}

type Choices = ComponentType<{ onChosen: () => void }>

/** Its choices are fetched when a pointer or the focus comes near. */
function LanguageMenu() {
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
        className="site-link gap-1"
      >
        <span className="uppercase">{language}</span>
        <ChevronDown aria-hidden="true" className="size-4" strokeWidth={1.5} />
      </button>
      {isOpen && Choices && <Choices onChosen={leave} />}
    </div>
  )
}
