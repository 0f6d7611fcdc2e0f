import { ThreadPool } from '#server/platform/threads/thread-pool.ts'
import type { MailContext, MailOptions } from './context.ts'
import { createReceiver } from './delivery/delivery.ts'
import { createDeliveryProgress } from './delivery/delivery-progress.ts'
import { StorageShares } from './delivery/storage-shares.ts'
import { deriveSubkeys } from './keys/secret.ts'
import type { MailCore } from './mail-core.ts'
import { MailboxGuard } from './mailbox-guard.ts'
import { createMailboxes } from './mailboxes.ts'
import { createMessageSearch } from './reading/find-message.ts'
import { FreshRows } from './reading/fresh-rows.ts'
import { createInbox } from './reading/inbox.ts'
import { createAttachments, createMessageReader, WholeMessageReads } from './reading/read-message.ts'
import { sweepExpired } from './sweep.ts'
import type { MailTasks } from './threads/mail-tasks.ts'
import { mailThreadOptions } from './threads/mail-threads.ts'

/** Creates the mail core: see `MailCore`. Disposing of it ends its threads and its sweep; the caller closes the store. */
export function createMailCore(options: MailOptions): MailCore {
  const { store, log, config } = options
  const subkeys = deriveSubkeys(options.secret)
  const threads = new ThreadPool<MailTasks>({
    ...mailThreadOptions(subkeys.messageId, log, store.directDelivery?.connect),
    metrics: options.telemetry,
  })
  const context: MailContext = {
    ...options,
    subkeys,
    threads,
    storageShares: new StorageShares({ store, health: options.storeHealth }),
    guard: new MailboxGuard({ keys: subkeys, log, refused: () => options.telemetry.mailboxRefused() }),
    freshRows: new FreshRows(),
  }
  const wholeMessageReads = new WholeMessageReads(store, config.memory.wholeReadsMax)
  const mailboxes = createMailboxes(context)
  const receiver = createReceiver(context)
  const inbox = createInbox(context)
  const { readMatching, ...reader } = createMessageReader(context, wholeMessageReads)
  const search = createMessageSearch(context, readMatching)
  const attachments = createAttachments(context, wholeMessageReads)
  const deliveryProgress = createDeliveryProgress(store)
  const closing = new AbortController()
  const sweeping = sweepExpired(store, closing.signal, log)

  return {
    ...mailboxes,
    ...receiver,
    ...inbox,
    ...reader,
    ...search,
    ...attachments,
    ...deliveryProgress,
    plainText: async (raw, envelopeFrom) => (await threads.run('plainText', { envelopeFrom }, [{ raw }])).value,
    async *watch(mailboxId, signal) {
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
