import type { SmtpLimits } from './limits.ts'

/** Samples per window. */
const SAMPLES = 8
type Sample = { readonly atMs: number; readonly bytes: number }

/**
 * Measures how fast a message arrives, over a sliding window. With an average since the start, a sender that begins fast could hold
 * megabytes of memory for hours by sending one byte per minute.
 */
export class ArrivalRate {
  readonly #samples: [Sample, ...Sample[]]

  constructor(startedMs: number) {
    this.#samples = [{ atMs: startedMs, bytes: 0 }]
  }

  /** `received`: bytes of the message so far. Whether they came too slowly; adds a sample, so call it several times per window. */
  sampleAndJudge(nowMs: number, received: number, limits: Pick<SmtpLimits, 'dataWindowMs' | 'dataBytesPerSecondMin'>): boolean {
    const { dataWindowMs, dataBytesPerSecondMin } = limits
    const samples = this.#samples
    if (nowMs - (samples.at(-1) ?? samples[0]).atMs >= dataWindowMs / SAMPLES) samples.push({ atMs: nowMs, bytes: received })
    while (samples[1] && nowMs - samples[1].atMs >= dataWindowMs) samples.shift()
    const [{ atMs, bytes }] = samples
    const tookMs = nowMs - atMs
    return tookMs >= dataWindowMs && received - bytes < (dataBytesPerSecondMin * tookMs) / 1000
  }
}
