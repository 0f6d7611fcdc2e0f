/** CPU and memory of another process and of all that it has started, from /proc. Linux only. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

const CLOCK_TICKS_PER_SECOND = 100
/** Fields of proc_pid_stat(5), counted from the state, which follows the name. */
const [PARENT, USER_TICKS, CHILDREN_SYSTEM_TICKS] = [1, 11, 14]

export class ProcessUsage {
  readonly #pid: number

  constructor(pid: number) {
    this.#pid = pid
  }

  /** Milliseconds of all threads since their start, of processes that have ended too. */
  cpuMs(): number {
    const ticks = [...this.#tree().values()].flatMap(fields => fields.slice(USER_TICKS, CHILDREN_SYSTEM_TICKS + 1).map(Number))
    return (ticks.reduce((sum, each) => sum + each, 0) * 1000) / CLOCK_TICKS_PER_SECOND
  }

  /** Resident memory now. What several processes share counts once. */
  rssMib(): number {
    const pids = [...this.#tree().keys()]
    if (pids.length === 1) return this.#mib('status', 'VmRSS')
    return pids.reduce((sum, pid) => sum + this.#mib('smaps_rollup', 'Pss', pid), 0)
  }

  /** The peak since the start or `forgetPeak`, without other processes. */
  peakMib(): number {
    return this.#mib('status', 'VmHWM')
  }

  forgetPeak(): void {
    writeFileSync(`/proc/${this.#pid}/clear_refs`, '5')
  }

  /** The fields of the process and of all below it, by their id. */
  #tree(): Map<number, string[]> {
    const root = readStat(this.#pid)
    if (!root) throw new Error(`process ${this.#pid} has ended`)
    const tree = new Map([[this.#pid, root]])
    const others = new Map(
      readdirSync('/proc')
        .filter(name => /^\d+$/.test(name))
        .map(name => [Number(name), readStat(Number(name))] as const),
    )
    // Processes that are added on the way are visited too.
    for (const parent of tree.keys()) {
      for (const [pid, fields] of others) if (fields && Number(fields[PARENT]) === parent) tree.set(pid, fields)
    }
    return tree
  }

  #mib(file: string, field: string, pid = this.#pid): number {
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(read(pid, file) ?? '')?.[1] ?? 0) / 1024
  }
}

function readStat(pid: number): string[] | undefined {
  const text = read(pid, 'stat')
  // The name may contain anything.
  return text?.slice(text.lastIndexOf(')') + 2).split(' ')
}

/** `undefined` if the process has ended. */
function read(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}
