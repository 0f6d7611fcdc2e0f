/**
 * Notifications while no page of this site is open. A push message contains only an id. The address that it stands for is stored here until
 * it expires, for the service worker (web/public/sw.js).
 */

import type { Language } from '#contract/languages.ts'
import type { NoticeTexts } from '#web/texts/en/mailbox.ts'
import { readPushKey, subscribeToPush, unsubscribeFromPush } from '../api/message-routes.ts'
import { request, send } from '../api/request.ts'
import { fetchTexts } from '../i18n/i18n.tsx'
import { number, object, type Shaped, text } from '../shape.ts'
import { setPushed } from './notifications.ts'
import type { Toast } from './toasts.ts'

/** The service worker reads this cache by the same name. */
export const PUSH_CACHE = 'push-addresses'
const SUBSCRIBER = object({ id: text, email: text, title: text, endsAt: number })

/** `endsAt` is by this browser's clock. */
type Address = { readonly token: string; readonly email: string; readonly wallDeadlineMs: number }

/** What the push service was last asked for. */
let followed: Address | undefined

/**
 * Asks the browser's push service for mail to the address that is shown. Resolves to what to tell a visitor who has just asked for it: that
 * the page may be closed.
 */
export async function pushTo(next: Address | undefined, language: Language): Promise<Pick<Toast, 'title' | 'description'> | undefined> {
  const last = followed
  followed = next
  const words = await fetchTexts(language, 'notices')
  const isTakingPart = await followAddress(last, next, words)
  setPushed(isTakingPart)
  return isTakingPart ? { title: words.notifyOn, description: words.notifyClosed } : undefined
}

/** `false` where the browser, its push service or the server takes no part. */
async function followAddress(last: Address | undefined, next: Address | undefined, { newMailIn }: NoticeTexts): Promise<boolean> {
  try {
    if (next?.token !== last?.token || !next) await endPush(last?.email)
    if (next) await startPush(next, newMailIn(next))
    return true
  } catch (error) {
    // The page still notifies while it is open.
    console.debug(error)
    return false
  }
}

/** `title` is the text of the notification. Throws if the browser, its push service or the server does not support push. */
async function startPush({ token, email, wallDeadlineMs }: Address, title: string): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration()
  if (!registration?.pushManager) throw new Error('this browser has no push notifications here')
  const isKnown = (await readAll()).some(known => known.email === email && known.title === title)
  if (isKnown && (await registration.pushManager.getSubscription())) return
  const { publicKey } = await request(readPushKey, {})
  const { endpoint = '', keys = {} } = (await subscribe(registration.pushManager, publicKey)).toJSON()
  const { p256dh = '', auth = '' } = keys
  const { id } = await request(subscribeToPush, { token, json: { endpoint, p256dh, auth } })
  await forget(known => known.email === email)
  const cache = await caches.open(PUSH_CACHE)
  await cache.put(`/pushed/${id}`, Response.json({ id, email, title, endsAt: wallDeadlineMs } satisfies Shaped<typeof SUBSCRIBER>))
}

export async function stopPush(address: Address | undefined): Promise<void> {
  const forgotten = await forget(() => true)
  const own = forgotten.find(({ email }) => email === address?.email)
  await unsubscribe()
  // The push service reports the browser's unsubscription, and the server then removes what is left.
  if (own && address) await send(unsubscribeFromPush, { token: address.token, params: { id: own.id }, isKept: true })
}

/** Call after `email` has expired. Removes everything that has expired, and the browser's subscription with the last one. */
async function endPush(email?: string): Promise<void> {
  if (!globalThis.caches || !(await caches.has(PUSH_CACHE))) return
  await forget(known => known.email === email || known.endsAt <= Date.now())
  if ((await readAll()).length === 0) await unsubscribe()
}

async function subscribe(manager: PushManager, publicKey: string): Promise<PushSubscription> {
  const existing = await manager.getSubscription()
  const existingKey = existing?.options.applicationServerKey
  if (existing && existingKey && toBase64Url(existingKey) === publicKey) return existing
  await existing?.unsubscribe()
  return await manager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
}

async function unsubscribe(): Promise<void> {
  await caches.delete(PUSH_CACHE)
  const registration = await navigator.serviceWorker?.getRegistration()
  await (await registration?.pushManager?.getSubscription())?.unsubscribe()
}

async function readAll(): Promise<Shaped<typeof SUBSCRIBER>[]> {
  const cache = await caches.open(PUSH_CACHE)
  const responses = await cache.matchAll()
  const values: unknown[] = await Promise.all(responses.map(response => response.json()))
  return values.filter(SUBSCRIBER)
}

async function forget(isOver: (known: Shaped<typeof SUBSCRIBER>) => boolean): Promise<Shaped<typeof SUBSCRIBER>[]> {
  const over = (await readAll()).filter(isOver)
  const cache = await caches.open(PUSH_CACHE)
  await Promise.all(over.map(({ id }) => cache.delete(`/pushed/${id}`)))
  return over
}

function toBase64Url(bytes: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
