/** Whether the cost of a parser grows with its input and not faster: the same shape at sizes that double, in CPU time of this thread. */

/** `make(size)` gives an input of about `size` characters that is hard in its own way; `read` is the parser. */
export type Grammar = {
  readonly name: string
  readonly shapes: readonly { readonly name: string; make(size: number): string }[]
  read(text: string): unknown
}

type Growth = {
  readonly shape: string
  readonly sizes: readonly number[]
  readonly cpuMs: readonly number[]
  /** The largest step of the last try: how many times the cost of one size is that of half the size. */
  readonly worstStep: number
  readonly isLinear: boolean
}

const DOUBLINGS = 3
/** A step above this is more than linear with noise: n log n makes 2.2 at these sizes, n² makes 4. */
const STEP_MAX = 2.5
/** The smallest size takes at least this long, or the clock and not the parser is measured. */
const BASE_CPU_MS = 2
/** Above this the input does not grow any more: a parser that is fast enough here is cut off by the limits of a mail anyway. */
const SIZE_MAX = 4 * 1024 * 1024
const RUNS = 5
/** A machine that is busy makes a step look steep now and then, never three times in a row. */
const TRIES = 3

function measureCpuMs(work: () => unknown): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** The fastest of a few: what disturbs only ever adds. */
function cost(read: (text: string) => unknown, text: string): number {
  return Math.min(...Array.from({ length: RUNS }, () => measureCpuMs(() => read(text))))
}

/** A size whose cost can be measured, and that can still be doubled three times. */
function baseSize(read: (text: string) => unknown, make: (size: number) => string, from: number): number {
  let size = from
  while (size * 2 ** (DOUBLINGS + 1) <= SIZE_MAX && measureCpuMs(() => read(make(size))) < BASE_CPU_MS) size *= 2
  return size
}

export function measureGrowth({ shapes, read }: Grammar, startSize = 2048): Growth[] {
  return shapes.map(({ name, make }) => {
    for (let warm = 0; warm < 3; warm++) read(make(startSize))
    let last: Growth | undefined
    for (let attempt = 0; attempt < TRIES && !last?.isLinear; attempt++) {
      const base = baseSize(read, make, startSize)
      const sizes = Array.from({ length: DOUBLINGS + 1 }, (_, doubling) => base * 2 ** doubling)
      const cpuMs = sizes.map(size => cost(read, make(size)))
      const steps = cpuMs.slice(1).map((ms, index) => ms / Math.max(cpuMs[index] ?? 0, BASE_CPU_MS / 2))
      // all three: one noisy size makes one step steep and the next one flat
      const isLinear =
        !steps.every(step => step > STEP_MAX) && (cpuMs.at(-1) ?? 0) / Math.max(cpuMs[0] ?? 0, BASE_CPU_MS / 2) < STEP_MAX ** DOUBLINGS
      last = { shape: name, sizes, cpuMs, worstStep: Math.max(...steps), isLinear }
    }
    if (!last) throw new Error('no measurement was made')
    return last
  })
}

export function describeGrowth(grammar: string, { shape, sizes, cpuMs, worstStep, isLinear }: Growth): string {
  const figures = cpuMs.map(ms => ms.toFixed(1)).join(', ')
  return `${isLinear ? 'linear    ' : 'NOT LINEAR'} ${grammar}, ${shape}: ${figures} ms at ${sizes[0]} to ${sizes.at(-1)} characters, worst step ${worstStep.toFixed(1)}`
}
