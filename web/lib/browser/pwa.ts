/** Service worker, installation and launch mode. */
import { track } from './analytics.ts'

/** Nothing of this is sent before the page has been there for a second. */
const QUIET_MS = 1000

/** Chromium's event, which no standard type knows. `userChoice` settles when the visitor has answered the browser's own prompt. */
type InstallPrompt = Event & { userChoice: Promise<{ outcome: 'accepted' | 'dismissed' }> }

export function startPwa(): void {
  registerServiceWorker()
  reportInstallation(delay(QUIET_MS))
}

/** After `load`, so that it takes nothing away from the first paint; a browser or a mode without workers goes without. */
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

/** iOS tells by a property of its own. */
function displayMode(): 'standalone' | 'browser' {
  const isStandalone = matchMedia('(display-mode: standalone)').matches || Reflect.get(navigator, 'standalone') === true
  return isStandalone ? 'standalone' : 'browser'
}
