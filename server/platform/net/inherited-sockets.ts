/**
 * Listening sockets that systemd opened (sd_listen_fds(3)). They outlive this process: who connects between two processes waits in the
 * kernel's queue for the next one instead of being refused.
 */
import { readFileSync, readlinkSync } from 'node:fs'
import { isIP } from 'node:net'
import { endianness } from 'node:os'
import { canonicalIp } from './ip-address.ts'

/** The first descriptor passed on (SD_LISTEN_FDS_START). */
const FIRST_DESCRIPTOR = 3
/**
 * Who connects while no process accepts waits in this queue. The system may cut it (net.core.somaxconn). Node
 * ignores `backlog` beside `fd`, and would shorten the queue to 511: it is an argument of `listen`.
 */
export const INHERITED_BACKLOG = 4096

type Inherited = {
  /** Port to descriptor. Empty when the process was started in any other way. */
  readonly sockets: ReadonlyMap<number, number>
  /** Sockets that listen elsewhere than the settings say, which would be ignored without a word. */
  readonly problems: readonly string[]
}

/** `hostOf`: where the settings want this port. */
export function inheritedSockets(env: Readonly<Record<string, string | undefined>>, hostOf: (port: number) => string): Inherited {
  const { LISTEN_PID, LISTEN_FDS } = env
  if (LISTEN_PID !== String(process.pid)) return { sockets: new Map(), problems: [] }
  const descriptors = Array.from({ length: Number(LISTEN_FDS) || 0 }, (_, index) => FIRST_DESCRIPTOR + index)
  const found = descriptors.flatMap(descriptor => listenersOf(descriptor).map(listener => ({ ...listener, descriptor })))
  const moved = found.filter(({ address, port }) => {
    const host = hostOf(port)
    return isIP(host) !== 0 && address !== canonicalIp(host)
  })
  return {
    sockets: new Map(found.map(({ port, descriptor }) => [port, descriptor])),
    problems: moved.map(
      ({ address, port }) =>
        `Port ${port} is to be at ${hostOf(port)}, and systemd listens at ${address}: run "mayfly setup" to write mayfly.socket again`,
    ),
  }
}

/** Node tells the port of a descriptor only once it accepts there, which would be too early. */
function listenersOf(descriptor: number): { port: number; address: string | undefined }[] {
  const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${descriptor}`))?.[1]
  const rows = ['tcp', 'tcp6'].flatMap(name => readFileSync(`/proc/self/net/${name}`, 'utf8').split('\n'))
  return rows.flatMap(row => {
    // sl local_address remote_address st tx:rx tr:when retrnsmt uid timeout inode
    const fields = row.trim().split(/\s+/)
    const [address = '', port = ''] = fields[1]?.split(':') ?? []
    if (inode === undefined || fields[9] !== inode) return []
    // The kernel writes each four bytes as one number of this machine's order.
    const bytes = Buffer.from(address, 'hex')
    if (endianness() === 'LE') bytes.swap32()
    const text = bytes.length === 4 ? bytes.join('.') : (bytes.toString('hex').match(/.{4}/g) ?? []).join(':')
    return [{ port: Number.parseInt(port, 16), address: canonicalIp(text) }]
  })
}
