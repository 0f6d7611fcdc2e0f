import { stripVTControlCharacters } from 'node:util'
import pino from 'pino'
import { Outage } from '#server/errors.ts'

/** A log line never contains an address, token, subject or content, and no identifier of a mail. */
export type Log = Pick<pino.Logger, 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal'>

/**
 * Writes JSON lines to stdout, or to `output.json`. At a terminal it writes readable lines instead, without one per request unless `level`
 * is `debug` or `trace`. `level`: pino's names and `silent`.
 */
export function createLog(level: string, output: LogOutput = process.stdout.isTTY ? { terminal: process.stdout } : {}): Log {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: pino.stdSerializers.err }, hooks }
  const { terminal, json } = output
  if (json) return pino(options, { write: json })
  if (!terminal) return pino(options)
  const showRequests = level === 'debug' || level === 'trace'
  return pino(options, { write: line => void writeForPerson(line, terminal, showRequests) })
}

/** See `Outage`. */
const hooks: NonNullable<pino.LoggerOptions['hooks']> = {
  logMethod(args, method) {
    const [fields] = args as readonly unknown[]
    const err = typeof fields === 'object' && fields !== null && 'err' in fields ? fields.err : undefined
    if (!(err instanceof Outage)) method.apply(this, args)
  },
}

type LogOutput = { readonly terminal?: Terminal; readonly json?: (line: string) => unknown }
type Terminal = { write(text: string): unknown }
type LogLine = { level: number; time: string; msg: string; err?: { message?: string; stack?: string } }

function writeForPerson(json: string, terminal: Terminal, showRequests: boolean): void {
  const line: LogLine = JSON.parse(json)
  if (line.msg === REQUEST_MESSAGE && !showRequests) return
  terminal.write(`${formatForPerson(line)}\n`)
}

/**
 * Runs what it is given at most once in `everyMs`: neither a client nor an engine that fails may decide how long the log gets.
 */
export function createLogInterval(everyMs: number): (write: () => void) => void {
  let writtenAtMs = Number.NEGATIVE_INFINITY
  return write => {
    const nowMs = performance.now()
    if (nowMs - writtenAtMs < everyMs) return
    writtenAtMs = nowMs
    write()
  }
}

/** The message of the log line for each HTTP request. */
export const REQUEST_MESSAGE = 'request'

/** Formats `19:44:02 warn  The relay did not take a mail  attempts=2`, followed by an error's stack, indented. */
function formatForPerson({ level, time, msg, err, ...fields }: LogLine): string {
  const date = new Date(time)
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map(part => String(part).padStart(2, '0')).join(':')
  const values = Object.entries(fields).map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const head = [`${clock} ${(pino.levels.labels[level] ?? '').padEnd(5)}`, msg, ...values].join('  ')
  const stack = err?.stack ?? err?.message
  return [head, ...(stack ?? '').split('\n').filter(Boolean)].map(printable).join('\n  ')
}

/** Text from elsewhere, such as a relay's reply, must not control the terminal. */
function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
  return stripVTControlCharacters(text).replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, ' ')
}
