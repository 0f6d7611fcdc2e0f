/** The thread that checks signatures and queries DNS, so that neither delays the main thread. */
import { getServers } from 'node:dns'
import type { Authentication } from '#contract/mailbox.ts'
import { createBlocklists } from '#server/platform/net/dns-blocklists.ts'
import { createDnsResolver } from '#server/platform/net/dns-resolver.ts'
import { serveTasks } from '#server/platform/threads/serve.ts'
import { type AuthenticatedConnection, cpuUsedBy, readAuthentication } from './authentication-results.ts'
import { holdingAnswers, rememberSilence } from './lookups.ts'
import type { ShownAuthors } from './shown-authors.ts'

export type AuthenticationSettings = {
  readonly dnsServers: readonly string[]
  readonly dnsTimeoutMs: number
  readonly blocklists: readonly string[]
}
export type AuthenticationTasks = ReturnType<typeof createTasks>
/** `isUnsigned`: the bytes are not needed. `id`: for `end`. */
type Args = AuthenticatedConnection & { readonly id: number; readonly authors: ShownAuthors; readonly isUnsigned: boolean }

serveTasks(createTasks)

function createTasks({ dnsServers, dnsTimeoutMs, blocklists }: AuthenticationSettings) {
  const nowMs = () => performance.now()
  const servers = dnsServers.length > 0 ? dnsServers : getServers()
  const resolve = createDnsResolver({ servers, timeoutMs: dnsTimeoutMs, nowMs })
  const resolveForSenders = rememberSilence(resolve, nowMs)
  const addresses = async (name: string) => (await resolve(name, 'A')).map(String)
  const listedOn = createBlocklists(blocklists, addresses, nowMs)
  const endings = new Map<number, () => void>()
  return {
    /** `heldMs`: how long an unsigned mail of this author and connection has the same results. `usedMs`: recent CPU time of the network. */
    async authenticate({ id, authors, isUnsigned, ...connection }: Args, [{ raw }]: readonly [{ readonly raw: Uint8Array }]) {
      const { promise: ended, resolve: end } = Promise.withResolvers<void>()
      endings.set(id, end)
      try {
        const answers = holdingAnswers(resolveForSenders, nowMs, ended)
        const reading = readAuthentication(connection, isUnsigned ? authors : { ...authors, raw }, answers.resolve, { ended })
        const listing = Promise.race([listedOn(connection.clientAddress), ended.then(() => [])])
        const [results, lists] = await Promise.all([reading, listing])
        const value: Authentication = lists.length > 0 ? { ...results, listedOn: lists } : results
        // A check may run out of its own time although each answer came.
        const isWhole = !Object.values(results).includes('temperror')
        return { value: { results: value, heldMs: isWhole ? answers.heldMs() : 0, usedMs: cpuUsedBy(connection.clientAddress) } }
      } finally {
        endings.delete(id)
      }
    },
    /** The check was given up, or another mail needs its place: it ends with what it knows, and a temporary error for the rest. */
    end({ id }: { readonly id: number }) {
      endings.get(id)?.()
      return { value: undefined }
    },
  }
}
