/** Values that are measured, not counted: memory, event loop, disk. */
import { statfs } from 'node:fs/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Gauges } from '#contract/operator.ts'
import type { Outbox } from '#server/outbound/mail/outbox.ts'
import type { StoreHealth } from '#server/store/store.ts'

/** Shorter delays are not noticed, and each step wakes an idle process. */
const RESOLUTION_MS = 100
/** The delay shown is that of the last one or two minutes. */
const FRESH_MS = 60_000

type GaugeSources = {
  readonly dataDir: string
  readonly outbox: Outbox
  readonly health: () => StoreHealth
  readonly streams: () => number
}

/** Bytes free for the server's user; 0 if the folder cannot be read. */
export async function diskFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder).catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize
}

export function openGauges({ dataDir, outbox, health, streams }: GaugeSources): Disposable & { read(): Promise<Gauges> } {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  let since = performance.now()
  return {
    async read() {
      const loopDelayMs = Math.max(0, delay.percentile(99) / 1e6 - RESOLUTION_MS)
      if (performance.now() - since > FRESH_MS) {
        delay.reset()
        since = performance.now()
      }
      return {
        streams: streams(),
        mailboxes: health().mailboxes,
        memoryBytes: process.memoryUsage.rss(),
        loopDelayMs: Math.round(loopDelayMs * 10) / 10,
        diskFreeBytes: await diskFreeBytes(dataDir),
        queue: await outbox.waiting(),
      }
    },
    [Symbol.dispose]: () => void delay.disable(),
  }
}
