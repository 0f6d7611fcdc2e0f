/** The operator's command `mayfly`. Uses the server's configuration and works while it runs. */
import { AppError } from '#server/errors.ts'
import { ConfigError } from '#server/platform/config/config.ts'
import { operatorCommand } from '#server/platform/installation.ts'
import { StartError } from '#server/platform/start-error.ts'
import { readCommandLine } from '../client/cli/command-line.ts'
import { CommandError, EXIT } from '../client/cli/exit-codes.ts'
import { plain } from '../client/cli/terminal.ts'
import { errorJson, fileRefusal, writeTo } from './command.ts'
import { COMMAND_LINE } from './commands.ts'

/** Resolves to the exit code. */
async function run(given: readonly string[], isJson: boolean): Promise<number> {
  const write = writeTo(process.stdout, isJson)
  const read = readCommandLine(COMMAND_LINE, given)
  if (!('printed' in read)) return (await read.row.run(read, write, isJson)) ?? EXIT.done
  write(read.text, { [read.printed]: read.text.trimEnd() })
  return EXIT.done
}

// A closed output (`| head`) is no error. The work goes on: a backup must not stay half done.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return
  process.once('exit', () => {
    process.exitCode = EXIT.failed
    console.error(`The output cannot be written: ${error.message}`)
  })
})

const given = process.argv.slice(2)
const isJson = given.includes('--json')
try {
  process.exitCode = await run(given, isJson)
} catch (thrown) {
  // The command was understood, and an AppError gives the reason why it is refused in its detail.
  const refusal = thrown instanceof AppError ? thrown.detail : fileRefusal(thrown)
  const error = refusal === undefined ? thrown : new CommandError(EXIT.failed, refusal, { cause: thrown })
  if (!(error instanceof CommandError || error instanceof ConfigError || error instanceof StartError)) throw error
  const exitCode = error instanceof CommandError ? error.exitCode : EXIT.failed
  process.exitCode = exitCode
  if (isJson) console.error(errorJson(exitCode, error.message))
  else console.error(plain(exitCode === EXIT.usage ? `${error.message}\nSee: ${operatorCommand} help` : error.message))
}
