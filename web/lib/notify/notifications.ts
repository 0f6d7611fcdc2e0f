/** Desktop notifications, only after the visitor asked for them. */
import { localStore, readStored, writeStored } from '../browser/storage.ts'
import { flag } from '../shape.ts'

const KEY = 'mayfly.notify'
/** Set while the browser's push service takes part: each new address asks for it too. */
const PUSH_KEY = 'mayfly.push'
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
