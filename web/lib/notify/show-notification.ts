/** Shows desktop notifications. Fetched with the first mail that comes. */
import { notifyState } from './notifications.ts'

/** A push message about a mail comes this much later than the page's own event, at most. */
const SAME_MAIL_MS = 10_000

let shownAt = Number.NEGATIVE_INFINITY

/** A code of the mail, and the name of the button that copies it. Only a service worker's notifications have buttons. */
type OfferedCode = { readonly code: string; readonly label: string }

/** `false` without a service worker, or if it shows none. */
async function showWithButton(title: string, options: NotificationOptions, { code, label }: OfferedCode): Promise<boolean> {
  const worker = await navigator.serviceWorker?.getRegistration()
  if (!worker?.active) return false
  try {
    await worker.showNotification(title, { ...options, data: code, actions: [{ action: 'copy', title: label }] } as object)
  } catch {
    return false
  }
  shownAt = performance.now()
  return true
}

/** `tag` merges notifications of the same event from several tabs. Shown only while the page is not visible. */
export async function showNotification(title: string, body: string, tag: string, offered?: OfferedCode): Promise<void> {
  if (notifyState() !== 'on' || document.visibilityState === 'visible') return
  const options = { body, tag, icon: '/icon-192.png' }
  try {
    if (offered && (await showWithButton(title, options, offered))) return
    const notification = new Notification(title, options)
    shownAt = performance.now()
    notification.onclick = () => {
      window.focus()
      notification.close()
    }
  } catch (error) {
    // Chrome on Android has the constructor, but it throws.
    console.warn(error)
  }
}

if (typeof navigator !== 'undefined') {
  // The service worker asks whether a hidden page has just said, with more words, what a push message tells it.
  navigator.serviceWorker?.addEventListener('message', ({ ports }) => ports[0]?.postMessage(performance.now() - shownAt < SAME_MAIL_MS))
}
