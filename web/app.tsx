import { StrictMode } from 'react'
import type { Language } from '#contract/languages.ts'
import { AuthProvider } from '#web/lib/auth/auth.tsx'
import { useIsOnline } from '#web/lib/browser/online.ts'
import { LanguageProvider, useTexts } from '#web/lib/i18n/i18n.tsx'
import { ScrollToTop } from '#web/lib/routing/router.tsx'
import { LazySection } from './components/layout/lazy-section.tsx'
import { SiteHeader } from './components/layout/site-header.tsx'
import { Toaster } from './components/ui/toaster.tsx'
import { AppRoutes } from './routes.tsx'

const FOOTER_AREAS = ['footer'] as const
const loadFooter = () => import('./components/layout/site-footer.tsx').then(module => module.SiteFooter)

/** Everything inside the router, the same for the browser and for the prerenderer. `language` is the one of the served HTML. */
export function App({ language }: { language: Language }) {
  return (
    <StrictMode>
      <LanguageProvider initial={language}>
        <SkipLink />
        {/* At the head of the page for the Tab key too. Another account changes what it shows, not the region that is announced. */}
        <Toaster />
        <AuthProvider>
          <ScrollToTop />
          <div className="flex min-h-dvh flex-col">
            <OfflineNotice />
            <SiteHeader />
            <main id="main" tabIndex={-1} className="flex-1 outline-none">
              <AppRoutes />
            </main>
            <LazySection as="div" areas={FOOTER_AREAS} load={loadFooter} room="empty:min-h-26" />
          </div>
        </AuthProvider>
      </LanguageProvider>
    </StrictMode>
  )
}

/** A line shown while there is no network. The live region always exists, so that screen readers announce its text. */
function OfflineNotice() {
  const words = useTexts('layout')
  const isOnline = useIsOnline()
  return (
    <div role="status" data-print="never">
      {!isOnline && <p className="bg-dusk-wash px-5 py-2.5 text-center text-sm">{words.offline}</p>}
    </div>
  )
}

/** First stop of the Tab key (WCAG 2.4.1). */
function SkipLink() {
  const words = useTexts('layout')
  return (
    <a href="#main" className="skip-link">
      {words.skip}
    </a>
  )
}
