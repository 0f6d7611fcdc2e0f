import { ThreadPool } from '#server/platform/threads/thread-pool.ts'
import { operatorLocalParts } from './addresses/reserved-names.ts'
import type { MailContext, MailOptions } from './context.ts'
import { createDeliveryProgress } from './delivery/delivery-progress.ts'
import { createReceiver } from './delivery/receive.ts'
import { StorageShares } from './delivery/storage-shares.ts'
import { runExpiry } from './expiry.ts'
import { deriveSubkeys } from './keys/subkeys.ts'
import type { MailCore } from './mail-core.ts'
import { MailboxGuard } from './mailbox-guard.ts'
import { createMailboxes } from './mailboxes.ts'
import { createAttachments } from './reading/attachments.ts'
import { createMessageSearch } from './reading/find-message.ts'
import { createInbox } from './reading/inbox.ts'
import { createMessageReader } from './reading/read.ts'
import { StoredMessages } from './reading/stored-messages.ts'
import type { MailTasks } from './threads/mail-tasks.ts'
import { mailThreadOptions } from './threads/mail-threads.ts'

/** Creates the mail core: see `MailCore`. Disposing of it ends its threads and its sweep; the caller closes the store. */
export function createMailCore(options: MailOptions): MailCore {
  const { store, log, config } = options
  const subkeys = deriveSubkeys(options.secret)
  const threads = new ThreadPool<MailTasks>({
    ...mailThreadOptions(subkeys.messageId, log, store.directDelivery?.connect),
    metrics: options.threadMetrics,
  })
  const context: MailContext = {
    ...options,
    subkeys,
    threads,
    storageShares: new StorageShares({ store, health: () => options.storeHealth?.() }),
    guard: new MailboxGuard({ keys: subkeys, log, refused: options.mailboxRefused }),
    operatorNames: operatorLocalParts(config),
  }
  const storedMessages = new StoredMessages(store, config.memory.wholeReadsMax)
  const mailboxes = createMailboxes(context)
  const receiver = createReceiver(context)
  const inbox = createInbox(context)
  const reader = createMessageReader(context, storedMessages)
  const search = createMessageSearch(context, reader.readMatching)
  const attachments = createAttachments(context, storedMessages)
  const deliveryProgress = createDeliveryProgress(store)
  const closing = new AbortController()
  const expiry = runExpiry(store, closing.signal, log)

  return {
    createAddress: mailboxes.createAddress,
    openMailbox: mailboxes.openMailbox,
    destroyMailbox: mailboxes.destroyMailbox,
    destroyAddress: mailboxes.destroyAddress,

    checkRecipient: receiver.checkRecipient,
    receive: receiver.receive,
    plainText: async (raw, envelopeFrom) => (await threads.run('plainText', { envelopeFrom }, [raw])).value,

    listMessages: inbox.listMessages,
    changesSince: inbox.changesSince,
    watch: (mailboxId, signal) => store.watch(mailboxId, signal),
    publishDeliveryProgress: deliveryProgress.publishDeliveryProgress,
    watchDeliveryProgress: deliveryProgress.watchDeliveryProgress,

    readMessage: reader.readMessage,
    findMessage: search.findMessage,
    readRaw: reader.readRaw,
    removeMessage: reader.removeMessage,

    readAttachment: attachments.readAttachment,
    createAttachmentLink: attachments.createAttachmentLink,
    openAttachmentLink: attachments.openAttachmentLink,

    async [Symbol.asyncDispose]() {
      closing.abort()
      await expiry
      await threads[Symbol.asyncDispose]()
    },
  }
}
