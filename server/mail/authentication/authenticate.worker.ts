/** The thread that checks signatures and queries DNS, so that neither delays the main thread. */
import { Resolver } from 'node:dns/promises'
import { serveTasks } from '#server/threads/serve.ts'
import { type AuthenticatedConnection, authenticationVerdict } from './verdict.ts'

export type AuthenticationSettings = { readonly dnsServers: readonly string[]; readonly dnsTimeoutMs: number }
export type AuthenticationTasks = ReturnType<typeof createTasks>

serveTasks(createTasks)

function createTasks({ dnsServers, dnsTimeoutMs }: AuthenticationSettings) {
  const resolver = new Resolver({ timeout: dnsTimeoutMs, tries: 1 })
  if (dnsServers.length > 0) resolver.setServers(dnsServers)
  const resolve = (domain: string, type: string) => resolver.resolve(domain, type) as Promise<string[]>
  return {
    /** Bytes in: the raw message. */
    async verdict(connection: AuthenticatedConnection, [raw]: readonly Uint8Array[]) {
      return { value: await authenticationVerdict(connection, raw ?? new Uint8Array(0), resolve) }
    },
  }
}
