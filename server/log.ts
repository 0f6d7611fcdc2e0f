import pino from 'pino'

/** A log line never holds an address, a token, a subject or content; identifiers of mail stay out too. */
export type Log = Pick<pino.Logger, 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal'>

/** JSON lines on stdout. `level`: pino's names, plus `silent`. */
export function createLog(level: string): Log {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: pino.stdSerializers.err } })
}
