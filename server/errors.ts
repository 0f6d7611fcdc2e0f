import type { ProblemCode } from '#contract/problems.ts'

/** An SMTP reply: RFC 5321 code, and the RFC 3463 enhanced code with the text. `{whom}` stands for the network whose share is used up. */
export type SmtpReply = readonly [code: number, text: string]
type Failure = { readonly title: string; readonly smtp?: SmtpReply }

/**
 * The failures of requests, with their titles, and with SMTP replies if mail can fail in the same way; `mailFailures` has those of mail
 * alone. The HTTP statuses are in contract/problems.ts. Clients never see the text of an exception: a title may be followed by a detail,
 * which is a fixed text written beside its use.
 */
export const failures = {
  invalid_request: { title: 'The request has invalid fields or headers.' },
  sign_in_required: { title: 'Sign in first.' },
  token_required: { title: 'Send the mailbox token as `Authorization: Bearer TOKEN`.' },
  api_token_required: { title: 'Send an API key or API token as `Authorization: Bearer KEY`.' },
  api_token_invalid: { title: 'This is not an API key or API token of this server.' },
  credentials_wrong: { title: 'Invalid email or password.' },
  passkey_refused: { title: 'This passkey does not open an account here. Sign in with your password, or confirm your email first.' },
  bot_check_failed: { title: 'The bot check did not pass. Ask for a new challenge and try again.' },
  forbidden: { title: 'This request is not allowed from here.' },
  proof_required: { title: 'Enter your password again, or use a passkey.' },
  email_not_confirmed: { title: 'Confirm your email address first. We have sent you a new link.' },
  account_suspended: { title: 'This account is suspended. Write to the operator.' },
  registration_closed: { title: 'No new accounts are accepted at the moment.' },
  network_blocked: { title: 'The operator has blocked your network. Write with the contact form.' },
  second_factor_required: { title: 'Enter the code of your authenticator app first.' },
  second_factor_wrong: { title: 'This code is wrong, or it was used before.' },
  not_found: { title: 'There is no such path.' },
  mailbox_not_found: { title: 'No such mailbox.', smtp: [550, '5.1.1 No such mailbox'] },
  message_not_found: { title: 'No such message.' },
  attachment_not_found: { title: 'No such attachment.' },
  link_expired: { title: 'This link is no longer valid. Ask for a new one.' },
  method_not_allowed: { title: 'This path does not support that method.' },
  local_part_taken: { title: 'This address is taken. Choose another.' },
  mailboxes_max: { title: 'This account has reached its number of live addresses. Delete one first.' },
  api_mailboxes_max: {
    title: 'This API key or API token has reached its number of live mailboxes. Destroy some, or all with DELETE /api/mailboxes.',
  },
  webhook_target_refused: { title: 'Webhooks are not sent to this address.' },
  webhooks_max: { title: 'The number of webhooks is reached. Remove one first.' },
  push_refused: { title: 'This server does not notify this browser.' },
  push_subscriptions_max: { title: 'The number of browsers that this mailbox notifies is reached. Turn one off first.' },
  idempotency_key_in_use: { title: 'A request with this Idempotency-Key is still being handled. Try again in a moment.' },
  /** Keep the words 'already registered': visitors search for them. */
  account_exists: { title: 'This email is already registered.' },
  api_keys_max: { title: 'This account has reached its number of API keys. Revoke one first.' },
  passkeys_max: { title: 'This account has reached its number of passkeys. Remove one first.' },
  passkeys_unavailable: { title: 'Passkeys do not work on this server. Sign in with your password.' },
  body_too_large: { title: 'The request body is too large.' },
  unsupported_media_type: { title: 'Send JSON with Content-Type: application/json.' },
  local_part_reserved: { title: 'This name is reserved. Choose another.' },
  domain_not_served: { title: 'This domain is not served here.', smtp: [550, '5.7.1 Relaying denied'] },
  email_not_allowed: { title: 'A temporary address cannot own an account. Use another address.' },
  idempotency_key_reused: { title: 'This Idempotency-Key was used for another request. Use a new one.' },
  rate_limited: { title: 'Too many requests. Wait and try again.' },
  streams_max: { title: 'Too many open event streams. Close one first.' },
  internal: {
    title: 'Something went wrong on our side. Try again.',
    smtp: [451, '4.3.0 Temporary failure; try again later'],
  },
  unavailable: {
    title: 'Unavailable at the moment. Try again soon.',
    smtp: [451, '4.3.0 Temporary failure; try again later'],
  },
  storage_full: {
    title: 'There is not enough space at the moment. Try again later.',
    smtp: [452, '4.3.1 Insufficient system storage; try again later'],
  },
} as const satisfies Record<ProblemCode, Failure>

/** Failures of mail only, without an HTTP status. */
export const mailFailures = {
  mailbox_full: [452, '4.2.2 Mailbox full; try again later'],
  message_too_large: [552, '5.3.4 Message too large'],
  too_many_recipients: [452, '4.5.3 Too many recipients; send the rest separately'],
  /** Some recipients are gone while others have the message: at the retry each recipient gets an exact reply. */
  partly_delivered: [451, '4.3.0 Not delivered to every recipient; try again'],
  memory_full: [452, '4.3.1 Too much mail in flight from {whom}; try again later'],
  mail_loop: [554, '5.4.6 Too many hops'],
} as const satisfies Record<string, SmtpReply>

export const MAIL_FAILURES = [
  ...(Object.keys(mailFailures) as (keyof typeof mailFailures)[]),
  ...(['mailbox_not_found', 'domain_not_served', 'storage_full', 'unavailable'] as const satisfies ProblemCode[]),
]
export type MailFailure = (typeof MAIL_FAILURES)[number]

/**
 * The other SMTP replies: RFC 5321 codes with RFC 3463 enhanced codes. 354 has none (RFC 2034 section 4). Besides these, the server sends
 * only the banner and the EHLO list, made of the host name and RFC keywords.
 */
export const protocolReplies = {
  ok: [250, '2.0.0 OK'],
  sender_ok: [250, '2.1.0 Sender OK'],
  recipient_ok: [250, '2.1.5 Recipient OK'],
  delivered: [250, '2.0.0 Delivered'],
  bye: [221, '2.0.0 Bye'],
  help: [214, '2.0.0 See RFC 5321'],
  not_verified: [252, '2.0.0 Not verified here; send the mail to find out'],
  ready_for_tls: [220, '2.0.0 Ready to start TLS'],
  start_mail: [354, 'End data with <CR><LF>.<CR><LF>'],
  unknown_command: [500, '5.5.2 Command not recognized'],
  bare_line_feed: [500, '5.5.2 Command lines end with CR LF'],
  line_too_long: [500, '5.5.2 Line too long'],
  bad_argument: [501, '5.5.4 Syntax error in argument'],
  bad_address: [501, '5.1.3 Syntax error in address'],
  bad_sender: [501, '5.1.7 Syntax error in sender address'],
  not_implemented: [502, '5.5.1 Command not implemented'],
  bad_sequence: [503, '5.5.1 Bad sequence of commands'],
  utf8_undeclared: [553, '5.6.7 This address needs SMTPUTF8'],
  no_recipients: [554, '5.5.1 No valid recipients'],
  not_smtp: [554, '5.5.1 This is a mail server'],
  network_blocked: [554, '5.7.1 Mail from your network is refused here'],
  sender_blocked: [550, '5.7.1 This sender is refused here'],
  recipient_blocked: [550, '5.7.1 Mail for this recipient is refused here'],
  unknown_parameter: [555, '5.5.4 Parameter not recognized'],
  fails_alone: [452, '4.5.3 An address that fails on purpose gets its mail alone; send the rest separately'],
  too_many_unknown_recipients: [450, '4.7.1 Too many unknown recipients from {whom}; try again later'],
  operator_mail_limit: [452, '4.7.1 Too much mail to the operator from {whom}; try again later'],
  too_many_errors: [421, '4.7.0 Too many errors'],
  too_many_commands: [421, '4.7.0 Too many commands without a message'],
  too_many_connections: [421, '4.7.0 Too many connections from {whom}; try again later'],
  proxy_not_named: [421, '4.7.0 PROXY protocol not accepted from your address'],
  proxy_header_missing: [421, '4.3.5 No PROXY header in front of this connection'],
  too_busy: [421, '4.3.2 Too busy; try again later'],
  shutting_down: [421, '4.3.2 Shutting down; try again soon'],
  timed_out: [421, '4.4.2 Timed out; try again later'],
} as const satisfies Record<string, SmtpReply>

/** Ends the reply to a path that cannot be read, after a colon. Nothing of the address is repeated. */
export const pathFaults = [
  'MAIL FROM:<address> is expected',
  'RCPT TO:<address> is expected',
  'the address is missing',
  '< is missing',
  '> is missing',
  'a blank is missing after >',
  'a blank needs quotes',
  'a name stands before the address',
  'the part before @ is missing',
  'the part before @ is too long',
  '@ and a domain are missing',
  'the domain is missing',
  'the domain is not valid',
  'it has control characters',
  'it is not UTF-8',
  'it is not an address',
] as const
export type PathFault = (typeof pathFaults)[number]

export type AppErrorOptions = { readonly cause?: unknown; readonly retryAfterSeconds?: number; readonly detail?: string }

/**
 * The only error that crosses layers. `cause` is logged and never shown to the client. Expected alternatives such as "not found" are return
 * values, not errors.
 */
export class AppError extends Error {
  readonly code: ProblemCode
  /** Whole seconds until a retry makes sense. */
  readonly retryAfterSeconds: number | undefined
  /** One plain sentence for the client, more exact than the title. */
  readonly detail: string | undefined

  constructor(code: ProblemCode, options: AppErrorOptions = {}) {
    super(code, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.retryAfterSeconds = options.retryAfterSeconds
    this.detail = options.detail
  }
}

/** `detail`: one plain sentence about what is valid. */
export const invalid = (detail: string) => new AppError('invalid_request', { detail })

/** A part of the deployment is away, which is logged when it begins and when it ends: `createLog` leaves out what fails meanwhile. */
export class Outage extends AppError {}
