/** Shows desktop notifications, and closes them with what they are about. Fetched with the first mail that comes. */
import { flag, object, optional, type Shaped, text } from '../shape.ts'
import { notifyState } from './notifications.ts'

/** A push message about a mail comes this much later than the page's own event, at most. */
const SAME_MAIL_MS = 10_000

let shownAt = Number.NEGATIVE_INFINITY

/** A code of the mail, and the name of the button that copies it. Only a service worker's notifications have buttons. */
type OfferedCode = { readonly code: string; readonly label: string }

/** The code, the address that its mail came to, and whether that is another one of the account. The service worker reads it, too. */
const known = object({ email: text, code: optional(text), isOfAccount: optional(flag) })
type Known = Shaped<typeof known>
/** The notifications that the page has opened without the service worker. */
const opened = new Set<Notification>()

/** Closes all that `isKept` does not spare. Browsers keep notifications, with sender, subject and code, until somebody closes them. */
export async function closeNotifications(isKept: (about: Known) => boolean = () => false): Promise<void> {
  const worker = await navigator.serviceWorker?.getRegistration()
  const shown = [...((await worker?.getNotifications()) ?? []), ...opened]
  for (const notification of shown) {
    const { data } = notification
    if (!known(data) || !isKept(data)) notification.close()
  }
}

/** `false` without a service worker, or if it shows none. */
async function showWithButton(title: string, options: NotificationOptions, label: string): Promise<boolean> {
  const worker = await navigator.serviceWorker?.getRegistration()
  if (!worker?.active) return false
  try {
    await worker.showNotification(title, { ...options, actions: [{ action: 'copy', title: label }] } as object)
  } catch {
    return false
  }
  shownAt = performance.now()
  return true
}

type Notice = {
  readonly email: string
  readonly isOfAccount?: boolean | undefined
  readonly title: string
  readonly body: string
  readonly tag: string
  readonly offered?: OfferedCode | undefined
}

/** `tag` merges notifications of the same event from several tabs. Shown only while the page is not visible. */
export async function showNotification({ email, isOfAccount, title, body, tag, offered }: Notice): Promise<void> {
  if (notifyState() !== 'on' || document.visibilityState === 'visible') return
  const data: Known = { email, isOfAccount, code: offered?.code }
  const options = { body, tag, icon: '/icon-192.png', data }
  try {
    if (offered && (await showWithButton(title, options, offered.label))) return
    const notification = new Notification(title, options)
    shownAt = performance.now()
    opened.add(notification)
    notification.onclose = () => opened.delete(notification)
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
