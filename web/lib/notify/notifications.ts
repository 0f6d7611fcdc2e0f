/** Desktop notifications, only after the visitor asked for them. */

import { localStore, readStored, writeStored } from '../browser/storage.ts'
import { flag } from '../shape.ts'

const KEY = 'mayfly.notify'
/** Set while the browser's push service takes part: each new address asks for it too. */
const PUSH_KEY = 'mayfly.push'
/** A push message about a mail comes this much later than the page's own event, at most. */
const SAME_MAIL_MS = 10_000

let shownAt = Number.NEGATIVE_INFINITY

/** `unsupported` in browsers and on origins without them. */
export type NotifyState = 'on' | 'off' | 'blocked' | 'unsupported'

export function notifyState(): NotifyState {
  if (typeof Notification === 'undefined') return 'unsupported'
  if (Notification.permission === 'denied') return 'blocked'
  const isWanted = readStored(localStore, KEY, flag) ?? false
  return isWanted && Notification.permission === 'granted' ? 'on' : 'off'
}

/** Call from a click: browsers ask for permission only then. */
export async function setNotifications(isWanted: boolean): Promise<NotifyState> {
  if (typeof Notification === 'undefined') return 'unsupported'
  if (isWanted && Notification.permission === 'default') await Notification.requestPermission()
  writeStored(localStore, KEY, isWanted && Notification.permission === 'granted')
  return notifyState()
}

/** A soft tone for new mail, off by default. */
const TONE_KEY = 'mayfly.tone'
export const hasTone = () => readStored(localStore, TONE_KEY, flag) ?? false
export const setTone = (isWanted: boolean) => writeStored(localStore, TONE_KEY, isWanted)
export const playTone = () => void import('./tone.ts').then(tone => tone.play()).catch(console.warn)

export const isPushed = () => readStored(localStore, PUSH_KEY, flag) ?? false
export const setPushed = (isTakingPart: boolean) => writeStored(localStore, PUSH_KEY, isTakingPart)

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
export async function notify(title: string, body: string, tag: string, offered?: OfferedCode): Promise<void> {
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
