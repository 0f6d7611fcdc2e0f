/** What the visitor reads for each failure code of the API, and for no answer at all. Every text names the remedy. */
import type { ProblemCode } from '#contract/problems.ts'

export const errors = {
  title: 'Error',
  network: 'No connection to the server. Check your network and try again.',
  invalid_request: 'Something in this request is not right. Check what you entered and try again.',
  sign_in_required: 'Please sign in to do this.',
  token_required: 'This address is no longer open in this browser.',
  bot_check_failed: 'CAPTCHA verification failed',
  forbidden: 'This is not allowed from here. Reload the page and try again.',
  not_found: 'There is nothing here. Reload the page and try again.',
  mailbox_not_found: 'This address no longer exists. Generate a new email to continue.',
  message_not_found: 'This message no longer exists.',
  attachment_not_found: 'This attachment no longer exists.',
  link_expired: 'This link has expired. Ask for a new one.',
  method_not_allowed: 'This is not possible here. Reload the page and try again.',
  local_part_taken: 'This name is taken. Choose another.',
  mailboxes_max: 'You have the most addresses an account can hold. Delete one to make room.',
  body_too_large: 'This is too large to send. Shorten it and try again.',
  unsupported_media_type: 'The server cannot read this. Reload the page and try again.',
  local_part_reserved: 'This name cannot be used. Choose another.',
  domain_not_served: 'This domain is not available. Choose another.',
  rate_limited: 'Too many requests. Wait a moment and try again.',
  streams_max: 'This inbox is open in too many tabs. Close one and reload.',
  internal: 'Something went wrong on our side. Please try again.',
  unavailable: 'The service is busy. Please try again in a moment.',
  account_exists: 'This email is already registered. Please sign in instead.',
  api_keys_max: 'You have the most API keys an account can hold. Revoke one to make room.',
  credentials_wrong: 'Email or password is not right. Check both and try again.',
  email_not_allowed: 'This email cannot be used for an account. Use another.',
  email_not_confirmed: 'Please confirm your email first: we have sent you a link.',
  storage_full: 'There is no room for this right now. Please try again later.',
} satisfies Record<ProblemCode | 'title' | 'network', string>

export type ErrorTexts = typeof errors
