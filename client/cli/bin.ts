#!/usr/bin/env node
/** The command `mayfly-client`. */
import { MayflyError } from '../errors.ts'
import { readArguments } from './arguments.ts'
import { commands, type Terminal } from './commands.ts'
import { CommandError, EXIT, exitCodeFor } from './exit-codes.ts'
import { jsonLine, plain } from './terminal.ts'

const stopped = new AbortController()
/** A closed output (`| head`) is no error. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  stopped.abort()
})

const terminal: Terminal = {
  env: process.env,
  isTerminal: process.stdout.isTTY,
  signal: stopped.signal,
  note: text => console.error(text),
  write: data =>
    new Promise(resolve => {
      process.stdout.write(data, () => resolve())
    }),
}

async function run(args: readonly string[]): Promise<void> {
  const read = readArguments(args, process.env)
  if ('printed' in read) return terminal.write(read.text)
  await commands[read.command](read, terminal)
}

const args = process.argv.slice(2)
try {
  await run(args)
} catch (error) {
  if (!stopped.signal.aborted) report(error)
}

/** With --json the error is JSON too. */
function report(error: unknown): void {
  const known = error instanceof CommandError || error instanceof MayflyError || error instanceof TypeError
  if (!known) throw error
  const code = error instanceof TypeError ? 'usage' : error.code
  process.exitCode = error instanceof CommandError ? error.exitCode : error instanceof MayflyError ? exitCodeFor(error.code) : EXIT.usage
  const usage = process.exitCode === EXIT.usage ? '\nSee: mayfly-client help' : ''
  process.stderr.write(
    args.includes('--json') ? jsonLine({ error: { code, message: error.message } }) : `${plain(error.message)}${usage}\n`,
  )
}
