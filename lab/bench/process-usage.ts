/** CPU and memory of another process, from /proc. Linux only. */
import { readFileSync, writeFileSync } from 'node:fs'

const CLOCK_TICKS_PER_SECOND = 100

export class ProcessUsage {
  readonly #pid: number

  constructor(pid: number) {
    this.#pid = pid
  }

  /** Milliseconds of all its threads since its start. */
  cpuMs(): number {
    const fields = readFileSync(`/proc/${this.#pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / CLOCK_TICKS_PER_SECOND
  }

  /** Resident memory now. */
  rssMib(): number {
    return this.#mib('VmRSS')
  }

  /** The peak since the start or `forgetPeak`. */
  peakMib(): number {
    return this.#mib('VmHWM')
  }

  forgetPeak(): void {
    writeFileSync(`/proc/${this.#pid}/clear_refs`, '5')
  }

  #mib(field: string): number {
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${this.#pid}/status`, 'utf8'))?.[1]) / 1024
  }
}
