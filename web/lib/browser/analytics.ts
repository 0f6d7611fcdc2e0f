/** Analytics events. Nothing is loaded for them: they go to a `gtag`-style function if the operator added one to the page. */

type Events = {
  email_generated: undefined
  /** How many messages arrived at once. */
  email_received: { value: number }
  email_deleted: undefined
  email_copied: undefined
  email_expired: undefined
  login: { method: 'email' | 'passkey' }
  logout: undefined
  pwa_install_prompt_shown: undefined
  pwa_installed: undefined
  pwa_install_dismissed: undefined
  pwa_launch_mode: { display_mode: 'standalone' | 'browser' }
}
type AnalyticsEvent = keyof Events

type Gtag = (command: 'event', name: AnalyticsEvent, params: object) => void

export function track<Name extends AnalyticsEvent>(name: Name, ...[params]: Events[Name] extends undefined ? [] : [Events[Name]]): void {
  const gtag: unknown = Reflect.get(globalThis, 'gtag')
  if (!isGtag(gtag)) return
  try {
    gtag('event', name, params ?? {})
  } catch (error) {
    console.warn('The analytics function of this page threw.', error)
  }
}

const isGtag = (value: unknown): value is Gtag => typeof value === 'function'
