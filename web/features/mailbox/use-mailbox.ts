import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { Language } from '#contract/languages.ts'
import type { Mailbox, MailboxCreated } from '#contract/mailbox.ts'
import { readMailbox } from '#web/lib/api/mailbox-routes.ts'
import { request } from '#web/lib/api/request.ts'
import { useAuth } from '#web/lib/auth/auth.tsx'
import { logBotCheckPassed, logSecurityEvent } from '#web/lib/bot-check/security-log.ts'
import { pageClock } from '#web/lib/browser/clock.ts'
import { localStore, OWED_DELETIONS_KEY } from '#web/lib/browser/storage.ts'
import { watchWake } from '#web/lib/browser/wake.ts'
import { fetchTexts, useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { exclusively, type StoredAddress } from '#web/lib/mailbox/address-store.ts'
import { secondsFirstRefused, takeFirstAddress } from '#web/lib/mailbox/first-address-state.ts'
import { forgetLinkToken, linkTokenStore } from '#web/lib/mailbox/hand-off.ts'
import { newAddressAllowance, noteRefusal, recordNewAddress } from '#web/lib/mailbox/new-address-limit.ts'
import { addressStore, otherAddressStore } from '#web/lib/mailbox/page-addresses.ts'
import { dismissToast, showToast } from '#web/lib/notify/toasts.ts'
import { GENERATOR_ID, scrollToSection } from '#web/lib/routing/scroll-to-section.ts'
import { servedConfig } from '#web/lib/site/site-config.ts'
import type { MailboxTexts } from '#web/texts/en/core.ts'
import { type GenerateOptions, MailboxLifecycle } from './mailbox-lifecycle.ts'
import { type MailboxState, RESTORING } from './mailbox-state.ts'
import type { MailboxNotice } from './notices.ts'

export type MailboxControl = {
  state: MailboxState
  /** A second address that can be shown with one click. */
  other: StoredAddress | undefined
  /** The address of a hand-off link, until the visitor has said whether to open it. */
  question: Mailbox | undefined
  generate: (options?: GenerateOptions & { isScrolling?: boolean }) => void
  deleteAddress: () => void
  /** Asks the server whether the address is still live. */
  resync: () => void
  answer: (isLinkChosen: boolean) => void
  switchToOther: () => void
}

/** How often a link is retried while the server cannot be reached; also whenever the page wakes up. */
const LINK_RETRY_MS = 10_000

/** A press follows, perhaps of a button that changes the address. What it needs is fetched meanwhile. */
const SIGNS = ['pointerdown', 'keydown'] as const
const loadChanges = () => import('./address-changes.ts')
const fetchChanges = () => void loadChanges().catch(() => undefined)

/** The visitor's address while the component is mounted. Use it once per page and pass the result down. */
export function useMailbox(): MailboxControl {
  const texts = useTexts('mailbox')
  const { undo } = useTexts('layout')
  const { language } = useLanguage()
  const { status } = useAuth()
  const isKnown = status !== 'loading'
  // Read when needed, so that notices use the language of the page at that moment.
  const current = useRef({ language, texts, undo, isPro: false })
  current.current = { language, texts, undo, isPro: status === 'signed-in' }
  const [life] = useState(() => openLifecycle(current))
  const state = useSyncExternalStore(life.state.subscribe, life.state.get, () => RESTORING)
  const question = useSyncExternalStore(life.question.subscribe, life.question.get, () => undefined)
  const other = useSyncExternalStore(otherAddressStore.subscribe, otherAddressStore.get, () => undefined)

  useEffect(() => {
    // Who is signed in is known a moment after hydration. Until then no address is created, because the account may have one.
    if (!isKnown) return
    const unmounted = new AbortController()
    life.start(unmounted.signal, linkTokenStore.get()).then(() => followLinks(life, unmounted.signal), console.warn)
    destroyOwed()
    addEventListener('online', destroyOwed, { signal: unmounted.signal })
    watchWake(() => void life.resync(), unmounted.signal)
    for (const sign of SIGNS) addEventListener(sign, fetchChanges, { once: true, signal: unmounted.signal })
    return () => unmounted.abort()
  }, [life, isKnown])

  const actions = useMemo(
    () => ({
      generate: ({ isScrolling, ...options }: GenerateOptions & { isScrolling?: boolean } = {}) => {
        if (isScrolling) scrollToSection(GENERATOR_ID)
        life.generate(options).catch(console.warn)
      },
      deleteAddress: () => void life.deleteAddress().catch(console.warn),
      resync: () => void life.resync(),
      answer: (isLinkChosen: boolean) => life.answer(isLinkChosen),
      switchToOther: () => void life.switch().catch(console.warn),
    }),
    [life],
  )
  return useMemo(() => ({ state, question, other, ...actions }), [state, question, other, actions])
}

/** Opens links that are followed while the page is open, and those that could not be opened at the start. */
function followLinks(life: MailboxLifecycle, signal: AbortSignal): void {
  if (signal.aborted) return
  let isOpening = false
  const open = async () => {
    const token = linkTokenStore.get()
    if (token === undefined || isOpening) return
    isOpening = true
    await life.openLink(token)
    isOpening = false
  }
  const unsubscribe = linkTokenStore.subscribe(() => void open())
  const timer = setInterval(() => void open(), LINK_RETRY_MS)
  watchWake(() => void open(), signal)
  signal.addEventListener('abort', () => {
    unsubscribe()
    clearInterval(timer)
  })
}

/** The page as it is now. */
export type CurrentPage = { readonly current: { language: Language; texts: MailboxTexts; undo: string; isPro: boolean } }

function openLifecycle(page: CurrentPage): MailboxLifecycle {
  const tell = (notice: MailboxNotice) =>
    void Promise.all([import('./notices.ts'), fetchTexts(page.current.language, 'notices')])
      .then(([{ noticeToast }, texts]) => {
        const id = showToast(noticeToast(notice, texts, page.current.texts.notices))
        if (notice.kind === 'unreached') addEventListener('online', () => dismissToast(id), { once: true })
      })
      // Without a network it waits for one, if the service worker does not have the file.
      .catch(() => notice.kind !== 'unreached' && addEventListener('online', () => tell(notice), { once: true }))
  return new MailboxLifecycle({
    clock: pageClock,
    api: {
      read: token => request(readMailbox, { token }),
      takeFirstAddress: () => takeFirstAddress()?.then(countFirstAddress),
      listOwned: () => (page.current.isPro ? listOwned() : Promise.resolve([])),
    },
    openChanges: async life => (await loadChanges()).changesOn(page, life),
    storage: {
      shown: addressStore,
      other: otherAddressStore,
      forgetLinkToken,
      allowance: () => newAddressAllowance(page.current.isPro),
      recordAttempt: () => recordNewAddress(page.current.isPro),
    },
    exclusively,
    notify: notice => {
      if (notice.kind === 'rate_limited') {
        noteRefusal(page.current.isPro, notice.seconds)
        logSecurityEvent('rate_limit_hit', { action: 'generate_email' })
      }
      tell(notice)
    },
  })
}

/** Deletes at the server what was deleted without a network. */
function destroyOwed(): void {
  if (localStore.getItem(OWED_DELETIONS_KEY) === null) return
  import('#web/lib/mailbox/address-requests.ts').then(requests => requests.destroyAllOwed()).catch(console.warn)
}

/** Counts the address that was requested before the application loaded like one that the application requested. */
function countFirstAddress(isMade: boolean): boolean {
  if (isMade) {
    recordNewAddress(false)
    if (servedConfig?.botCheck.provider === 'pow') logBotCheckPassed('generate_email')
  } else {
    noteRefusal(false, secondsFirstRefused())
  }
  return isMade
}

/** If the session has ended since, or there is no response, it is treated like no session, and the next address is a visitor's. */
async function listOwned(): Promise<readonly MailboxCreated[]> {
  try {
    const { listProMailboxes } = await import('#web/lib/api/account-routes.ts')
    return (await request(listProMailboxes, {})).mailboxes
  } catch {
    return []
  }
}
