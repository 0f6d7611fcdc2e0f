/** The mail core, without sockets and status codes. Its disposal ends its threads and its sweep; the caller closes the store. */
import type { MailboxId } from '#server/store/store.ts'
import type { MailContext, MailOptions } from './context.ts'
import { createReceiver } from './delivery/delivery.ts'
import { createDeliveryProgress } from './delivery/delivery-progress.ts'
import { StorageShares } from './delivery/storage-shares.ts'
import { deriveSubkeys } from './keys/secret.ts'
import { MailboxGuard } from './mailbox-guard.ts'
import { createMailboxes, sweepExpired } from './mailboxes.ts'
import { createMessageSearch } from './reading/find-message.ts'
import { createInbox, FreshRows } from './reading/inbox.ts'
import { createAttachments, createMessageReader, WholeMessageReads } from './reading/read-message.ts'
import { MailThreads, mailThreadOptions } from './threads/mail-threads.ts'

export type MailCore = ReturnType<typeof createMailCore>

export function createMailCore(options: MailOptions) {
  const { store, log, config, telemetry } = options
  const subkeys = deriveSubkeys(options.secret)
  const threads = new MailThreads({ ...mailThreadOptions(subkeys.messageId, log), metrics: telemetry })
  const context: MailContext = {
    ...options,
    subkeys,
    threads,
    storageShares: new StorageShares(store, options.storeHealth, options.clock),
    guard: new MailboxGuard(subkeys, log, telemetry),
    freshRows: new FreshRows(),
  }
  const wholeMessageReads = new WholeMessageReads(store, config.memory.wholeReadsMax)
  const { readMatching, ...reader } = createMessageReader(context, wholeMessageReads)
  const closing = new AbortController()
  const sweeping = sweepExpired(store, closing.signal, log)
  return {
    ...createMailboxes(context),
    ...createReceiver(context),
    ...createInbox(context),
    ...reader,
    ...createMessageSearch(context, readMatching),
    ...createAttachments(context, wholeMessageReads),
    ...createDeliveryProgress(store),
    /** Notifies without data a reader who only asks for lists: see `MailStore.watch`. */
    watchFromAfar: store.watch.bind(store),
    /** The same for a reader of `changesSince`. */
    async *watch(mailboxId: MailboxId, signal: AbortSignal): AsyncIterable<void> {
      using _reader = context.freshRows.watch(mailboxId)
      yield* store.watch(mailboxId, signal)
    },
    async [Symbol.asyncDispose]() {
      closing.abort()
      await sweeping
      await threads[Symbol.asyncDispose]()
    },
  }
}
