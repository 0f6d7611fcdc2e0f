/** The command line of `mayfly-client`: its commands and options, and what their values have to be. */
import { type PlannedFailure, plannedFailureSchema } from '../../contract/mailbox.ts'
import manifest from '../package.json' with { type: 'json' }
import { type CommandLine, type CommandRow, flag, type Values as ParsedValues, readCommandLine, text } from './command-line.ts'
import { usageError } from './exit-codes.ts'
import { MAILBOX_NAME_DEFAULT } from './saved-mailboxes.ts'

const URL_DEFAULT = 'http://localhost:8080'

const ONE_MESSAGE = { takes: ['ID'], needs: 'the id of a message, or "latest"' } as const

const EVERYWHERE = {
  json: flag('one JSON value a line; errors too, on standard error'),
  url: text('URL', `the server; default: MAYFLY_URL, else ${URL_DEFAULT}`),
  mailbox: text('NAME', 'one of several, or a token; default: MAYFLY_MAILBOX, else the last without a name'),
}

const FAILURE = {
  'fail-at': text('STAGE', 'rcpt, data or message: it first refuses mail there'),
  reply: text('CODE', 'e.g. "451 4.3.2", or "cut" to end the connection'),
  attempts: text('COUNT', 'so often'),
  delay: text('SECONDS', 'after this pause'),
}
const NEW = {
  lifetime: text('SECONDS', 'how long it lives'),
  domain: text('DOMAIN', 'at this domain of the server'),
  'local-part': text('NAME', 'a name of your choice'),
  'show-token': flag('prints its token too'),
  ...FAILURE,
}
const AFTER = { after: text('CURSOR', 'what came after it') }
const WAIT = {
  code: flag('only its code'),
  link: flag('only its confirmation link'),
  host: text('HOST', 'with --link: any link there'),
  from: text('TEXT', 'part of the sender'),
  to: text('TEXT', 'part of a recipient, also of Bcc, e.g. "+tag@"'),
  subject: text('TEXT', 'part of the subject'),
  body: text('TEXT', 'part of the text'),
  ...AFTER,
  timeout: text('SECONDS', 'default: 30'),
}

const COMMANDS = [
  { name: 'new', about: 'a new address, printed alone', options: NEW },
  { name: 'list', about: 'its messages, newest first: id, time, sender, code, subject' },
  { name: 'wait', about: 'the first message that matches, also one that is already there', options: WAIT },
  { name: 'watch', about: 'every message as it arrives', options: AFTER },
  { name: 'open', ...ONE_MESSAGE, about: 'one message by its id in the list, or "latest": headers, codes, links, text' },
  { name: 'raw', ...ONE_MESSAGE, about: 'one message byte for byte: mayfly-client raw ID > mail.eml' },
  { name: 'delete', mayTake: 'ID', about: 'one message, or the mailbox with all of its mail' },
  { name: 'mcp', about: 'an MCP server on standard input and output, for agents' },
] as const satisfies readonly CommandRow[]

const COMMAND_LINE: CommandLine<(typeof COMMANDS)[number]> = {
  name: 'mayfly-client',
  program: 'mayfly-client',
  version: manifest.version,
  commands: COMMANDS,
  everywhere: EVERYWHERE,
  notes: `MAYFLY_API_KEY is a key of an account or an API token.
Mailboxes are kept in ~/.local/state/mayfly-client.

Exit code: 0 done, 1 refused, 2 not understood, 3 nothing came in time,
4 no such mailbox or message, 5 the server cannot be reached.`,
}

type Values = ParsedValues<typeof EVERYWHERE & typeof NEW & typeof WAIT>
export type Arguments = Exclude<ReturnType<typeof readArguments>, { readonly printed: unknown }>

/** Throws a `CommandError` for arguments it does not understand. */
export function readArguments(given: readonly string[], env: Readonly<Record<string, string | undefined>>) {
  const read = readCommandLine(COMMAND_LINE, given)
  if ('printed' in read) return read
  const values = read.values as Values
  if (values.code && values.link) throw usageError('Wait for --code or for --link, not for both.')
  if (values.host !== undefined && !values.link) throw usageError('--host belongs to --link.')
  const loose = (['reply', 'attempts', 'delay'] as const).find(name => values[name] !== undefined)
  if (loose !== undefined && values['fail-at'] === undefined) throw usageError(`--${loose} belongs to --fail-at.`)
  return {
    command: read.row.name,
    values,
    rest: read.args,
    url: values.url ?? (env.MAYFLY_URL || URL_DEFAULT),
    /** Only from the environment, because other users can read a command line. */
    apiKey: env.MAYFLY_API_KEY || undefined,
    mailbox: values.mailbox ?? (env.MAYFLY_MAILBOX || MAILBOX_NAME_DEFAULT),
    json: values.json ?? false,
  }
}

/** How a new address fails on purpose. The server says which codes and numbers it takes. */
export function readPlannedFailure(values: Values): PlannedFailure | undefined {
  const { 'fail-at': at, reply, attempts, delay } = values
  if (at === undefined) return undefined
  const stage = plannedFailureSchema.shape.stage.options.find(each => each === at)
  if (stage === undefined) throw usageError(`--fail-at is rcpt, data or message, not "${at}".`)
  if (attempts !== undefined && !/^\d{1,4}$/.test(attempts)) throw usageError(`--attempts is a whole number, not "${attempts}".`)
  return { stage, reply, delaySeconds: readSeconds('delay', delay), attempts: attempts === undefined ? undefined : Number(attempts) }
}

export function readSeconds(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  if (/^\d{1,6}(\.\d{1,3})?$/.test(value)) return Number(value)
  throw usageError(`--${name} is a number of seconds, not "${value}".`)
}
