import { KIB } from '#contract/limits.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

/** `drainMs`: how long messages being received may take at shutdown. */
export type SmtpLimits = Readonly<Record<keyof typeof SMTP_LIMITS | 'drainMs', number>>

/** Limits that operators do not need to change; the others are in server/platform/config/. Tests cross each with smaller numbers. */
export const SMTP_LIMITS = {
  /** RFC 5321 4.5.3.1.4 requires 512 and room for extensions; long VERP senders need more. Longer lines are dropped. */
  commandLineBytesMax: 4 * KIB,
  /** Nothing that sends a line this long is a mail program. */
  overlongLineBytesMax: 64 * KIB,
  /** Recipients of one transaction; senders bring the others in another. */
  recipientsMax: 50,
  /** Invalid commands since the start or the last delivered message. The session ends, but not within a transaction. */
  errorsMax: 20,
  /** Unknown recipients since the same time. Between two transactions the session has less time then, and is not ended. */
  unknownRecipientsMax: 20,
  /** How long a transaction waits in all because its network named too many unknown recipients, before they are refused. */
  recipientsWaitMs: 5 * SECOND,
  /** Commands since the start or the last delivered message. A transaction with a recipient goes on, but takes no more of them. */
  commandsMax: 1000,
  /** How long each further command of that transaction waits for its reply. */
  commandDelayMs: 10,
  /** RFC 5321 4.5.3.2.7: at least five minutes. Counted per command, so that single bytes do not extend it. */
  commandMs: 5 * MINUTE,
  /** The same when more than half of all connections are in use, or after too many unknown recipients. */
  commandStressedMs: 30 * SECOND,
  /** A session that delivers nothing ends after this time, even if it keeps sending commands. */
  withoutDeliveryMs: 15 * MINUTE,
  /** For one message, from its first to its last byte. */
  dataMs: 30 * MINUTE,
  /** Minimum rate over any window of this length; a slower session ends and its memory is freed. A 56k modem is fast enough. */
  dataBytesPerSecondMin: KIB,
  dataWindowMs: MINUTE,
  /** When all connections are in use, a message that was slower than that since its start for longer than this may give way. */
  dataStalledMs: 5 * SECOND,
  /** Messages up to this size may use the reserve of the memory for mail in flight. */
  smallMessageBytesMax: 256 * KIB,
  /** Connections that a network may always have: mail servers of a large sender open about ten at once. */
  networkConnectionsMin: 10,
  /** Connections of one network that may use the reserve when all others are in use. */
  networkReservedConnectionsMax: 4,
  /** For the PROXY protocol header, which a proxy sends at once. */
  proxyHeaderMs: 5 * SECOND,
  /** How often the files of TLS_CERT and TLS_KEY are checked for changes. */
  certificateCheckMs: MINUTE,
  tlsHandshakeMs: 30 * SECOND,
  /** How long the client may leave replies unread. */
  unreadRepliesMs: MINUTE,
  /** How long the last reply may take to arrive before the socket is closed. */
  lingerMs: 2 * SECOND,
  /** How often time-outs are checked, and so how inexact they are. */
  deadlineCheckMs: SECOND,
  /** `Received:` fields that mean a mail loop (RFC 5321 6.3). */
  hopsMax: 100,
} as const satisfies Record<string, number>

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
