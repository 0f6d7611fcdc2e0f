/** What every handler finds on its context. */
import type { HttpBindings } from '@hono/node-server'
import type { ShareBudget } from '#server/limiter/share-budget.ts'

/** Bytes of responses that are not read yet. */
export type ResponseBudget = { readonly shares: ShareBudget; readonly perNetworkMax: number }

export type HttpEnv = {
  Bindings: HttpBindings
  Variables: {
    /** The visitor's address as `clientIp` works it out; never log it. */
    clientIp: string
    /** What limits are keyed by: the IPv4 address or the IPv6 /64. */
    network: string
    responseBudget: ResponseBudget
  }
}
