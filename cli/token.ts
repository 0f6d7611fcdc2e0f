/**
 * `mayfly token new NAME`: prints a new API token for scripts, tests and agents. It stores nothing: the operator adds the printed line to
 * the configuration.
 */
import { createApiToken } from '#server/accounts/api-credentials.ts'
import { EXIT } from '../client/cli/exit-codes.ts'
import { plain } from '../client/cli/terminal.ts'
import { refuseMore, type Write } from './command.ts'
import { CommandError } from './command-error.ts'

const NAME = /^[\w.-]{1,60}$/

export function token(args: readonly string[], write: Write): void {
  const [verb, name, ...more] = args
  if (verb !== 'new' || name === undefined) throw new CommandError(EXIT.usage, '"token" needs "new" and a name, for example: token new ci')
  refuseMore(more)
  if (!NAME.test(name)) {
    throw new CommandError(
      EXIT.usage,
      `"${plain(name)}" cannot be the name of a token: use up to 60 letters, digits, dots, hyphens and underscores.`,
    )
  }
  const created = createApiToken()
  const text = `${created.token}

Give this token to the script; it is shown only now. The server knows it by its hash. Start the server with

  API_TOKENS=${name}:${created.sha256}

Several tokens stand in one API_TOKENS, separated by commas. Remove a pair and start again to revoke its token.
`
  write(text, { name, ...created, setting: `API_TOKENS=${name}:${created.sha256}` })
}
