/** The exports of `mayfly-client`. Only a `Mayfly` creates mailboxes and messages, so those are exported as types. */
export type { ApiMailbox, MessageSummary, PlannedFailure } from '../contract/mailbox.ts'
export type { Webhook, WebhookCreated, WebhookTested } from '../contract/notifications.ts'
export type { CheckedImage, CheckedLink, CheckedMessage, Problem, ProblemKind, UnsupportedFeature } from './check-content.ts'
export {
  type IgnoredMessage,
  MailboxExpiredError,
  MailTimeoutError,
  MayflyError,
  type MayflyErrorCode,
  UnexpectedMailError,
} from './errors.ts'
export type { Link } from './links-and-codes.ts'
export type { Mailbox } from './mailbox.ts'
export { Mayfly } from './mayfly.ts'
export type { Attachment, Message } from './message.ts'
export type {
  CheckOptions,
  CreateMailboxesOptions,
  CreateMailboxOptions,
  LiveOptions,
  MayflyOptions,
  MessageFilter,
  NoMailOptions,
  StartOptions,
  WaitOptions,
} from './options.ts'
export { type StartedMayfly, start } from './start/start.ts'
export { verifyWebhook, type WebhookEvent, type WebhookHeaders, type Webhooks } from './webhooks.ts'
