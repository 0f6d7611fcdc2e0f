import { createServer } from 'node:net'

/**
 * Below the ports that systems give to outgoing connections (Linux: from 32768), of which one could take a port between this look and the
 * start of its program, and above those of a cluster's nodes.
 */
const PORTS = { from: 30_000, count: 2700 }
const given = new Set<number>()

/** A port of 127.0.0.1 on which nobody listens at this moment, for programs that cannot report their port. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = PORTS.from + Math.floor(Math.random() * PORTS.count)
    if (given.has(port) || !(await isFree(port))) continue
    given.add(port)
    return port
  }
}

/** Whether nobody listens on this port of 127.0.0.1 at this moment. */
export function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const probe = createServer().once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
