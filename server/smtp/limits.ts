/** Limits of the SMTP edge that no operator needs to know; the others are configuration. Tests cross each with smaller numbers. */
import { KIB } from '#contract/limits.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

/** `drainMs`: at shutdown, for messages that are on their way. */
export type SmtpLimits = Readonly<Record<keyof typeof SMTP_LIMITS | 'drainMs', number>>

export const SMTP_LIMITS = {
  /** RFC 5321 4.5.3.1.4 asks for 512 and room for extensions; long VERP senders need more. Beyond it the line is dropped. */
  commandLineBytesMax: 4 * KIB,
  /** A line without an end is not a mail program (10 MB without a newline). */
  overlongLineBytesMax: 64 * KIB,
  /** Wrong commands in one session. */
  errorsMax: 20,
  /** Unknown recipients in one session. */
  unknownRecipientsMax: 20,
  /** Commands since the start or the last delivered message. */
  commandsMax: 1000,
  /** RFC 5321 4.5.3.2.7: at least five minutes; counted per command, so that single bytes do not extend it. */
  commandMs: 5 * MINUTE,
  /** The same when more than half of all connections are in use. */
  commandStressedMs: 30 * SECOND,
  /** A session that delivers nothing ends after this time, even if it keeps sending commands. */
  fruitlessMs: 15 * MINUTE,
  /** One message, first to last byte. */
  dataMs: 30 * MINUTE,
  /** Over any window of this length a message must arrive at this rate, or the session ends and its memory is freed. 25 MiB over a 56k modem is fast enough. */
  dataBytesPerSecondMin: KIB,
  dataWindowMs: MINUTE,
  /** Messages up to this size may use the reserve of the memory for mail in flight. */
  smallMessageBytesMax: 256 * KIB,
  /** Connections one network may always have: mail servers of a large sender open about ten at once. */
  networkConnectionsMin: 10,
  /** Connections of one network that may use the reserve when all others are taken. */
  networkReservedConnectionsMax: 4,
  /** For the header of the PROXY protocol, which a proxy sends at once. */
  proxyHeaderMs: 5 * SECOND,
  /** How often the files of TLS_CERT and TLS_KEY are looked at: a renewal is shown within this time. */
  certificateLookMs: MINUTE,
  tlsHandshakeMs: 30 * SECOND,
  /** Replies that the peer has not read. */
  unreadRepliesMs: MINUTE,
  /** Time for our last reply to arrive before the socket is closed. */
  lingerMs: 2 * SECOND,
  /** How often deadlines are checked; every time-out here is this inexact. */
  sweepMs: SECOND,
  /** `Received:` fields before a message counts as looping (RFC 5321 6.3). */
  hopsMax: 100,
} as const satisfies Record<string, number>
