/** Computes cores, memory, shards and network from messages per second and measured costs (lab/docs/measurements.md, docs/scaling.md). */

/**
 * CPU-µs of a Mayfly process, over all its threads. A message includes SMTP, MIME, encryption, the store's client and the event. Measured
 * by `npm run lab -- processes`.
 */
export const COSTS = {
  processMicros: { message: 1060, mailbox: 1300, stream: 1550 },
  /** CPU-µs of the masters. The message's is of `processes` under load, the others are of `cluster-costs`. */
  engineMicros: { message: 90, mailbox: 18, stream: 5 + 15 },
  /** CPU-µs per second of each master for a process that only checks its health, rounded up. Measured by `npm run lab -- cluster-costs`. */
  idleMicros: 90,
  /** Memory of a master for a mailbox, and for a message of 4 kB in it. The replica needs as much again. */
  memoryBytes: { mailbox: 1490, message: 6000 },
  /** Bytes on the network: the mail with its SMTP commands, encrypted to a master, and on to its replica. */
  networkBytes: { message: 4700 + 2 * 6000 },
} as const

/** One message of four goes to a new mailbox, because such addresses are made for confirmation mails. */
const MAILBOXES_PER_MESSAGE = 0.25
const LIFETIME_SECONDS = 600
/** Above this, waits grow faster than load (queueing theory, M/M/1: at 60 % a request waits 1.5 times its own work). */
const BUSY_SHARE_MAX = 0.6
/** A process has one main thread for sockets, and mail threads. With more cores than this, the main thread is the bottleneck. */
const CORES_PER_PROCESS = 2
const SHARDS_MIN = 3

export type Shape = 'ordinary' | 'codes' | 'flood'
type DayShape = { readonly description: string; readonly hours: readonly number[]; readonly worstMinute: (hour: number) => number }

/** The share of each hour in the mean, and how far the worst minute of an hour exceeds that hour. */
export const dayShapes: Readonly<Record<Shape, DayShape>> = {
  ordinary: {
    description: 'quiet nights, a morning and an evening peak of one continent; mailings at the full hour double a minute',
    hours: [
      0.42, 0.33, 0.28, 0.26, 0.3, 0.45, 0.7, 1.02, 1.38, 1.55, 1.52, 1.42, 1.3, 1.36, 1.42, 1.4, 1.33, 1.27, 1.25, 1.3, 1.28, 1.1, 0.8,
      0.56,
    ],
    worstMinute: () => 2,
  },
  codes: {
    description: 'sign-ups and one-time codes: they follow people, with no mailings at the hour',
    hours: [
      0.55, 0.4, 0.3, 0.25, 0.25, 0.35, 0.6, 0.9, 1.1, 1.2, 1.25, 1.3, 1.35, 1.3, 1.25, 1.25, 1.3, 1.4, 1.55, 1.65, 1.6, 1.4, 1.0, 0.75,
    ],
    worstMinute: () => 1.3,
  },
  flood: {
    description: 'an ordinary day, and from 14:00 to 15:00 ten times as much from many networks',
    hours: [
      0.42, 0.33, 0.28, 0.26, 0.3, 0.45, 0.7, 1.02, 1.38, 1.55, 1.52, 1.42, 1.3, 1.36, 14.2, 1.4, 1.33, 1.27, 1.25, 1.3, 1.28, 1.1, 0.8,
      0.56,
    ],
    worstMinute: hour => (hour === 14 ? 1.5 : 2),
  },
}

export type Demand = {
  readonly messagesPerSecond: number
  readonly peakPerSecond: number
  /** In the worst minute. */
  readonly processCores: number
  readonly engineCores: number
  readonly memoryBytes: number
  readonly networkBits: number
}

export function demandAt(meanPerSecond: number, shape: DayShape, hour: number): Demand {
  const messagesPerSecond = meanPerSecond * (shape.hours[hour] ?? 1)
  const peakPerSecond = messagesPerSecond * shape.worstMinute(hour)
  const perMessage = ({ message, mailbox, stream }: Readonly<Record<'message' | 'mailbox' | 'stream', number>>) =>
    message + MAILBOXES_PER_MESSAGE * (mailbox + stream)
  const { memoryBytes, networkBytes } = COSTS
  return {
    messagesPerSecond,
    peakPerSecond,
    processCores: (peakPerSecond * perMessage(COSTS.processMicros)) / 1e6,
    engineCores: (peakPerSecond * perMessage(COSTS.engineMicros)) / 1e6,
    // Everything that arrived within one lifetime, by the hour, because a lifetime is short compared with it.
    memoryBytes: messagesPerSecond * LIFETIME_SECONDS * (memoryBytes.message + MAILBOXES_PER_MESSAGE * memoryBytes.mailbox),
    networkBits: peakPerSecond * networkBytes.message * 8,
  }
}

export type Machines = {
  readonly processCores: number
  readonly processes: number
  readonly shards: number
  /** What each master spends on the processes when they do nothing. */
  readonly idleShare: number
  readonly memoryBytes: number
  readonly networkBits: number
}

/** What the worst minute of the day needs if no core is busier than `BUSY_SHARE_MAX`. */
export function sizeFor(hours: readonly Demand[]): Machines {
  const most = (of: (demand: Demand) => number) => Math.max(...hours.map(of))
  const processCores = Math.ceil(most(({ processCores }) => processCores) / BUSY_SHARE_MAX)
  const processes = Math.ceil(processCores / CORES_PER_PROCESS)
  const idleShare = (processes * COSTS.idleMicros) / 1e6
  return {
    processCores,
    processes,
    shards: Math.max(SHARDS_MIN, Math.ceil(most(({ engineCores }) => engineCores) / (BUSY_SHARE_MAX - idleShare))),
    idleShare,
    memoryBytes: most(({ memoryBytes }) => memoryBytes),
    networkBits: most(({ networkBits }) => networkBits),
  }
}
