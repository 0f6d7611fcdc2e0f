import type { MailboxTexts } from '../en/mailbox.ts'

export const mailbox: MailboxTexts = {}
