/** What every handler finds on its context. */
import type { HttpBindings } from '@hono/node-server'

export type HttpEnv = {
  Bindings: HttpBindings
  Variables: {
    /** The visitor's address as `clientIp` works it out; never log it. */
    clientIp: string
    /** What limits are keyed by: the IPv4 address or the IPv6 /64. */
    network: string
  }
}
