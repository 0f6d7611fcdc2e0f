/**
 * Keeps the site's own files, so that a visitor without a network sees the pages they have been to, and is told so on the others.
 * Mail never comes through here: everything below /api, and the frame mail is shown in, goes straight to the network.
 * The upper-case words are filled in by scripts/build/service-worker.ts; every build has a cache of its own.
 */
const CACHE = 'mayfly-__BUILD__'
const SHELL = JSON.parse('__SHELL__')
const LANGUAGES = JSON.parse('__LANGUAGES__')
const OFFLINE = Object.fromEntries(LANGUAGES.map(language => [language, `/offline-${language}.html`]))
/** The server varies its answers by headers that a worker cannot see; what was kept here was kept for this visitor. */
const KEPT = { ignoreVary: true }
const NEVER = /^\/(?:api|mail-frame|healthz|readyz|metrics)(?:\/|$)/

self.addEventListener('install', event => {
  event.waitUntil(caches.open(CACHE).then(cache => cache.addAll([...SHELL, ...Object.values(OFFLINE)])))
  self.skipWaiting()
})

self.addEventListener('activate', event => {
  event.waitUntil(takeOver().then(keepOpenPages))
})

self.addEventListener('fetch', event => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== location.origin || NEVER.test(url.pathname)) return
  if (request.mode === 'navigate') event.respondWith(page(event))
  else if (url.pathname.startsWith('/assets/')) event.respondWith(asset(request))
})

async function takeOver() {
  const names = await caches.keys()
  await Promise.all(names.filter(name => name.startsWith('mayfly-') && name !== CACHE).map(name => caches.delete(name)))
  await self.registration.navigationPreload?.enable()
  await self.clients.claim()
}

/** The page of a first visit came before there was a worker: without this a reload without a network would not find it. */
async function keepOpenPages() {
  const open = await self.clients.matchAll({ type: 'window' })
  const pages = new Set(open.map(withoutFragment))
  await Promise.allSettled(
    [...pages].map(async page => {
      const response = await fetch(page)
      if (response.ok && !response.redirected) await keepPage(page, response)
    }),
  )
}

/** The network first: a page names the files of its build, and an old page would ask for files that are gone. */
async function page(event) {
  try {
    const response = (await event.preloadResponse) ?? (await fetch(event.request))
    if (response.ok && !response.redirected) event.waitUntil(keepPage(withoutFragment(event.request), response.clone()))
    return response
  } catch {
    return (await caches.match(event.request, KEPT)) ?? (await offlinePage(event.request))
  }
}

/** The cache first: the name of an asset holds the hash of its content. */
async function asset(request) {
  const kept = await caches.match(request, KEPT)
  if (kept) return kept
  const response = await fetch(request)
  if (response.ok) await keep(request, response.clone())
  return response
}

/** A fragment may hold the token of an address, which must not stay behind in the cache. */
function withoutFragment(request) {
  const { origin, pathname, search } = new URL(request.url)
  return origin + pathname + search
}

async function keep(request, response) {
  const cache = await caches.open(CACHE)
  await cache.put(request, response)
}

/** Without the challenge that came with the page (contract/challenge.ts), which can be used once. */
async function keepPage(url, response) {
  const headers = new Headers(response.headers)
  headers.delete('server-timing')
  await keep(url, new Response(response.body, { status: response.status, headers }))
}

self.addEventListener('push', event => event.waitUntil(announceMail(event.data?.json()?.id)))

self.addEventListener('notificationclick', event => {
  const { notification, action } = event
  notification.close()
  event.waitUntil(openInbox().then(page => action === 'copy' && page?.postMessage({ copy: notification.data.code })))
})

const LISTENING_MS_MAX = 20_000
let hearPage = () => undefined
self.addEventListener('message', ({ data, source }) => data === 'listening' && hearPage(source))

/**
 * Says which address has mail, and nothing about it: that is all there is. web/lib/notify/push.ts has written down which address an id
 * means, in the visitor's language.
 */
async function announceMail(id) {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  if (pages.some(page => page.visibilityState === 'visible')) return
  const said = await Promise.all(pages.map(hasAnnounced))
  if (said.includes(true)) return
  const addresses = await caches.open('push-addresses')
  await forgetEnded(addresses)
  const known = await (await addresses.match(`/pushed/${id}`))?.json()
  await self.registration.showNotification(known?.title ?? location.hostname, {
    tag: String(id),
    renotify: true,
    icon: '/icon-192.png',
    data: known,
  })
}

/** The next page that says it can be told things: a new one is there before its code is. */
function nextListening() {
  return new Promise(resolve => {
    hearPage = resolve
    setTimeout(resolve, LISTENING_MS_MAX)
  })
}

/** A page that is frozen does not answer. */
function hasAnnounced(page) {
  const { port1, port2 } = new MessageChannel()
  return new Promise(resolve => {
    port1.onmessage = ({ data }) => resolve(data)
    setTimeout(() => resolve(false), 500)
    page.postMessage('push', [port2])
  })
}

async function forgetEnded(addresses) {
  for (const request of await addresses.keys()) {
    const { email, endsAt } = await (await addresses.match(request)).json()
    if (endsAt > Date.now()) continue
    await addresses.delete(request)
    for (const notification of await self.registration.getNotifications()) if (notification.data?.email === email) notification.close()
  }
}

async function openInbox() {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const home = pages.find(page => new URL(page.url).pathname === '/')
  if (home) return home.focus().catch(() => home)
  const listening = nextListening()
  await self.clients.openWindow('/')
  return listening
}

async function offlinePage(request) {
  const asked = new URL(request.url).searchParams.get('lang') ?? navigator.language.slice(0, 2)
  return (await caches.match(OFFLINE[asked] ?? OFFLINE[LANGUAGES[0]], KEPT)) ?? Response.error()
}
