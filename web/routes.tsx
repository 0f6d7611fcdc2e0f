import { Component, type ComponentType, lazy, type ReactNode, Suspense, useEffect } from 'react'
import type { Language } from '#contract/languages.ts'
import { Button } from '#web/components/ui/button.tsx'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { forgetFailures } from '#web/lib/routing/failed-loads.ts'
import { type LazyPage, lazyPage } from '#web/lib/routing/lazy-page.tsx'
import { matchPath } from '#web/lib/routing/place.ts'
import { Redirect, useLocation } from '#web/lib/routing/router.tsx'
import HomePage from './pages/home.tsx'

const authPages = () => import('./pages/auth.tsx')
const contactPages = () => import('./pages/contact.tsx')
const legalPages = () => import('./pages/legal.tsx')
const blogPages = () => import('./pages/blog.tsx')
const emptyPages = () => import('./pages/not-found.tsx')

/** Every page but `/`: path, component, texts. page-paths.ts lists which are prerendered, entry-server.tsx names their files. */
const lazyPages: readonly (readonly [path: string, Page: LazyPage])[] = [
  ['/auth', lazyPage(authPages, 'AuthPage', ['auth', 'account', 'errors'])],
  ['/auth/confirm', lazyPage(authPages, 'ConfirmPage', ['auth', 'errors'])],
  ['/auth/forgot-password', lazyPage(authPages, 'ForgotPasswordPage', ['auth', 'errors'])],
  ['/auth/new-password', lazyPage(authPages, 'NewPasswordPage', ['auth', 'errors'])],
  ['/account', lazyPage(() => import('./pages/account.tsx'), 'default', ['account', 'auth', 'errors', 'notices'])],
  ['/operator', lazyPage(() => import('./pages/operator.tsx'), 'default', ['operator', 'errors'])],
  ['/report', lazyPage(contactPages, 'ReportPage', ['report', 'errors'])],
  ['/contact', lazyPage(contactPages, 'ContactPage', ['contact'])],
  ['/privacy', lazyPage(legalPages, 'PrivacyPage', ['privacy'])],
  ['/terms', lazyPage(legalPages, 'TermsPage', ['terms'])],
  ['/extension', lazyPage(() => import('./pages/extension.tsx'), 'default', ['extension'])],
  ['/blog', lazyPage(blogPages, 'BlogPage', ['blog'])],
  ['/blog/:slug', lazyPage(blogPages, 'BlogPostPage', ['blog', 'notFound'])],
  // Not a page of the site: prerendered for the service worker, which shows it at any URL.
  ...(import.meta.env.SSR ? ([['/offline', lazyPage(emptyPages, 'OfflinePage', ['notFound'])]] as const) : []),
  ['*', lazyPage(emptyPages, 'NotFoundPage', ['notFound'])],
]

/** The lazy page at a path. Undefined for the home page, which is in the entry file. */
function lazyPageAt(pathname: string): LazyPage | undefined {
  if (matchPath('/', pathname) || matchPath('/ad', pathname)) return undefined
  return lazyPages.find(([path]) => matchPath(path, pathname))?.[1]
}

/** Fetches what the page at a path needs before it is rendered. */
export async function preloadPage(pathname: string, language: Language): Promise<void> {
  await lazyPageAt(pathname)?.preload(language, pathname)
}

export function AppRoutes({ Home = HomePage }: { Home?: ComponentType }) {
  const { pathname } = useLocation()
  const Page = lazyPageAt(pathname)
  return (
    <PageBoundary resetKey={pathname}>
      <Suspense fallback={<div className="min-h-dvh" />}>
        {Page ? <Page key={pathname} /> : matchPath('/ad', pathname) ? <Redirect to="/" /> : <Home />}
      </Suspense>
    </PageBoundary>
  )
}

/** Without a network there is no picture, only the words. */
const EmptyWater = lazy(async () => {
  const drawing = await import('#web/components/drawings/pictures.ts').catch(() => undefined)
  return { default: drawing?.EmptyWater ?? (() => null) }
})

type PageBoundaryProps = {
  /** When it changes, e.g. with the path, the page is rendered again. */
  resetKey: string
  children: ReactNode
}
type BoundaryState = { hasFailed: boolean; resetKey: string }

/**
 * Shown instead of a page that fails, usually because its code could not be fetched: the network is gone, or a newer build replaced the
 * files. A reload fixes both; header and footer stay.
 */
class PageBoundary extends Component<PageBoundaryProps, BoundaryState> {
  override state: BoundaryState = { hasFailed: false, resetKey: this.props.resetKey }

  static getDerivedStateFromError(): Partial<BoundaryState> {
    return { hasFailed: true }
  }

  static getDerivedStateFromProps({ resetKey }: PageBoundaryProps, state: BoundaryState): Partial<BoundaryState> | null {
    return resetKey === state.resetKey ? null : { hasFailed: false, resetKey }
  }

  override render(): ReactNode {
    return this.state.hasFailed ? <PageFailed /> : this.props.children
  }
}

/** Uses only texts that are already loaded, because nothing more may be fetchable. */
function PageFailed() {
  const { pageFailed } = useTexts('layout')
  useEffect(() => forgetFailures, [])
  return (
    <section role="alert" className="page-width flex flex-col items-start pt-8 pb-20 sm:pt-16">
      {/* Replaces the head of the failed page. */}
      <title>{pageFailed.title}</title>
      <div className="aspect-32/19 w-full max-w-sm empty:hidden">
        <Suspense>
          <EmptyWater />
        </Suspense>
      </div>
      <h1 className="mt-8 text-2xl">{pageFailed.title}</h1>
      <p className="mt-3 max-w-[56ch] text-lg text-muted">{pageFailed.text}</p>
      <Button variant="primary" size="lg" className="mt-8 max-sm:w-full" onClick={() => location.reload()}>
        {pageFailed.reload}
      </Button>
    </section>
  )
}
