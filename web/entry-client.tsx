import './styles.css'
import { startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { toLanguage } from '#contract/languages.ts'
import { startAuth } from '#web/lib/auth/auth.tsx'
import { startPwa } from '#web/lib/browser/pwa.ts'
import { loadTexts } from '#web/lib/i18n/i18n.tsx'
import { detectBrowserLanguage } from '#web/lib/i18n/language.ts'
import { Router } from '#web/lib/routing/router.tsx'
import '#web/lib/mailbox/hand-off.ts'
import { App } from './app.tsx'
import { preloadPage } from './routes.tsx'

/** Not a top-level await: a page's chunk imports from the file of this module, and each would wait for the other. */
async function start(root: HTMLElement): Promise<void> {
  // A served page is hydrated in its own language; `vite dev` serves an empty page.
  const isServed = root.firstElementChild !== null
  const language = (isServed && toLanguage(document.documentElement.lang)) || detectBrowserLanguage()
  // A page whose code cannot be fetched is rendered all the same: its boundary says so and offers a reload.
  const page = preloadPage(location.pathname, language).catch(() => undefined)
  await Promise.all([loadTexts(language, ['core']), page])

  startAuth()
  const app = (
    <Router>
      <App language={language} />
    </Router>
  )
  // As a transition, so that hydration yields to the main thread every few milliseconds and a phone stays responsive.
  if (isServed) startTransition(() => void hydrateRoot(root, app, { onRecoverableError: reportCause }))
  else createRoot(root).render(app)
  startPwa()
}

/** React reports that it recovered, but not from what. */
function reportCause(error: unknown): void {
  reportError(error instanceof Error && error.cause !== undefined ? error.cause : error)
}

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
void start(root)
