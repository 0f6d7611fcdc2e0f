export const mailbox = {}

export type MailboxTexts = typeof mailbox
