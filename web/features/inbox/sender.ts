import type { MessageSummary } from '#contract/mailbox.ts'

/** The sender's display name, else the address; both are chosen by the sender. */
export function senderName(message: Pick<MessageSummary, 'from'>, texts: { noSender: string }): string {
  return message.from.name || message.from.address || texts.noSender
}
