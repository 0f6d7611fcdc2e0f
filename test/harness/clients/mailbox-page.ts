/** Shared by the tests of the address card. */

import { AddressChanges } from '#web/features/mailbox/address-changes.ts'
import { MailboxLifecycle } from '#web/features/mailbox/mailbox-lifecycle.ts'
import type { MailboxNotice } from '#web/features/mailbox/notices.ts'
import { ProblemError } from '#web/lib/api/request.ts'
import { createAddressStore } from '#web/lib/mailbox/address-store.ts'
import { allowanceFor, recordAttempt } from '#web/lib/mailbox/new-address-limit.ts'
import { UNDO_MS, type UndoableChange } from '#web/lib/notify/undo.ts'
import { createMemoryStore } from './memory-store.ts'
import { createPageClock } from './page-clock.ts'

type LifecycleDeps = ConstructorParameters<typeof MailboxLifecycle>[0]
type ChangeDeps = ConstructorParameters<typeof AddressChanges>[1]
type Overrides = {
  api?: Partial<LifecycleDeps['api'] & ChangeDeps>
  storage?: Partial<LifecycleDeps['storage']>
} & Pick<Partial<LifecycleDeps>, 'exclusively'>

/** A page, its storage and a server with some mailboxes, on one clock that only `pass` moves. */
export function openPage(overrides: Overrides = {}, store = createMemoryStore()) {
  const { time, clock, pass } = createPageClock()
  const server = new Map<string, number>()
  const notices: MailboxNotice[] = []
  const phases: string[] = []
  let issued = 0
  const network = { isDown: false }
  const read = async (token: string) => {
    if (network.isDown) throw new ProblemError('network')
    const expiresAt = server.get(token)
    if (expiresAt === undefined || expiresAt <= clock.wall()) throw new ProblemError('mailbox_not_found', { status: 404 })
    return { email: `${token}@mayfly.test`, expiresAt: '', secondsLeft: (expiresAt - clock.now()) / 1000, lifetimeSeconds: 600 }
  }
  const addresses = createAddressStore(store, clock, token => read(token))
  const other = createAddressStore(store, clock, token => read(token), 'other')
  /** The last change that could be undone. `isHeld`: the pointer rests on its toast, so that its time stands still. */
  const undo: { latest?: UndoableChange; isHeld: boolean } = { isHeld: false }
  const changes: ChangeDeps = {
    create: async () => {
      const token = `t${++issued}`
      server.set(token, clock.now() + 600_000)
      return { ...(await read(token)), token }
    },
    destroy: async token => {
      if (network.isDown) throw new ProblemError('network')
      server.delete(token)
    },
    obtainBotCheck: async () => 'proof',
    offerUndo(notice, change) {
      notices.push(notice)
      const left = new AbortController()
      const settle = (act: () => void) => {
        if (left.signal.aborted) return
        left.abort()
        act()
      }
      const offered = { commit: () => settle(change.commit), undo: () => settle(change.undo) }
      void clock.sleep(UNDO_MS, left.signal).then(() => undo.isHeld || offered.commit())
      undo.latest = offered
      return offered
    },
    ...overrides.api,
  }
  const life = new MailboxLifecycle({
    clock,
    api: { read, listOwned: async () => [], takeFirstAddress: () => undefined, ...overrides.api },
    openChanges: async of => new AddressChanges(of, changes),
    storage: {
      shown: addresses,
      other,
      forgetLinkToken: () => void undefined,
      allowance: () => allowanceFor(store, 'me', clock.now()),
      recordAttempt: () => void recordAttempt(store, 'me', clock.now()),
      ...overrides.storage,
    },
    exclusively: overrides.exclusively ?? (task => task()),
    notify: notice => notices.push(notice),
  })
  life.state.subscribe(() => phases.push(life.state.get().phase))
  const leave = new AbortController()
  const start = (linkToken?: string) => life.start(leave.signal, linkToken)
  return { life, clock: time, network, server, notices, phases, addresses, other, store, undo, pass, leave, start }
}

/** A page of an account with these addresses, oldest first. Each lives 24 h from the moment it is added. */
export function openAccount(...tokens: string[]) {
  const account = { isFull: false, page: openPage() }
  const told = (token: string) => ({
    email: `${token}@mayfly.test`,
    token,
    expiresAt: '',
    secondsLeft: 86_400,
    lifetimeSeconds: 86_400,
    kept: true,
  })
  const issued = [...tokens]
  account.page = openPage({
    api: {
      listOwned: async () => issued.filter(token => (account.page.server.get(token) ?? 0) > account.page.clock.now).map(told),
      create: async () => {
        if (account.isFull) throw new ProblemError('mailboxes_max', { status: 409 })
        const token = `t${issued.length - tokens.length + 1}`
        issued.push(token)
        account.page.server.set(token, account.page.clock.now + 86_400_000)
        return told(token)
      },
    },
  })
  for (const token of tokens) account.page.server.set(token, account.page.clock.now + 172_800_000)
  return account
}
