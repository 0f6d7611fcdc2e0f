/** A server on a cluster that something happens to, and what its tests ask of it. */
import { routes } from '#contract/routes.ts'
import { examineCluster } from '#server/store/valkey/examine-cluster.ts'
import { type Address, createAddress } from '../clients/mailbox-client.ts'
import { tryDelivery } from '../clients/smtp-client.ts'
import { OWN_ACCOUNTS } from '../heard-log.ts'
import { startServerProcess } from './start-server-process.ts'

export type ClusterServer = Awaited<ReturnType<typeof startClusterServer>>

/** `env` goes over one without bot check, DNS and limits of networks. `allowLog`: beside what each process with its own accounts says. */
export async function startClusterServer(url: string, env: Readonly<Record<string, string>> = {}, allowLog: readonly RegExp[] = []) {
  const shared = { MAIL_STORE_URL: url, SECRET: 'one secret for all processes of this test', BOT_CHECK: 'off', DNS_SERVERS: 'off' }
  const server = await startServerProcess({
    env: { ...shared, NETWORK_LIMIT_FACTOR: '100000', ...env },
    allowLog: [OWN_ACCOUNTS, ...allowLog],
  })
  const ask = (path: string) => fetch(`http://127.0.0.1:${server.httpPort}${path}`)
  const create = () => createAddress(server.httpPort)
  /** Resolves to the code that its sender gets. */
  const send = ({ email }: Pick<Address, 'email'>, subject = 'one') =>
    tryDelivery(server.smtpPort, email, `Subject: ${subject}\r\n\r\nHello.\r\n`)
  return {
    ...server,
    ask,
    readiness: async () => (await ask(routes.readyz)).json(),
    /** The messages of its log, from this length of its output on. */
    messages: (from = 0) =>
      server
        .output()
        .slice(from)
        .split('\n')
        .flatMap(line => (line.startsWith('{') ? [(JSON.parse(line) as { msg: string }).msg] : [])),
    create,
    /** So many that some are in the shard of any one node. */
    createMany: () => Array.fromAsync({ length: 40 }, create),
    send,
    /** Resolves to the codes that came. */
    sendToAll: async (addresses: readonly Address[]) => new Set(await Promise.all(addresses.map(address => send(address)))),
  }
}

/** What the doctor says of a cluster, each sentence with its remedy. `status`: only of these findings. */
export async function examine(url: string, status?: 'failure', cluster: { replicas?: 'auto' | 0; isSynced?: boolean } = {}) {
  const found = await examineCluster({ urls: url.split(','), replicas: 'auto', isSynced: false, ...cluster })
  return found
    .filter(finding => status === undefined || finding.status === status)
    .map(({ sentence, remedy = '' }) => `${sentence} ${remedy}`.trimEnd())
}
