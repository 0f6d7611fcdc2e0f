import { createServer } from 'node:net'

/** A port of 127.0.0.1 on which nobody listens at this moment, for programs that cannot report their port. */
export function freePort(): Promise<number> {
  return listenOnce(0)
}

/** Whether nobody listens on this port of 127.0.0.1 at this moment. */
export async function isFree(port: number): Promise<boolean> {
  return listenOnce(port).then(
    () => true,
    () => false,
  )
}

function listenOnce(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(port, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => (address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port'))))
    })
  })
}
