/** What every handler finds in its context. Read variables with `c.get`: `c.var` makes an object of all of them each time. */
import type { HttpBindings } from '@hono/node-server'
import type { Networks } from '#server/platform/net/ip-address.ts'
import type { ResponseBudget } from './connections/response-budget.ts'

export type HttpEnv = {
  Bindings: HttpBindings
  Variables: {
    /** The visitor's address, found by `clientIp`. Never log it. */
    clientIp: string
    /** The request uses the limits and shares of these. */
    networks: Networks
    responseBudget: ResponseBudget
  }
}
