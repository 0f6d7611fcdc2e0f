import { Resolver } from 'node:dns/promises'
import { reversedLabels } from './ip-address.ts'

const TIMEOUT_MS = 3000
const ABSENT = new Set(['ENOTFOUND', 'ENODATA'])

export type NameServer = ReturnType<typeof createNameServer>

/** Rejects if no server responded; empty if there is no such record. */
async function orNone<T>(asking: Promise<T[]>): Promise<T[]> {
  try {
    return await asking
  } catch (error) {
    if (error instanceof Error && 'code' in error && ABSENT.has(String(error.code))) return []
    throw error
  }
}

/** DNS for the doctor, commands, domains and certificates. A missing record is a value; no response is an error. */
export function createNameServer(servers: readonly string[]) {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 1 })
  if (servers.length > 0) resolver.setServers([...servers])
  return {
    /** Best first. */
    async exchanges(domain: string) {
      const records = await orNone(resolver.resolveMx(domain))
      return records.toSorted((one, other) => one.priority - other.priority).map(({ exchange }) => exchange)
    },
    async addresses(host: string) {
      const found = await Promise.all([orNone(resolver.resolve4(host)), orNone(resolver.resolve6(host))])
      return found.flat()
    },
    // Not `reverse`, which also reads /etc/hosts, a file that senders do not see.
    names(address: string) {
      const { labels, isIpv4 } = reversedLabels(address)
      return orNone(resolver.resolvePtr(`${labels}.${isIpv4 ? 'in-addr' : 'ip6'}.arpa`))
    },
    texts: async (name: string) => (await orNone(resolver.resolveTxt(name))).map(parts => parts.join('')),
    /** Whether anything has this name or one below it (RFC 8020). */
    exists: (name: string): Promise<boolean> =>
      resolver.resolveTxt(name).then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          if (ABSENT.has(error.code ?? '')) return error.code === 'ENODATA'
          throw error
        },
      ),
  }
}
