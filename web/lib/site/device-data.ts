/** What the site keeps in this browser, for the visitor to see and to clear. */

import { deviceFingerprint } from '../bot-check/fingerprint.ts'
import { recentSecurityEvents, securityStats } from '../bot-check/security-log.ts'
import {
  ACCOUNT_KEY,
  ADDRESS_KEY,
  DOMAIN_KEY,
  KEEP_KEY,
  LINK_TOKEN_KEY,
  localStore,
  OTHER_ADDRESS_KEY,
  OWED_DELETIONS_KEY,
} from '../browser/storage.ts'
import { destroyAllOwed } from '../mailbox/deletions.ts'
import { allowanceFor, newAddressLimit } from '../mailbox/new-address-limit.ts'
import { addressStore, otherAddressStore } from '../mailbox/page-addresses.ts'
import { PUSH_CACHE } from '../notify/push.ts'
import { closeNotifications } from '../notify/show-notification.ts'

/** Every key of ours in local storage begins so, but that of the language. */
const PREFIX = 'mayfly.'
const LANGUAGE_KEY = 'lang'
const SETTINGS = {
  [LANGUAGE_KEY]: 'language',
  [DOMAIN_KEY]: 'domain',
  'mayfly.notify': 'notifications',
  'mayfly.push': 'notifications',
  'mayfly.tone': 'notifications',
  'mayfly.shortcuts': 'shortcuts',
  'mayfly.mail-view': 'mailView',
  'mayfly.picture-senders': 'pictures',
} as const

/** Where the page names what the other keys keep. */
const PARTS = {
  [ADDRESS_KEY]: 'address',
  [OTHER_ADDRESS_KEY]: 'address',
  [KEEP_KEY]: 'wanted',
  [OWED_DELETIONS_KEY]: 'deletions',
  [ACCOUNT_KEY]: 'account',
  'mayfly.generation-limit': 'attempts',
  'mayfly.read': 'readMarks',
  'mayfly.reported': 'readMarks',
  'mayfly.security-log': 'security',
} as const

export type DeviceData = ReturnType<typeof readDeviceData>

export function readDeviceData() {
  const keys = storedKeys()
  const now = Date.now()
  const limit = newAddressLimit(false)
  return {
    emails: [addressStore, otherAddressStore].flatMap(store => store.get()?.email ?? []),
    kept: new Set(keys.flatMap(key => PARTS[key as keyof typeof PARTS] ?? [])),
    settings: new Set(keys.flatMap(key => SETTINGS[key as keyof typeof SETTINGS] ?? [])),
    attempts: limit.max - allowanceFor(localStore, deviceFingerprint(), now, limit).remaining,
    events: recentSecurityEvents(localStore),
    lastHour: securityStats(localStore, now),
  }
}

/**
 * Removes all of it, with the addresses' keys, and ends notifications of their mail. The cookie of a signed-in account cannot be read by
 * scripts: signing out removes it.
 */
export async function clearDeviceData(): Promise<void> {
  await destroyAllOwed()
  addressStore.clear()
  otherAddressStore.clear()
  for (const key of storedKeys()) localStore.removeItem(key)
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser we serve
  document.cookie = `${LANGUAGE_KEY}=; path=/; max-age=0; samesite=lax`
  try {
    sessionStorage.removeItem(LINK_TOKEN_KEY)
    await closeNotifications()
    await caches.delete(PUSH_CACHE)
    const registration = await navigator.serviceWorker.getRegistration()
    await (await registration?.pushManager?.getSubscription())?.unsubscribe()
  } catch (error) {
    // Caches and service workers exist only on secure origins; then nothing was kept in them.
    console.debug(error)
  }
}

function storedKeys(): string[] {
  try {
    return Object.keys(localStorage).filter(key => key.startsWith(PREFIX) || key === LANGUAGE_KEY)
  } catch {
    // Storage is forbidden, so nothing is kept.
    return []
  }
}
