import { ThreadPool } from '#server/threads/thread-pool.ts'
import type { MailOptions } from './context.ts'
import { createDeliveryNotes } from './delivery-notes.ts'
import { runExpiry } from './expiry.ts'
import { deriveSubkeys } from './keys/subkeys.ts'
import type { Mail } from './mail.ts'
import type { MailTasks } from './mail-tasks.ts'
import { mailThreadOptions } from './mail-threads.ts'
import { MailboxGuard } from './mailbox-guard.ts'
import { createMailboxes } from './mailboxes.ts'
import { createReading } from './read.ts'
import { createReceive } from './receive.ts'
import { operatorLocalParts } from './reserved-names.ts'
import { StorageShares } from './storage-shares.ts'

/** Creates the mail core: see `Mail`. Disposing of it ends its threads and its sweep; the caller closes the store. */
export function createMail(options: MailOptions): Mail {
  const { store, log } = options
  const subkeys = deriveSubkeys(options.secret)
  const threads = new ThreadPool<MailTasks>(mailThreadOptions(subkeys.messageId, log, store.directDelivery?.connect))
  const storageShares = new StorageShares({ store, health: () => options.storeHealth?.() })
  const guard = new MailboxGuard({ keys: subkeys, log, refused: options.mailboxRefused })
  const context = { ...options, subkeys, threads, storageShares, guard, operatorNames: operatorLocalParts(options.config) }
  const closing = new AbortController()
  const expiry = runExpiry(store, closing.signal, log)
  const mailboxes = createMailboxes(context)

  return {
    ...mailboxes,
    ...createReceive(context),
    ...createReading(context),
    plainText: async (raw, envelopeFrom) => (await threads.run('plainText', { envelopeFrom }, [raw])).value,
    destroyMailbox: ({ mailboxId }) => mailboxes.destroyMailbox(mailboxId),
    watch: (mailboxId, signal) => store.watch(mailboxId, signal),
    ...createDeliveryNotes(store),
    async [Symbol.asyncDispose]() {
      closing.abort()
      await expiry
      await threads[Symbol.asyncDispose]()
    },
  }
}
