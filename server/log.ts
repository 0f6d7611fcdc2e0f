import { stripVTControlCharacters } from 'node:util'
import pino from 'pino'

/** A log line never holds an address, a token, a subject or content; identifiers of mail stay out too. */
export type Log = Pick<pino.Logger, 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal'>

/**
 * JSON lines on stdout, for machines; at a terminal lines for a person, without one for each request unless `level` is `debug` or `trace`.
 * `level`: pino's names, plus `silent`.
 */
export function createLog(level: string, terminal: Terminal | undefined = process.stdout.isTTY ? process.stdout : undefined): Log {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: pino.stdSerializers.err } }
  if (!terminal) return pino(options)
  const showRequests = level === 'debug' || level === 'trace'
  return pino(options, { write: line => void writeForPerson(line, terminal, showRequests) })
}

type Terminal = { write(text: string): unknown }
type LogLine = { level: number; time: string; msg: string; err?: { message?: string; stack?: string } }

function writeForPerson(json: string, terminal: Terminal, showRequests: boolean): void {
  const line: LogLine = JSON.parse(json)
  if (line.msg === REQUEST && !showRequests) return
  terminal.write(`${formatForPerson(line)}\n`)
}

/** The message of the line that each HTTP request writes. */
export const REQUEST = 'request'

/** `19:44:02 warn  The relay did not take a mail  attempts=2`, then the stack of an error, indented. */
function formatForPerson({ level, time, msg, err, ...fields }: LogLine): string {
  const date = new Date(time)
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map(part => String(part).padStart(2, '0')).join(':')
  const values = Object.entries(fields).map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const head = [`${clock} ${(pino.levels.labels[level] ?? '').padEnd(5)}`, msg, ...values].join('  ')
  const stack = err?.stack ?? err?.message
  return [head, ...(stack ?? '').split('\n').filter(Boolean)].map(printable).join('\n  ')
}

/** Text from elsewhere, e.g. a relay's reply, must not steer the terminal. */
function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
  return stripVTControlCharacters(text).replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, ' ')
}
