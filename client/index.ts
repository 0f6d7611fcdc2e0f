/** The exports of `mayfly-client`. Only a `Mayfly` creates mailboxes and messages, so those are exported as types. */
export type { ApiMailbox, MessageSummary } from '../contract/mailbox.ts'
export { MailTimeoutError, MayflyError, type MayflyErrorCode } from './errors.ts'
export type { Mailbox } from './mailbox.ts'
export { Mayfly } from './mayfly.ts'
export type { Attachment, Message } from './message.ts'
export type { CreateMailboxOptions, LiveOptions, MayflyOptions, MessageFilter, StartOptions, WaitOptions } from './options.ts'
export { type StartedMayfly, start } from './start/start.ts'
