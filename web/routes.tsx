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

/** Every page but the home page: path, module, and the texts it shows. page-paths.ts lists which are prerendered. */
const lazyPages: readonly { path: string; Page: LazyPage; source: string }[] = [
  {
    path: '/auth',
    source: 'pages/auth.tsx',
    Page: lazyPage(() => authPages().then(page => ({ default: page.AuthPage })), ['auth', 'account', 'errors']),
  },
  {
    path: '/auth/confirm',
    source: 'pages/auth.tsx',
    Page: lazyPage(() => authPages().then(page => ({ default: page.ConfirmPage })), ['auth', 'errors']),
  },
  {
    path: '/auth/forgot-password',
    source: 'pages/auth.tsx',
    Page: lazyPage(() => authPages().then(page => ({ default: page.ForgotPasswordPage })), ['auth', 'errors']),
  },
  {
    path: '/auth/new-password',
    source: 'pages/auth.tsx',
    Page: lazyPage(() => authPages().then(page => ({ default: page.NewPasswordPage })), ['auth', 'errors']),
  },
  { path: '/account', source: 'pages/account.tsx', Page: lazyPage(() => import('./pages/account.tsx'), ['account', 'auth', 'errors']) },
  { path: '/operator', source: 'pages/operator.tsx', Page: lazyPage(() => import('./pages/operator.tsx'), ['operator', 'errors']) },
  {
    path: '/report',
    source: 'pages/contact.tsx',
    Page: lazyPage(() => contactPages().then(page => ({ default: page.ReportPage })), ['report', 'errors']),
  },
  {
    path: '/contact',
    source: 'pages/contact.tsx',
    Page: lazyPage(() => contactPages().then(page => ({ default: page.ContactPage })), ['contact']),
  },
  {
    path: '/privacy',
    source: 'pages/legal.tsx',
    Page: lazyPage(() => legalPages().then(page => ({ default: page.PrivacyPage })), ['privacy']),
  },
  {
    path: '/terms',
    source: 'pages/legal.tsx',
    Page: lazyPage(() => legalPages().then(page => ({ default: page.TermsPage })), ['terms']),
  },
  { path: '/extension', source: 'pages/extension.tsx', Page: lazyPage(() => import('./pages/extension.tsx'), ['extension']) },
  { path: '/blog', source: 'pages/blog.tsx', Page: lazyPage(() => blogPages().then(page => ({ default: page.BlogPage })), ['blog']) },
  {
    path: '/blog/:slug',
    source: 'pages/blog.tsx',
    Page: lazyPage(() => blogPages().then(page => ({ default: page.BlogPostPage, preload: page.preloadBlogPost })), ['blog', 'notFound']),
  },
]

/** Not a page of the site: prerendered for the service worker, which shows it at any URL. */
const offline = {
  path: '/offline',
  source: 'pages/not-found.tsx',
  Page: lazyPage(() => emptyPages().then(page => ({ default: page.OfflinePage })), ['notFound']),
}
const notFound = {
  path: '*',
  source: 'pages/not-found.tsx',
  Page: lazyPage(() => emptyPages().then(page => ({ default: page.NotFoundPage })), ['notFound']),
}

const others = import.meta.env.SSR ? [...lazyPages, offline, notFound] : [...lazyPages, notFound]

/** The lazy page at a path. Undefined for the home page, which is in the entry file. */
export function lazyPageAt(pathname: string): { Page: LazyPage; source: string } | undefined {
  if (matchPath('/', pathname) || matchPath('/ad', pathname)) return undefined
  return others.find(page => matchPath(page.path, pathname))
}

/** Fetches what the page at a path needs before it is rendered. */
export async function preloadPage(pathname: string, language: Language): Promise<void> {
  await lazyPageAt(pathname)?.Page.preload(language, pathname)
}

export function AppRoutes({ Home = HomePage }: { Home?: ComponentType }) {
  const { pathname } = useLocation()
  const Page = lazyPageAt(pathname)?.Page
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
  const drawing = await import('#web/components/drawings/pictures.tsx').catch(() => undefined)
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
      <div className="aspect-32/19 w-full max-w-sm">
        <Suspense>
          <EmptyWater />
        </Suspense>
      </div>
      <h1 className="mt-8 text-2xl">{pageFailed.title}</h1>
      <p className="mt-3 max-w-[56ch] text-lg text-muted">{pageFailed.text}</p>
      <Button variant="primary" size="lg" className="mt-8" onClick={() => location.reload()}>
        {pageFailed.reload}
      </Button>
    </section>
  )
}
