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
  const [first, second] = [0, 1].map(skipped => createResolver(dnsServers, skipped, dnsTimeoutMs)) as [Resolver, Resolver]
  const resolve = (domain: string, type: string) =>
    first.resolve(domain, type).catch((error: unknown) => {
      if (isAnswer(error)) throw error
      return second.resolve(domain, type)
    }) as Promise<string[]>
  const nowMs = () => performance.now()
  const listedOn = createBlocklists({ zones: blocklists, resolve: name => first.resolve4(name), nowMs })
  return {
    async authenticate(connection: AuthenticatedConnection, [{ raw }]: readonly [{ readonly raw: Uint8Array }]) {
      const [results, lists] = await Promise.all([readAuthentication(connection, raw, resolve), listedOn(connection.clientAddress)])
      return { value: lists.length > 0 ? { ...results, listedOn: lists } : results }
    },
  }
}

/** Asks each server once, in their order, after the `skipped` first ones. */
function createResolver(dnsServers: readonly string[], skipped: number, timeout: number): Resolver {
  const resolver = new Resolver({ timeout, tries: 1 })
  const servers = dnsServers.length > 0 ? dnsServers : resolver.getServers()
  const start = skipped % Math.max(1, servers.length)
  if (servers.length > 0) resolver.setServers([...servers.slice(start), ...servers.slice(0, start)])
  return resolver
}

/** Whether it is certain that there is nothing. Node passes on SERVFAIL and REFUSED without asking the next server. */
function isAnswer(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOTFOUND' || error.code === 'ENODATA' || error.code === 'EBADNAME')
}
