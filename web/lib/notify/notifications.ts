/** Desktop notifications, only after the visitor asked for them. */

import { localStore, readStored, writeStored } from '../browser/storage.ts'
import { flag } from '../shape.ts'

const KEY = 'mayfly.notify'

/** `unsupported` on browsers and origins without them. */
export type NotifyState = 'on' | 'off' | 'blocked' | 'unsupported'

export function notifyState(): NotifyState {
  if (typeof Notification === 'undefined') return 'unsupported'
  if (Notification.permission === 'denied') return 'blocked'
  const isWanted = readStored(localStore, KEY, flag) ?? false
  return isWanted && Notification.permission === 'granted' ? 'on' : 'off'
}

/** Must be called by a click: browsers ask for permission only then. */
export async function setNotify(isWanted: boolean): Promise<NotifyState> {
  if (typeof Notification === 'undefined') return 'unsupported'
  if (isWanted && Notification.permission === 'default') await Notification.requestPermission()
  writeStored(localStore, KEY, isWanted && Notification.permission === 'granted')
  return notifyState()
}

/** `tag` makes one notification of the same news from several tabs. Shown only while nobody looks at the page. */
export function notify(title: string, body: string, tag: string): void {
  if (notifyState() !== 'on' || document.visibilityState === 'visible') return
  try {
    const notification = new Notification(title, { body, tag, icon: '/icon-192.png' })
    notification.onclick = () => {
      window.focus()
      notification.close()
    }
  } catch (error) {
    // Chrome on Android knows the constructor but refuses to be constructed by.
    console.warn(error)
  }
}
