/** The thread that checks signatures and queries DNS, so that neither delays the main thread. */
import { getServers } from 'node:dns'
import { createBlocklists } from '#server/platform/net/dns-blocklists.ts'
import { createDnsResolver } from '#server/platform/net/dns-resolver.ts'
import { serveTasks } from '#server/platform/threads/serve.ts'
import { type AuthenticatedConnection, readAuthentication } from './authentication-results.ts'

export type AuthenticationSettings = {
  readonly dnsServers: readonly string[]
  readonly dnsTimeoutMs: number
  readonly blocklists: readonly string[]
}
export type AuthenticationTasks = ReturnType<typeof createTasks>

serveTasks(createTasks)

function createTasks({ dnsServers, dnsTimeoutMs, blocklists }: AuthenticationSettings) {
  const nowMs = () => performance.now()
  const servers = dnsServers.length > 0 ? dnsServers : getServers()
  const resolve = createDnsResolver({ servers, timeoutMs: dnsTimeoutMs, nowMs })
  const addresses = async (name: string) => (await resolve(name, 'A')).map(String)
  const listedOn = createBlocklists(blocklists, addresses, nowMs)
  return {
    async authenticate(connection: AuthenticatedConnection, [{ raw }]: readonly [{ readonly raw: Uint8Array }]) {
      const [results, lists] = await Promise.all([readAuthentication(connection, raw, resolve), listedOn(connection.clientAddress)])
      return { value: lists.length > 0 ? { ...results, listedOn: lists } : results }
    },
  }
}
