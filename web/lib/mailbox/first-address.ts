/**
 * Requests and shows a visitor's first address before the application has loaded, which saves a phone a second. This is a program of its
 * own: the build writes it into the head of the home page (scripts/build/page-script.ts), whose response brings the challenge of the bot
 * check. It leaves the address in local storage, where the application finds it, and its outcome in first-address-state.ts. If it fails,
 * the application requests an address itself and shows the error. A live address from an earlier visit is shown at once.
 */
import { CHALLENGE_TIMING, FIRST_CHALLENGE_PATH } from '#contract/challenge.ts'
import type { Challenge } from '#contract/site.ts'
import * as routes from '../api/address-routes.ts'
import { solveProofOfWork } from '../bot-check/proof-of-work.ts'
import { COPIED_MS, copyText } from '../browser/clipboard.ts'
import {
  ACCOUNT_KEY,
  ADDRESS_KEY,
  DOMAIN_KEY,
  LINK_TOKEN_KEY,
  OTHER_ADDRESS_KEY,
  parseStored,
  readStored,
  writeStored,
} from '../browser/storage.ts'
import { object, type Shape, text } from '../shape.ts'
import { addressRecord, exclusively, msLeft, toAddressRecord } from './address-store.ts'
import { isApplicationReady, leaveFirstAddress, noteFirstAddressCopied, noteFirstRefusal } from './first-address-state.ts'
import { hasSpentAttempts } from './new-address-limit.ts'

/** After this long the application requests an address itself, with its own time-out. */
const TIMEOUT_MS = 8000

/** What it needs of the configuration that the server writes into the page. */
const botCheckConfig = object({ botCheck: object({ provider: text }) })
const provider = parseStored(document.documentElement.dataset.config, botCheckConfig)?.botCheck.provider

const hasAddress = (store: Storage) => [ADDRESS_KEY, OTHER_ADDRESS_KEY, ACCOUNT_KEY].some(key => store.getItem(key) !== null)

/** A visitor without an address, an account or a link to an inbox. */
function needsAddress(store: Storage): boolean {
  if (provider !== 'pow' && provider !== 'off') return false
  const hasLink = location.hash !== '' || sessionStorage.getItem(LINK_TOKEN_KEY) !== null
  return !hasLink && !hasAddress(store) && !hasSpentAttempts(store, Date.now())
}

async function ask<T>(path: string, shape: Shape<T>, init: RequestInit): Promise<T> {
  const response = await fetch(path, init)
  if (response.status === 429) noteFirstRefusal(Number(response.headers.get('retry-after')) || 0)
  const reply: unknown = await response.json()
  if (!response.ok || !shape(reply)) throw new Error(path)
  return reply
}

/**
 * The challenge that came with the page. None if a proxy removed the header, over plain http, where browsers do not show it, or if the page
 * comes from the browser's history: then it may be the one that was used before.
 */
function challengeOfPage(): Challenge | undefined {
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const timing = page?.type === 'back_forward' ? undefined : page?.serverTiming?.find(({ name }) => name === CHALLENGE_TIMING)
  return parseStored(timing?.description, routes.readChallenge.reply)
}

async function readChallenge(signal: AbortSignal): Promise<Challenge> {
  return challengeOfPage() ?? ask(FIRST_CHALLENGE_PATH, routes.readChallenge.reply, { signal })
}

async function makeAddress(store: Storage, signal: AbortSignal): Promise<boolean> {
  const botCheck = provider === 'pow' ? await solveProofOfWork(readChallenge(signal), signal) : undefined
  let isMade = false
  // One of several tabs that open at once requests an address.
  await exclusively(async () => {
    if (signal.aborted || hasAddress(store)) return
    const askedAtMs = performance.now()
    const headers = { 'content-type': 'application/json' }
    // If it is no longer served, the application requests another.
    const body = JSON.stringify({ botCheck, domain: readStored(store, DOMAIN_KEY, text) })
    const created = await ask(routes.createMailbox.path, routes.createMailbox.reply, { method: 'POST', headers, body, signal })
    writeStored(store, ADDRESS_KEY, toAddressRecord(created, msLeft(created, askedAtMs, performance.now()), Date.now()))
    // Where storage is full the application creates another address, and this one must not be given to anybody.
    if (store.getItem(ADDRESS_KEY) === null) return
    showFirstAddress(created.email)
    isMade = true
    // The address is painted before the application, if it is there already, draws all that belongs to it.
    await new Promise(resolve => setTimeout(resolve))
  })
  return isMade
}

/** The address that this browser still has. */
function showLive(store: Storage): void {
  const stored = readStored(store, ADDRESS_KEY, addressRecord)
  if (stored && stored.savedAt <= Date.now() && Date.now() < stored.savedAt + stored.secondsLeft * 1000) showFirstAddress(stored.email)
}

function start(store: Storage): void {
  showLive(store)
  if (needsAddress(store)) leaveFirstAddress(makeAddress(store, AbortSignal.timeout(TIMEOUT_MS)).catch(() => false))
}

/** After this long without the application, its files are blocked, or the network is too slow for mail. */
const NOT_LOADED_MS = 8000

let email: string | undefined
/** The application did not load: no mail can be shown, so no address looks ready. */
let isLate = false

addEventListener(
  'error',
  ({ target }) => target instanceof HTMLScriptElement && target.type === 'module' && whenParsed(showNotLoaded),
  true,
)
setTimeout(() => whenParsed(showNotLoaded), NOT_LOADED_MS)

function showNotLoaded(): void {
  if (isApplicationReady()) return
  isLate = true
  draw()
}

function showFirstAddress(made: string): void {
  email = made
  whenParsed(draw)
}

/** The rest of the page may still be arriving. */
function whenParsed(act: () => void): void {
  if (document.readyState === 'loading') document.addEventListener('readystatechange', act, { once: true })
  else act()
}

/**
 * Shows the address in the served page before the application has loaded, with buttons that copy it, or that the application did not load.
 * The markup is two `<template>`s of web/features/mailbox/address-card.tsx; the application replaces all of it.
 */
function draw(): void {
  const place = document.querySelector('[data-first-address]')
  const templates = place?.querySelectorAll('template') ?? []
  const template = templates[isLate ? 1 : 0]
  if (!place || !template) return
  place.replaceChildren(document.importNode(template.content, true), ...templates)
  const at = email?.lastIndexOf('@') ?? 0
  place.querySelector<HTMLElement>('[data-fit]')?.style.setProperty('--chars', String(Math.max(at, (email?.length ?? 0) - at)))
  for (const [line, part] of place.querySelectorAll('[data-address]').entries()) part.append(email?.slice(...(line ? [at] : [0, at])) ?? '')
  const act = isLate ? () => location.reload() : copyWith(place.querySelector('[data-copied]'), email ?? '')
  for (const button of place.querySelectorAll('button')) button.addEventListener('click', act)
}

/** Copies the address and says so for a moment. */
function copyWith(label: Element | null, copied: string): () => Promise<void> {
  const words = label?.textContent ?? ''
  const setLabel = (next: string | null | undefined) => label?.replaceChildren(next ?? '')
  let timer: ReturnType<typeof setTimeout>
  return async () => {
    if (!(await copyText(copied))) return
    noteFirstAddressCopied()
    setLabel(label?.getAttribute('data-copied'))
    clearTimeout(timer)
    timer = setTimeout(() => setLabel(words), COPIED_MS)
  }
}

try {
  start(localStorage)
} catch {
  // Storage is refused, so no address could be handed over. The application knows how to live without.
}
