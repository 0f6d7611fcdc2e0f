/** Parses the command line: one table of options, and which of them each command accepts. */
import { parseArgs } from 'node:util'
import { type PlannedFailure, plannedFailureSchema } from '../../contract/mailbox.ts'
import { usageError } from './exit-codes.ts'
import { MAILBOX_NAME_DEFAULT } from './saved-mailboxes.ts'

const URL_DEFAULT = 'http://localhost:8080'

const OPTIONS = {
  url: { type: 'string' },
  mailbox: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
  lifetime: { type: 'string' },
  domain: { type: 'string' },
  'local-part': { type: 'string' },
  'show-token': { type: 'boolean' },
  'fail-at': { type: 'string' },
  reply: { type: 'string' },
  attempts: { type: 'string' },
  delay: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  subject: { type: 'string' },
  body: { type: 'string' },
  after: { type: 'string' },
  timeout: { type: 'string' },
  code: { type: 'boolean' },
  link: { type: 'boolean' },
  host: { type: 'string' },
} as const

const EVERYWHERE = ['url', 'mailbox', 'json', 'help', 'version']
const FILTER = ['from', 'to', 'subject', 'body', 'after']
const OF_FAILURE = ['reply', 'attempts', 'delay'] as const
const TAKES: Readonly<Record<string, { readonly options: readonly string[]; readonly positionals: readonly [min: number, max: number] }>> =
  {
    new: { options: ['lifetime', 'domain', 'local-part', 'show-token', 'fail-at', ...OF_FAILURE], positionals: [0, 0] },
    list: { options: [], positionals: [0, 0] },
    wait: { options: [...FILTER, 'timeout', 'code', 'link', 'host'], positionals: [0, 0] },
    watch: { options: ['after'], positionals: [0, 0] },
    open: { options: [], positionals: [1, 1] },
    raw: { options: [], positionals: [1, 1] },
    delete: { options: [], positionals: [0, 1] },
    mcp: { options: [], positionals: [0, 0] },
    completion: { options: [], positionals: [0, 1] },
  }

export type Arguments = ReturnType<typeof readArguments>

/** Throws a `CommandError` for arguments it does not understand. */
export function readArguments(args: readonly string[], env: Readonly<Record<string, string | undefined>>) {
  const { values, positionals } = parse(args)
  const [command, ...rest] = positionals
  if (values.help || command === 'help') return { command: 'help', ...common(values, env), rest: [] }
  if (values.version) return { command: 'version', ...common(values, env), rest: [] }
  if (command === undefined) throw usageError('Name a command.')
  const takes = Object.hasOwn(TAKES, command) ? TAKES[command] : undefined
  if (!takes) throw usageError(`There is no command "${command}".`)
  const foreign = Object.keys(values).find(name => !EVERYWHERE.includes(name) && !takes.options.includes(name))
  if (foreign !== undefined) throw usageError(`"${command}" takes no --${foreign}.`)
  const [min, max] = takes.positionals
  if (rest.length < min) throw usageError(`"${command}" needs the id of a message, or "latest".`)
  if (rest.length > max) throw usageError(`"${rest[max]}" is one argument too many.`)
  if (values.code && values.link) throw usageError('Wait for --code or for --link, not for both.')
  if (values.host !== undefined && !values.link) throw usageError('--host belongs to --link.')
  const loose = OF_FAILURE.find(name => values[name] !== undefined)
  if (loose !== undefined && values['fail-at'] === undefined) throw usageError(`--${loose} belongs to --fail-at.`)
  return { command, ...common(values, env), rest }
}

type Values = ReturnType<typeof parse>['values']

function common(values: Values, env: Readonly<Record<string, string | undefined>>) {
  return {
    values,
    url: values.url ?? (env.MAYFLY_URL || URL_DEFAULT),
    /** Only from the environment, because other users can read a command line. */
    apiKey: env.MAYFLY_API_KEY || undefined,
    mailbox: values.mailbox ?? (env.MAYFLY_MAILBOX || MAILBOX_NAME_DEFAULT),
    json: values.json ?? false,
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS })
  } catch (error) {
    throw usageError(error instanceof Error ? error.message : String(error))
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

/** A number of seconds from the command line. */
export function readSeconds(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  if (/^\d{1,6}(\.\d{1,3})?$/.test(value)) return Number(value)
  throw usageError(`--${name} is a number of seconds, not "${value}".`)
}

export const USAGE = `mayfly-client COMMAND

  new                a new address, printed alone
    --lifetime SECONDS  --domain DOMAIN  --local-part NAME  --show-token
    --fail-at STAGE    rcpt, data or message: it first refuses mail there, on purpose,
                       with --reply CODE ("451 4.3.2", or "cut" to end the connection)
    --attempts COUNT  --delay SECONDS  how often, and how long it waits before
  list               its messages, newest first: id, time, sender, code, subject
  wait               the first message that matches, also one that is already there
    --code             only its one-time code
    --link             only its confirmation link; with --host HOST any link there
    --from TEXT  --subject TEXT  --body TEXT  --after CURSOR
    --to TEXT          part of a recipient, also of Bcc, e.g. "+tag@"
    --timeout SECONDS  default: 30
  watch              every message as it arrives, one line each; --after CURSOR
  open ID            one message: headers, codes, links, text
  raw ID             one message byte for byte: mayfly-client raw ID > mail.eml
  delete [ID]        one message, or the mailbox with all of its mail
  mcp                an MCP server on standard input and output, for agents
  completion bash|zsh|fish  for the Tab key: source <(mayfly-client completion bash)
  help               this text

ID is an id of the list, or "latest".

Everywhere:
  --json             one JSON value a line; errors as JSON on standard error
  --url URL          the server; default: MAYFLY_URL, else http://localhost:8080
  --mailbox NAME     which mailbox, where there are several: "new --mailbox bob". Also a token.
                     Default: MAYFLY_MAILBOX, else the last one that was made without a name

MAYFLY_API_KEY is a key of an account or an API token of the server. Mailboxes are kept
in ~/.local/state/mayfly-client, readable by you alone.

Exit code: 0 done, 1 refused, 2 not understood, 3 nothing came in time, 4 no such mailbox
or message (it may have expired), 5 the server cannot be reached.
`
