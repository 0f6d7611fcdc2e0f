/** Divides this process's memory among what clients can fill. The rest takes about 200 MB under load: lab/docs/measurements.md. */
import { totalmem } from 'node:os'
import { MIB } from '#contract/limits.ts'

type MemoryBudget = {
  /** The memory of the machine, or of the control group (container, systemd unit) if that is less. */
  readonly limitBytes: number
  /** Mail in flight: messages being received, and the encrypted copies of those that were. */
  readonly arrivingBytesMax: number
  readonly copiesBytesMax: number
  /** Responses that clients have not read yet. */
  readonly responseBytesMax: number
  /** Whole messages being read at once: each takes up to four times its size. */
  readonly wholeReadsMax: number
}

const IN_FLIGHT = { bytesMin: 64 * MIB, bytesMax: 256 * MIB } as const
const RESPONSES = { bytesMin: 32 * MIB, bytesMax: 256 * MIB } as const
const COPIES_BYTES_MAX = 64 * MIB
/** Smaller copies never wait, so no memory is set aside for them. */
const IN_FLIGHT_WITH_COPIES_BYTES_MIN = 4 * MIB
const WHOLE_READS_MAX = 4
const BYTES_PER_WHOLE_READ = 256 * MIB
const USUAL_BYTES = 2048 * MIB

/**
 * The memory limit of this process. Node reads the control group's limit, version 1 and 2; without one it returns 0 or an absurd number.
 */
export function memoryLimitBytes(): number {
  const constrained = process.constrainedMemory()
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
}

/** `inFlightBytesMax`: for tests; derived from the limit if left out. */
export function divideMemory(limitBytes: number, messageBytesMax: number, inFlightBytesMax?: number): MemoryBudget {
  const derived = Math.max(within(limitBytes / 4, IN_FLIGHT), 2 * messageBytesMax)
  const inFlight = inFlightBytesMax ?? derived
  const copies = inFlight < IN_FLIGHT_WITH_COPIES_BYTES_MIN ? inFlight : Math.min(COPIES_BYTES_MAX, Math.floor(inFlight / 4))
  const arriving = inFlight < IN_FLIGHT_WITH_COPIES_BYTES_MIN ? inFlight : Math.max(inFlight - copies, messageBytesMax)
  return {
    limitBytes,
    arrivingBytesMax: arriving,
    copiesBytesMax: copies,
    responseBytesMax: within(limitBytes / 8, RESPONSES),
    wholeReadsMax: Math.min(WHOLE_READS_MAX, Math.max(1, Math.floor(limitBytes / BYTES_PER_WHOLE_READ))),
  }
}

/** True if there is less memory than every part would usually get. */
export const isMemoryTight = ({ limitBytes }: MemoryBudget): boolean => limitBytes < USUAL_BYTES

/** For the log at the start and for `doctor`. */
export function describeMemory({ limitBytes, arrivingBytesMax, copiesBytesMax, responseBytesMax, wholeReadsMax }: MemoryBudget): string {
  const mib = (bytes: number) => `${Math.floor(bytes / MIB)} MiB`
  return (
    `Of ${mib(limitBytes)} of memory, mail being received may take ${mib(arrivingBytesMax)}, sealed copies ${mib(copiesBytesMax)} ` +
    `and responses ${mib(responseBytesMax)}; whole messages read at once: ${wholeReadsMax}.`
  )
}

function within(bytes: number, { bytesMin, bytesMax }: { readonly bytesMin: number; readonly bytesMax: number }): number {
  return Math.floor(Math.min(bytesMax, Math.max(bytesMin, bytes)))
}
