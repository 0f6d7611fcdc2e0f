/** The thread that checks signatures and queries DNS, so that neither delays the main thread. */
import { Resolver } from 'node:dns/promises'
import { createBlocklists } from '#server/platform/net/dns-blocklists.ts'
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
  const resolver = new Resolver({ timeout: dnsTimeoutMs, tries: 1 })
  if (dnsServers.length > 0) resolver.setServers(dnsServers)
  const resolve = (domain: string, type: string) => resolver.resolve(domain, type) as Promise<string[]>
  const nowMs = () => performance.now()
  const listedOn = createBlocklists({ zones: blocklists, resolve: name => resolver.resolve4(name), nowMs })
  return {
    async authenticate(connection: AuthenticatedConnection, [{ raw }]: readonly [{ readonly raw: Uint8Array }]) {
      const [results, lists] = await Promise.all([readAuthentication(connection, raw, resolve), listedOn(connection.clientAddress)])
      return { value: lists.length > 0 ? { ...results, listedOn: lists } : results }
    },
  }
}
