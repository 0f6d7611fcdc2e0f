/**
 * A small router for a few pages. Changing the page is a transition: the old page stays until the code and texts of the new one are loaded.
 * Within a page the place changes at once: a slow device would take what is typed into a form that is about to be replaced.
 */
import {
  type ComponentProps,
  createContext,
  type MouseEvent,
  type ReactNode,
  startTransition,
  use,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useHydrated } from '../browser/hydrated.ts'
import { sharedLanguage } from '../i18n/language.ts'
import { matchPath, type Place, resolvePlace, toHref } from './place.ts'

type Navigate = (to: string | Partial<Place>, options?: { replace?: boolean }) => void
type Route = { place: Place; navigate: Navigate }

const RouteContext = createContext<Route | undefined>(undefined)

/** `path` is the page to prerender; in the browser the address bar decides. */
export function Router({ path, children }: { path?: string; children: ReactNode }) {
  const [place, setPlace] = useState(() => (path === undefined ? currentPlace() : { pathname: path, search: '', hash: '' }))

  const { pathname } = place
  const follow = useCallback(() => {
    const next = currentPlace()
    if (next.pathname === pathname) setPlace(next)
    else startTransition(() => setPlace(next))
  }, [pathname])

  useEffect(() => {
    // `hashchange` comes after `popstate` when a token was removed from the address bar.
    addEventListener('popstate', follow)
    addEventListener('hashchange', follow)
    return () => {
      removeEventListener('popstate', follow)
      removeEventListener('hashchange', follow)
    }
  }, [follow])

  const navigate: Navigate = useCallback(
    (to, { replace = false } = {}) => {
      const href = toHref(resolvePlace(to, currentPlace(), sharedLanguage()))
      // Following the same link again adds no history entry.
      if (replace || href === toHref(currentPlace())) history.replaceState(null, '', href)
      else history.pushState(null, '', href)
      follow()
    },
    [follow],
  )
  const route = useMemo(() => ({ place, navigate }), [place, navigate])

  return <RouteContext value={route}>{children}</RouteContext>
}

function currentPlace(): Place {
  const { pathname, search, hash } = location
  return { pathname, search, hash }
}

function useRoute(): Route {
  const route = use(RouteContext)
  if (!route) throw new Error('Links and routes need a <Router> above them')
  return route
}

export const useLocation = (): Place => useRoute().place
export const useNavigate = (): Navigate => useRoute().navigate

/** Navigates as soon as it is rendered, and leaves no history entry. */
export function Redirect({ to }: { to: string }) {
  const navigate = useNavigate()
  useEffect(() => navigate(to, { replace: true }), [navigate, to])
  return null
}

type LinkProps = Omit<ComponentProps<'a'>, 'href'> & { to: string }

export function Link({ to, onClick, ...props }: LinkProps) {
  const { place, navigate } = useRoute()
  // The served HTML cannot depend on the visitor's query parameters.
  const language = useHydrated() ? sharedLanguage() : undefined
  function follow(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event)
    if (!isForRouter(event, event.currentTarget)) return
    event.preventDefault()
    navigate(to)
  }
  return <a {...props} href={toHref(resolvePlace(to, place, language))} onClick={follow} />
}

/** A navigation link that marks the current part of the site. */
export function NavLink(props: LinkProps) {
  const { pathname } = useLocation()
  const [page = ''] = props.to.split('#')
  const isCurrent = matchPath(page, pathname) !== undefined || pathname.startsWith(`${page}/`)
  return <Link {...props} aria-current={isCurrent ? 'page' : undefined} />
}

type Click = Pick<globalThis.MouseEvent, 'button' | 'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey' | 'defaultPrevented'>

/** A plain click on a link within the site. The browser handles new tabs, downloads and other sites. */
function isForRouter(click: Click, link: HTMLAnchorElement): boolean {
  const isPlain = click.button === 0 && !click.metaKey && !click.ctrlKey && !click.shiftKey && !click.altKey
  return isPlain && !click.defaultPrevented && (!link.target || link.target === '_self') && link.origin === location.origin
}

/** Where a plain click on HTML that React did not render leads within the site. The browser itself scrolls within the page. */
export function servedLink(event: Click & Pick<Event, 'target'>): string | undefined {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link || !isForRouter(event, link)) return undefined
  const { pathname, search, hash } = link
  return pathname === location.pathname && hash !== '' ? undefined : pathname + search + hash
}

/** Scrolls to the top on every page change and moves the focus to the new page, so that screen readers start there too. */
export function ScrollToTop() {
  const { pathname } = useLocation()
  // Before the new page is painted, or it would appear for an instant at the old scroll position.
  const isFirst = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what it reacts to
  useLayoutEffect(() => {
    if (isFirst.current) {
      isFirst.current = false
      return
    }
    scrollTo({ top: 0, behavior: 'instant' })
    document.getElementById('main')?.focus({ preventScroll: true })
  }, [pathname])
  return null
}
