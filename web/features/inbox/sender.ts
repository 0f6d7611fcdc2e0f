import type { MessageSummary } from '#contract/mailbox.ts'

/** The name a mail gives itself, else its address; both are the sender's own words. */
export function senderName(message: Pick<MessageSummary, 'from'>, texts: { noSender: string }): string {
  return message.from.name || message.from.address || texts.noSender
}
