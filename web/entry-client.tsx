import './styles.css'
import { startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { toLanguage } from '#contract/languages.ts'
import { startAuth } from '#web/lib/auth/auth.tsx'
import { loadTexts } from '#web/lib/i18n/i18n.tsx'
import { detectBrowserLanguage } from '#web/lib/i18n/language.ts'
import { noteApplicationReady } from '#web/lib/mailbox/first-address-state.ts'
import { Router } from '#web/lib/routing/router.tsx'
import '#web/lib/mailbox/hand-off.ts'
import { track } from '#web/lib/browser/analytics.ts'
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

  noteApplicationReady()
  startAuth()
  const app = (
    <Router>
      <App language={language} />
    </Router>
  )
  // It is a transition, so that hydration yields to the main thread every few milliseconds and a phone stays responsive.
  if (isServed) startTransition(() => void hydrateRoot(root, app, { onRecoverableError: reportCause }))
  else createRoot(root).render(app)
  startPwa()
}

// It comes with the pointer, or else with its first press. Without a network every press counts.
const guardPresses = (event: PointerEvent) =>
  navigator.onLine &&
  import('#web/lib/browser/stray-press.ts').then(
    ({ notePress }) => notePress(event),
    () => undefined,
  )
for (const sign of ['pointerover', 'pointerdown'] as const) addEventListener(sign, guardPresses, { capture: true, once: true })

/** React reports that it recovered, but not from what. */
function reportCause(error: unknown): void {
  reportError(error instanceof Error && error.cause !== undefined ? error.cause : error)
}

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
void start(root)

/** Wait this long, so that the first second belongs to the page. */
const QUIET_MS = 1000

/** Chromium's event, which no standard type has. `userChoice` settles when the visitor has answered the browser's prompt. */
type InstallPrompt = Event & { userChoice: Promise<{ outcome: 'accepted' | 'dismissed' }> }

/** Service worker, installation and launch mode. */
function startPwa(): void {
  registerServiceWorker()
  reportInstallation(delay(QUIET_MS))
}

/** After `load`, so that it does not delay the first paint. Browsers without service workers do without. */
function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const register = () => void navigator.serviceWorker.register('/sw.js').catch(() => undefined)
  if (document.readyState === 'complete') register()
  else addEventListener('load', register, { once: true })
}

function reportInstallation(quiet: Promise<void>): void {
  addEventListener('beforeinstallprompt', event => void reportPrompt(event as InstallPrompt, quiet))
  addEventListener('appinstalled', () => void quiet.then(() => track('pwa_installed')))
  void quiet.then(() => track('pwa_launch_mode', { display_mode: displayMode() }))
}

const delay = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

async function reportPrompt(event: InstallPrompt, quiet: Promise<void>): Promise<void> {
  await quiet
  track('pwa_install_prompt_shown')
  const choice = await event.userChoice.catch(() => undefined)
  if (choice?.outcome === 'dismissed') track('pwa_install_dismissed')
}

/** iOS has its own property for it. */
function displayMode(): 'standalone' | 'browser' {
  const isStandalone = matchMedia('(display-mode: standalone)').matches || Reflect.get(navigator, 'standalone') === true
  return isStandalone ? 'standalone' : 'browser'
}
