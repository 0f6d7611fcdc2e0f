import { type ComponentType, Suspense } from 'react'
import type { Language } from '#contract/languages.ts'
import { type LazyPage, lazyPage } from '#web/lib/routing/lazy-page.tsx'
import { matchPath, Redirect, useLocation } from '#web/lib/routing/router.tsx'
import { PageBoundary } from './components/layout/page-boundary.tsx'
import HomePage from './pages/home.tsx'

/** Every page but the home page: path, module, and the texts it shows. page-paths.ts lists which are prerendered. */
const lazyPages: readonly { path: string; Page: LazyPage; source: string }[] = [
  { path: '/auth', source: 'pages/auth.tsx', Page: lazyPage(() => import('./pages/auth.tsx'), ['auth', 'account', 'errors']) },
  {
    path: '/auth/confirm',
    source: 'pages/auth-confirm.tsx',
    Page: lazyPage(() => import('./pages/auth-confirm.tsx'), ['auth', 'errors']),
  },
  {
    path: '/auth/forgot-password',
    source: 'pages/auth-forgot-password.tsx',
    Page: lazyPage(() => import('./pages/auth-forgot-password.tsx'), ['auth', 'errors']),
  },
  {
    path: '/auth/new-password',
    source: 'pages/auth-new-password.tsx',
    Page: lazyPage(() => import('./pages/auth-new-password.tsx'), ['auth', 'errors']),
  },
  { path: '/account', source: 'pages/account.tsx', Page: lazyPage(() => import('./pages/account.tsx'), ['account', 'auth', 'errors']) },
  { path: '/operator', source: 'pages/operator.tsx', Page: lazyPage(() => import('./pages/operator.tsx'), ['operator', 'errors']) },
  { path: '/report', source: 'pages/report.tsx', Page: lazyPage(() => import('./pages/report.tsx'), ['report', 'errors']) },
  { path: '/contact', source: 'pages/contact.tsx', Page: lazyPage(() => import('./pages/contact.tsx'), ['contact']) },
  { path: '/privacy', source: 'pages/privacy.tsx', Page: lazyPage(() => import('./pages/privacy.tsx'), ['privacy']) },
  { path: '/terms', source: 'pages/terms.tsx', Page: lazyPage(() => import('./pages/terms.tsx'), ['terms']) },
  { path: '/blog', source: 'pages/blog.tsx', Page: lazyPage(() => import('./pages/blog.tsx'), ['blog']) },
  { path: '/blog/:slug', source: 'pages/blog-post.tsx', Page: lazyPage(() => import('./pages/blog-post.tsx'), ['blog', 'notFound']) },
]

/** Not a page of the site: prerendered for the service worker, which shows it at any URL. */
const offline = { path: '/offline', source: 'pages/offline.tsx', Page: lazyPage(() => import('./pages/offline.tsx'), ['notFound']) }
const notFound = { path: '*', source: 'pages/not-found.tsx', Page: lazyPage(() => import('./pages/not-found.tsx'), ['notFound']) }

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
