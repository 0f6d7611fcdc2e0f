/** Routes of mailboxes and messages. */
import {
  apiMailboxesSchema,
  attachmentLinkSchema,
  attachmentViewSchema,
  createMailboxesSchema,
  createMailboxSchema,
  listMailboxesQuerySchema,
  listMessagesQuerySchema,
  mailboxCreatedSchema,
  mailboxesCreatedSchema,
  mailboxesDestroyedSchema,
  mailboxSchema,
  messageListSchema,
  messageSchema,
  waitQuerySchema,
} from '../mailbox.ts'
import { routes } from '../routes.ts'
import type { Route } from './route.ts'

export const createMailbox = {
  method: 'POST',
  path: routes.mailboxes,
  auth: 'optional',
  idempotent: true,
  body: createMailboxSchema,
  status: 201,
  response: mailboxCreatedSchema,
  problems: ['bot_check_failed', 'domain_not_served', 'local_part_reserved', 'local_part_taken', 'mailboxes_max', 'api_mailboxes_max'],
} as const satisfies Route

export const createMailboxes = {
  method: 'POST',
  path: routes.mailboxBatch,
  auth: 'api',
  idempotent: true,
  body: createMailboxesSchema,
  status: 201,
  response: mailboxesCreatedSchema,
  problems: ['domain_not_served', 'api_mailboxes_max'],
} as const satisfies Route

export const listMailboxes = {
  method: 'GET',
  path: routes.mailboxes,
  auth: 'api',
  query: listMailboxesQuerySchema,
  status: 200,
  response: apiMailboxesSchema,
} as const satisfies Route

export const destroyMailboxes = {
  method: 'DELETE',
  path: routes.mailboxes,
  auth: 'api',
  status: 200,
  response: mailboxesDestroyedSchema,
} as const satisfies Route

export const destroyMailboxById = {
  method: 'DELETE',
  path: routes.mailboxById,
  auth: 'api',
  status: 204,
  problems: ['mailbox_not_found'],
} as const satisfies Route

export const readMailbox = {
  method: 'GET',
  path: routes.mailbox,
  auth: 'mailbox',
  status: 200,
  response: mailboxSchema,
} as const satisfies Route

export const destroyMailbox = { method: 'DELETE', path: routes.mailbox, auth: 'mailbox', status: 204 } as const satisfies Route

export const listMessages = {
  method: 'GET',
  path: routes.messages,
  auth: 'mailbox',
  query: listMessagesQuerySchema,
  status: 200,
  response: messageListSchema,
} as const satisfies Route

export const readMessage = {
  method: 'GET',
  path: routes.message,
  auth: 'mailbox',
  status: 200,
  response: messageSchema,
  problems: ['message_not_found'],
} as const satisfies Route

export const removeMessage = {
  method: 'DELETE',
  path: routes.message,
  auth: 'mailbox',
  status: 204,
  problems: ['message_not_found'],
} as const satisfies Route

export const readRawMessage = {
  method: 'GET',
  path: routes.raw,
  auth: 'mailbox',
  status: 200,
  response: 'message',
  problems: ['message_not_found'],
} as const satisfies Route

export const readAttachment = {
  method: 'GET',
  path: routes.attachment,
  auth: 'mailbox',
  status: 200,
  response: 'bytes',
  problems: ['attachment_not_found'],
} as const satisfies Route

export const createAttachmentLink = {
  method: 'POST',
  path: routes.attachmentLink,
  auth: 'mailbox',
  status: 200,
  response: attachmentLinkSchema,
  problems: ['attachment_not_found'],
} as const satisfies Route

export const downloadAttachment = {
  method: 'GET',
  path: routes.download,
  query: attachmentViewSchema,
  status: 200,
  response: 'bytes',
  problems: ['link_expired', 'rate_limited'],
} as const satisfies Route

export const streamEvents = {
  method: 'GET',
  path: routes.events,
  auth: 'mailbox',
  status: 200,
  response: 'events',
  problems: ['streams_max'],
} as const satisfies Route

/** 204 when no message matched before the time-out. */
export const waitForMessage = {
  method: 'GET',
  path: routes.wait,
  auth: 'mailbox',
  query: waitQuerySchema,
  status: 200,
  response: messageSchema,
  problems: ['streams_max'],
} as const satisfies Route
