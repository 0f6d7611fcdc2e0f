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

export const isPushed = () => readStored(localStore, PUSH_KEY, flag) ?? false
export const setPushed = (isTakingPart: boolean) => writeStored(localStore, PUSH_KEY, isTakingPart)

/** `tag` merges notifications of the same event from several tabs. Shown only while the page is not visible. */
export function notify(title: string, body: string, tag: string): void {
  if (notifyState() !== 'on' || document.visibilityState === 'visible') return
  try {
    const notification = new Notification(title, { body, tag, icon: '/icon-192.png' })
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
