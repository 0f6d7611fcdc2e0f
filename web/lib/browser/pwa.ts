/** Service worker, installation and launch mode. */
import { track } from './analytics.ts'

/** Wait this long, so that the first second belongs to the page. */
const QUIET_MS = 1000

/** Chromium's event, which no standard type has. `userChoice` settles when the visitor has answered the browser's prompt. */
type InstallPrompt = Event & { userChoice: Promise<{ outcome: 'accepted' | 'dismissed' }> }

export function startPwa(): void {
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
