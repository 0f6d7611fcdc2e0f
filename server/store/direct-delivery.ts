/**
 * Mail that goes from the thread that encrypts it straight to the store's own thread. Only a store with a thread in this process has this
 * way; it saves every mail two changes of thread.
 */
import type { ExpectedRequest, PeerConnection, PeerRequest, Pieces } from '#server/platform/threads/batch.ts'
import type { MailboxId, MessageId, Quota, StoreResult } from './store.ts'

export interface DirectDelivery {
  /** Connects a thread that encrypts mail. */
  connect(): PeerConnection
  /**
   * Like `MailStore.deliver`, for a message that a connected thread sends: see `addMessage`. A mailbox that expires meanwhile may still get
   * it.
   */
  expect(mailboxId: MailboxId, receivedAt: number, quota: Quota, expiresAt?: number): ExpectedMessage
}

export type ExpectedMessage = {
  /** For the thread that encrypts the message. */
  readonly request: ExpectedRequest
  readonly result: Promise<StoreResult>
  /** Call it if no message is sent. */
  readonly cancel: () => void
}

/** Completes the request in the thread that encrypts the message. */
export function addMessage(request: ExpectedRequest, messageId: MessageId, sealedSummary: Pieces, sealedRaw: Pieces): PeerRequest {
  return { ...request, args: [...request.args, messageId], bytes: [sealedSummary, sealedRaw] }
}
