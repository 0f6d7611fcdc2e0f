import './styles.css'
import { startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { toLanguage } from '#contract/languages.ts'
import { startAuth } from '#web/lib/auth/auth.tsx'
import { startPwa } from '#web/lib/browser/pwa.ts'
import { loadTexts } from '#web/lib/i18n/i18n.tsx'
import { detectHere } from '#web/lib/i18n/language.ts'
import { Router } from '#web/lib/routing/router.tsx'
import '#web/lib/mailbox/hand-off.ts'
import { App } from './app.tsx'
import { preloadPage } from './routes.tsx'

/**
 * Not a top-level await: a page's chunk imports from the file this module is in, and would wait for it to be evaluated while it waits
 * for the page.
 */
async function start(root: HTMLElement): Promise<void> {
  // A served page is hydrated in the language it was written in; `vite dev` serves an empty one.
  const isServed = root.firstElementChild !== null
  const language = (isServed && toLanguage(document.documentElement.lang)) || detectHere()
  await Promise.all([loadTexts(language, ['core']), preloadPage(location.pathname, language)])

  startAuth()
  const app = (
    <Router>
      <App language={language} />
    </Router>
  )
  // As a transition, hydration gives the main thread back every few milliseconds: a phone stays responsive meanwhile.
  if (isServed) startTransition(() => void hydrateRoot(root, app, { onRecoverableError: reportCause }))
  else createRoot(root).render(app)
  startPwa()
}

/** React's own report says only that it recovered, not from what. */
function reportCause(error: unknown): void {
  reportError(error instanceof Error && error.cause !== undefined ? error.cause : error)
}

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
void start(root)
