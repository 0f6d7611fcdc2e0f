import { createServer } from 'node:net'

/**
 * Below the ports that systems give to outgoing connections (Linux: from 32768), of which one could take a port between this look and the
 * start of its program.
 */
const PROGRAMS = { from: 30_000, count: 2700 }
/** The bus of a node is on the port so much above its own. */
const NODES = { from: 12_000, count: 8000, busAbove: 10_000 }
const given = new Set<number>()

/** A port of 127.0.0.1 on which nobody listens at this moment, for programs that cannot report their port. */
export function freePort(): Promise<number> {
  return pick(PROGRAMS, isFree)
}

/** One for a node of a cluster, whose bus has its port too. */
export function freeNodePort(): Promise<number> {
  return pick(NODES, async port => (await isFree(port)) && (await isFree(port + NODES.busAbove)))
}

async function pick({ from, count }: typeof PROGRAMS, isUsable: (port: number) => Promise<boolean>): Promise<number> {
  for (;;) {
    const port = from + Math.floor(Math.random() * count)
    if (given.has(port)) continue
    given.add(port)
    if (await isUsable(port)) return port
  }
}

/** Whether nobody listens on this port of 127.0.0.1 at this moment. */
export function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const probe = createServer().once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
