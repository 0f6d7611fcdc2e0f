/** Tests whether the cost of a parser grows linearly, with the same kind of input at doubling sizes and the fastest of several runs. */

/** `make(size)` returns an input of about `size` characters that is hard in its own way; `read` is the parser, and may return a promise. */
export type Grammar = {
  readonly name: string
  readonly shapes: readonly { readonly name: string; make(size: number): string }[]
  read(text: string): unknown
}

type Growth = {
  readonly shape: string
  readonly sizes: readonly number[]
  readonly leastMs: readonly number[]
  /** The cost of the largest size divided by that of the smallest, in the last try. */
  readonly growth: number
  readonly isLinear: boolean
}

const DOUBLINGS = 3
/** Over all doublings a linear parser grows 8-fold, n log n about 10-fold, and a quadratic one 64-fold. Under load 8 can look like 25. */
const GROWTH_MAX = 30
/** The smallest size takes at least this long, because a shorter time only measures the clock. */
const BASE_MS = 0.4
/** Above this the input no longer grows: a parser that is fast enough here is also limited by the size of a mail. */
const SIZE_MAX = 4 * 1024 * 1024
/** A parser so cheap at the largest size is no danger, and of megabytes the memory costs more than the parser. */
const CHEAP_MS_PER_CHARACTER = 1e-4
const RUNS = 7
/** So far below the limit, these runs are enough. */
const CLEAR_GROWTH = 12
const CLEAR_RUNS = 3
/** Other work on the machine can make one size look expensive, but not in every try. */
const TRIES = 6

/** Longer than the time for which a busy system lets one process run, and than the ticks in which many kernels count CPU time. */
const LONG_MS = 50

/**
 * Milliseconds of elapsed time, for work so short that it often runs undisturbed: the fastest of several runs is its cost. Longer work is
 * interrupted in each of them when others want the processor, and costs its CPU time.
 */
async function measureMs(work: () => unknown): Promise<number> {
  const [before, cpuBefore] = [performance.now(), process.threadCpuUsage()]
  await work()
  const elapsedMs = performance.now() - before
  const { user, system } = process.threadCpuUsage(cpuBefore)
  return elapsedMs < LONG_MS ? elapsedMs : Math.min(elapsedMs, (user + system) / 1000)
}

/**
 * Finds a size whose cost can be measured and that can still be doubled three times. Uses the fastest of three runs, because disturbances
 * only add time.
 */
async function baseSize(read: (text: string) => unknown, make: (size: number) => string, from: number): Promise<number> {
  for (let size = from; ; size *= 2) {
    let leastMs = Number.POSITIVE_INFINITY
    for (let run = 0; run < 3; run++) leastMs = Math.min(leastMs, await measureMs(() => read(make(size))))
    if (leastMs >= BASE_MS || size * 2 ** (DOUBLINGS + 1) > SIZE_MAX) return size
  }
}

/** The fastest time of each size. The sizes take turns, so that disturbances affect all of them. */
async function leastCosts(read: (text: string) => unknown, texts: readonly string[]): Promise<number[]> {
  const least = texts.map(() => Number.POSITIVE_INFINITY)
  for (let run = 0; run < RUNS && !(run >= CLEAR_RUNS && growthOf(least) < CLEAR_GROWTH); run++) {
    for (const [index, text] of texts.entries()) least[index] = Math.min(least[index] ?? 0, await measureMs(() => read(text)))
  }
  return least
}

function growthOf(leastMs: readonly number[]): number {
  return (leastMs.at(-1) ?? 0) / Math.max(leastMs[0] ?? 0, BASE_MS / 4)
}

export async function measureGrowth({ shapes, read }: Grammar, startSize = 2048): Promise<Growth[]> {
  const all: Growth[] = []
  for (const { name, make } of shapes) {
    for (let warm = 0; warm < 3; warm++) await read(make(startSize))
    let last: Growth | undefined
    for (let attempt = 0; attempt < TRIES && !last?.isLinear; attempt++) {
      // The last tries have inputs of another size: where the collector of memory takes a step, all that is larger is dearer, once.
      const found = await baseSize(read, make, startSize)
      const other = found * 2 ** (DOUBLINGS + 1) > SIZE_MAX ? found / 2 : found * 2
      const base = attempt < TRIES - 2 ? found : other
      const sizes = Array.from({ length: DOUBLINGS + 1 }, (_, doubling) => base * 2 ** doubling)
      const leastMs = await leastCosts(read, sizes.map(make))
      const growth = growthOf(leastMs)
      const isCheap = (leastMs.at(-1) ?? 0) < (sizes.at(-1) ?? 0) * CHEAP_MS_PER_CHARACTER
      last = { shape: name, sizes, leastMs, growth, isLinear: isCheap || growth < GROWTH_MAX }
    }
    if (!last) throw new Error('no measurement was made')
    all.push(last)
  }
  return all
}

export function describeGrowth(grammar: string, { shape, sizes, leastMs, growth, isLinear }: Growth): string {
  const figures = leastMs.map(ms => ms.toFixed(1)).join(', ')
  return `${isLinear ? 'linear    ' : 'NOT LINEAR'} ${grammar}, ${shape}: ${figures} ms at ${sizes[0]} to ${sizes.at(-1)} characters, ${growth.toFixed(1)}-fold`
}
