/**
 * Notifications while no page of this site is open. A push message contains only an id. The address that it stands for is stored here until
 * it expires, for the service worker (web/public/sw.js).
 */

import type { Language } from '#contract/languages.ts'
import type { NoticeTexts } from '#web/texts/en/mailbox.ts'
import { readPushKey, subscribeToPush, unsubscribeFromPush } from '../api/message-routes.ts'
import { request, send } from '../api/request.ts'
import { fetchTexts } from '../i18n/i18n.tsx'
import { addressStore, otherAddressStore } from '../mailbox/page-addresses.ts'
import { number, object, type Shaped, text } from '../shape.ts'
import { isPushed, setPushed } from './notifications.ts'
import { closeNotifications } from './show-notification.ts'
import type { Toast } from './toasts.ts'

/** The service worker reads this cache by the same name. */
export const PUSH_CACHE = 'push-addresses'
const SUBSCRIBER = object({ id: text, email: text, title: text, endsAt: number })
type Subscriber = Shaped<typeof SUBSCRIBER>

/** `endsAt` is by this browser's clock. */
type Address = { readonly token: string; readonly email: string; readonly wallDeadlineMs: number }

/** What the push service was last asked for. */
let followed: Address | undefined

/** The addresses of this browser. */
const stores = [addressStore, otherAddressStore]
const isHere = ({ email }: { readonly email: string }) => stores.some(store => store.get()?.email === email)
/** The list of an account's addresses closes what is about these: see the address switcher. */
const closeOver = () => closeNotifications(about => about.isOfAccount === true || isHere(about))
for (const store of stores) store.subscribe(() => void closeOver().catch(console.warn))

/**
 * Call for the address that is shown. Asks the browser's push service for its mail, if the visitor asks for it now or did before. Resolves
 * to what to tell one who has just asked: that the page may be closed.
 */
export async function follow(
  next: Address | undefined,
  language: Language,
  isAsked: boolean,
): Promise<Pick<Toast, 'title' | 'description'> | undefined> {
  await closeOver()
  if (!isAsked && !isPushed()) return undefined
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
    if (next?.token !== last?.token || !next) await endPush(known => known.email === last?.email || known.endsAt <= Date.now())
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
  await cache.put(`/pushed/${id}`, Response.json({ id, email, title, endsAt: wallDeadlineMs } satisfies Subscriber))
}

/** Call when this browser has forgotten the addresses of an account: nobody here is told of them any more. */
export async function leaveAccount(): Promise<void> {
  await closeNotifications(isHere)
  await endPush(known => !isHere(known))
}

export async function stopPush(address: Address | undefined): Promise<void> {
  await closeNotifications()
  const forgotten = await forget(() => true)
  const own = forgotten.find(({ email }) => email === address?.email)
  await unsubscribe()
  // The push service reports the browser's unsubscription, and the server then removes what is left.
  if (own && address) await send(unsubscribeFromPush, { token: address.token, params: { id: own.id }, isKept: true })
}

/** Removes these, and the browser's subscription with the last one. */
async function endPush(isOver: (known: Subscriber) => boolean): Promise<void> {
  if (!globalThis.caches || !(await caches.has(PUSH_CACHE))) return
  await forget(isOver)
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

async function readAll(): Promise<Subscriber[]> {
  const cache = await caches.open(PUSH_CACHE)
  const responses = await cache.matchAll()
  const values: unknown[] = await Promise.all(responses.map(response => response.json()))
  return values.filter(SUBSCRIBER)
}

async function forget(isOver: (known: Subscriber) => boolean): Promise<Subscriber[]> {
  const over = (await readAll()).filter(isOver)
  const cache = await caches.open(PUSH_CACHE)
  await Promise.all(over.map(({ id }) => cache.delete(`/pushed/${id}`)))
  return over
}

function toBase64Url(bytes: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
