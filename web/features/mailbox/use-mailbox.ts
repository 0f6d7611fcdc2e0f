import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { Language } from '#contract/languages.ts'
import type { Mailbox, MailboxCreated } from '#contract/mailbox.ts'
import { readMailbox } from '#web/lib/api/mailbox-routes.ts'
import { request } from '#web/lib/api/request.ts'
import { useAuth } from '#web/lib/auth/auth.tsx'
import { logBotCheckPassed } from '#web/lib/bot-check/security-log.ts'
import { pageClock, watchWake } from '#web/lib/browser/clock.ts'
import { localStore, OWED_DELETIONS_KEY } from '#web/lib/browser/storage.ts'
import { useStore } from '#web/lib/browser/use-store.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { type MailboxNotice, RESTORING, type ShownAddress } from '#web/lib/mailbox/address-machine.ts'
import { exclusively, type StoredAddress } from '#web/lib/mailbox/address-store.ts'
import { secondsFirstRefused, takeFirstAddress } from '#web/lib/mailbox/first-address-state.ts'
import { forgetLinkToken, linkTokenStore } from '#web/lib/mailbox/hand-off.ts'
import { newAddressAllowance, noteRefusal, recordNewAddress } from '#web/lib/mailbox/new-address-limit.ts'
import { addressStore, otherAddressStore } from '#web/lib/mailbox/page-addresses.ts'
import { GENERATOR_ID, isAddressAbove, scrollToSection } from '#web/lib/routing/scroll-to-section.ts'
import { servedConfig } from '#web/lib/site/site-config.ts'
import type { MailboxTexts } from '#web/texts/en/core.ts'
import { AddressRunner } from './address-runner.ts'

export type MailboxControl = {
  state: ShownAddress
  /** A second address that can be shown with one click. */
  other: StoredAddress | undefined
  /** The address of a hand-off link, until the visitor has said whether to open it. */
  question: Mailbox | undefined
  /** Another address was asked for and has not come, if only because another tab of the browser has its turn: nothing else is begun. */
  isCreating: boolean
  /** `insteadOf`: the domain of an address that a site refused. `isBeside`: the one that is shown stays. */
  generate: (options?: { insteadOf?: string; isBeside?: boolean; isScrolling?: boolean }) => void
  deleteAddress: () => void
  /** Asks the server whether the address is still live. */
  resync: () => void
  answer: (isLinkChosen: boolean) => void
  switchToOther: () => void
  /** The server no longer knows it. */
  forgetOther: (token: string) => void
}

/** How often a link is retried while the server cannot be reached; also whenever the page wakes up. */
const LINK_RETRY_MS = 10_000

/** A press follows, perhaps of a button that changes the address. What it needs is fetched meanwhile. */
const SIGNS = ['pointerdown', 'keydown'] as const
const loadDeletions = () => import('#web/lib/mailbox/deletions.ts')
const loadRequests = () => import('#web/lib/mailbox/address-requests.ts')
const loadSteps = () => import('#web/lib/mailbox/address-changes.ts')
const loadNotices = () => import('./notices.ts')
const prepare = () => void Promise.all([loadSteps(), loadDeletions(), loadNotices(), loadRequests()]).catch(() => undefined)

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
  const [runner] = useState(() => runOn(current))
  const { state: store } = runner
  const state = useSyncExternalStore(
    store.subscribe,
    () => store.get().shown,
    () => RESTORING,
  )
  const question = useSyncExternalStore(
    store.subscribe,
    () => store.get().question,
    () => undefined,
  )
  const isCreating = useSyncExternalStore(
    store.subscribe,
    () => store.get().creation !== undefined,
    () => false,
  )
  const other = useStore(otherAddressStore, () => undefined)

  useEffect(() => {
    // Who is signed in is known a moment after hydration. Until then no address is created, because the account may have one.
    if (!isKnown) return
    const unmounted = new AbortController()
    const { signal } = unmounted
    const look = () => runner.dispatch({ type: 'look' })
    // Links that are followed while the page is open, and those that could not be opened at the start.
    const openLink = () => {
      const token = linkTokenStore.get()
      if (token !== undefined) runner.dispatch({ type: 'link', token })
    }
    runner.start(signal, linkTokenStore.get())
    destroyOwed()
    addEventListener('online', destroyOwed, { signal })
    watchWake(look, signal)
    watchWake(openLink, signal)
    const unsubscribe = linkTokenStore.subscribe(openLink)
    const timer = setInterval(openLink, LINK_RETRY_MS)
    for (const sign of SIGNS) addEventListener(sign, prepare, { once: true, signal })
    return () => {
      unmounted.abort()
      unsubscribe()
      clearInterval(timer)
    }
  }, [runner, isKnown])

  const actions = useMemo(
    () => ({
      generate: ({ isScrolling, ...wanted }: Parameters<MailboxControl['generate']>[0] = {}) => {
        if (isScrolling || isAddressAbove()) scrollToSection(GENERATOR_ID)
        runner.dispatch({ type: 'generate', ...wanted })
      },
      deleteAddress: () => runner.dispatch({ type: 'delete' }),
      resync: () => runner.dispatch({ type: 'look' }),
      answer: (isLinkChosen: boolean) => runner.dispatch({ type: 'answered', isLinkChosen }),
      switchToOther: () => runner.dispatch({ type: 'switch' }),
      forgetOther: (token: string) => runner.dispatch({ type: 'other_gone', token }),
    }),
    [runner],
  )
  return useMemo(() => ({ state, question, isCreating, other, ...actions }), [state, question, isCreating, other, actions])
}

/** The page as it is now. */
type CurrentPage = { readonly current: { language: Language; texts: MailboxTexts; undo: string; isPro: boolean } }

function runOn(page: CurrentPage): AddressRunner {
  return new AddressRunner({
    clock: pageClock,
    api: {
      read: token => request(readMailbox, { token }),
      takeFirstAddress: () => takeFirstAddress()?.then(countFirstAddress),
      listOwned: () => (page.current.isPro ? listOwned() : Promise.resolve([])),
      create: insteadOf =>
        loadRequests().then(
          requests => requests.tryToCreate(insteadOf, page.current.isPro),
          () => ({ refusal: { kind: 'unreached' } }),
        ),
    },
    stores: { shown: addressStore, other: otherAddressStore },
    allowance: () => newAddressAllowance(page.current.isPro),
    forgetLinkToken,
    exclusively,
    notify: notice => tell(notice, page),
    async loadChanges() {
      const [{ changeStep }, { destroyAddress }, { offerToUndo }] = await Promise.all([loadSteps(), loadDeletions(), loadNotices()])
      return { changeStep, destroy: destroyAddress, offerUndo: (notice, change) => offerToUndo(notice, change, page.current) }
    },
  })
}

/** Words that few visitors need are fetched with the first notice. */
function tell(notice: MailboxNotice, page: CurrentPage): void {
  if (notice.kind === 'rate_limited') noteRefusal(page.current.isPro, notice.seconds)
  loadNotices()
    .then(({ showNotice }) => showNotice(notice, page.current))
    // Without a network it waits for one, if the service worker does not have the file.
    .catch(() => notice.kind !== 'unreached' && addEventListener('online', () => tell(notice, page), { once: true }))
}

/** Deletes at the server what was deleted without a network. */
function destroyOwed(): void {
  if (localStore.getItem(OWED_DELETIONS_KEY) === null) return
  loadDeletions()
    .then(deletions => deletions.destroyAllOwed())
    .catch(console.warn)
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
