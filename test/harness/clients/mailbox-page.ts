/** Shared by the tests of the visitor's address. */
import { AddressRunner } from '#web/features/mailbox/address-runner.ts'
import { ProblemError } from '#web/lib/api/request.ts'
import { changeStep } from '#web/lib/mailbox/address-changes.ts'
import type { AddressEvent, MailboxNotice, Refusal } from '#web/lib/mailbox/address-machine.ts'
import { createAddressStore } from '#web/lib/mailbox/address-store.ts'
import { allowanceFor, recordNewAddress } from '#web/lib/mailbox/new-address-limit.ts'
import { UNDO_MS, type UndoableChange } from '#web/lib/notify/undo.ts'
import { createMemoryStore } from './memory-store.ts'
import { createPageClock } from './page-clock.ts'

/** A page, its storage and a server with some mailboxes, on one clock that only `pass` moves. */
export function openPage(api: Partial<ConstructorParameters<typeof AddressRunner>[0]['api']> = {}, store = createMemoryStore()) {
  const { time, clock, pass } = createPageClock()
  const server = new Map<string, number>()
  const notices: MailboxNotice[] = []
  /** `refusal`: why the next address is not created. */
  const network: { isDown: boolean; refusal?: Refusal | undefined } = { isDown: false }
  let issued = 0
  const read = async (token: string) => {
    if (network.isDown) throw new ProblemError('network')
    const expiresAt = server.get(token)
    if (expiresAt === undefined || expiresAt <= clock.wall()) throw new ProblemError('mailbox_not_found', { status: 404 })
    return { email: `${token}@mayfly.test`, expiresAt: '', secondsLeft: (expiresAt - clock.now()) / 1000, lifetimeSeconds: 600 }
  }
  const addresses = createAddressStore(store, clock, read)
  const other = createAddressStore(store, clock, read, 'other')
  /** The last change that could be undone. `isHeld`: the pointer rests on its toast, so that its time stands still. */
  const undo: { latest?: UndoableChange; isHeld: boolean } = { isHeld: false }
  const forgottenLinks: unknown[] = []
  const runner = new AddressRunner({
    clock,
    api: {
      read,
      listOwned: async () => [],
      takeFirstAddress: () => undefined,
      async create() {
        if (network.refusal) return { refusal: network.refusal }
        const token = `t${++issued}`
        recordNewAddress(false, store, 'me', clock.now())
        server.set(token, clock.now() + 600_000)
        return { mailbox: { ...(await read(token)), token }, askedAtMs: clock.now() }
      },
      ...api,
    },
    stores: { shown: addresses, other },
    allowance: () => allowanceFor(store, 'me', clock.now()),
    forgetLinkToken: () => forgottenLinks.push(clock.now()),
    exclusively: task => task(),
    loadChanges: async () => ({
      changeStep,
      async destroy(token) {
        if (network.isDown) throw new ProblemError('network')
        server.delete(token)
      },
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
    }),
    notify: notice => notices.push(notice),
  })
  const leave = new AbortController()
  return {
    state: () => runner.state.get(),
    /** Opens the page, and waits until it has done what it can do at once. */
    async start(linkToken?: string) {
      runner.start(leave.signal, linkToken)
      await pass(0)
    },
    async happens(event: AddressEvent) {
      runner.dispatch(event)
      await pass(0)
    },
    ...{ clock: time, network, server, notices, addresses, other, store, undo, pass, leave, forgottenLinks },
  }
}
