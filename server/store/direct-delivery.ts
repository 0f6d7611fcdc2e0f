import type { ExpectedRequest, PeerConnection, PeerRequest, Pieces } from '#server/platform/threads/batch.ts'
import type { MailboxId, MessageId, Quota, StoreResult } from './store.ts'

/**
 * `MailStore.deliver` without its bytes on the main thread, for a store with a thread in this process; it saves every mail two changes of
 * thread. The main thread calls `expect` and gives the request to a mail thread with the message to encrypt. That thread completes it
 * (`addMessage`) and sends it to the store's thread, which runs it as a `deliver` and settles `result` in the main thread.
 */
export interface DirectDelivery {
  /** Connects a thread that encrypts mail. */
  connect(): PeerConnection
  /**
   * Like `MailStore.deliver`, for a message that a connected thread sends: see `addMessage`. A mailbox that expires meanwhile may still get
   * it.
   */
  expect(mailboxId: MailboxId, receivedAt: number, quota: Quota, expiresAt: number): ExpectedMessage
}

type ExpectedMessage = {
  /** For the thread that encrypts the message. */
  readonly request: ExpectedRequest
  readonly result: Promise<StoreResult>
  /** Call it if no message is sent. */
  readonly cancel: () => void
}

/** Completes the request in the thread that encrypts the message. */
export function addMessage(request: ExpectedRequest, messageId: MessageId, sealedSummary: Pieces, sealedRaw: Pieces): PeerRequest {
  return { ...request, args: { ...request.args, messageId }, bytes: [{ sealedSummary, sealedRaw }] }
}
