import type { Outbox } from '#server/outbound/outbox.ts'

/** Where messages to the operator are forwarded. Without a relay nowhere: the operator reads them with the command. */
export type Forwarding = { readonly outbox: Outbox; readonly to: string; readonly siteName: string }
