/** The operator's command: `npm run mayfly -- COMMAND`. Uses the server's configuration and works while it runs. */

import { parseArgs } from 'node:util'
import { LANGUAGES, perLanguage } from '#contract/languages.ts'
import { createApiToken } from '#server/accounts/api-credentials.ts'
import { AppError } from '#server/errors.ts'
import { BLOCK_KINDS, type BlockKind, DIFFICULTY, type Notice } from '#server/mail/policy.ts'
import { COMMAND_ACTOR } from '#server/operator/audit-log.ts'
import type { ControlRequest } from '#server/operator/control/protocol.ts'
import { type Config, ConfigError, readConfig } from '#server/platform/config/config.ts'
import { StartError } from '#server/platform/start-error.ts'
import { EXIT } from '../client/cli/exit-codes.ts'
import { plain, plainLine } from '../client/cli/terminal.ts'
import { type Command, formatTime, parseId, refuseMore, unknownAction, type Write, writeTo } from './command.ts'
import { CommandError, errorJson } from './command-error.ts'
import { contact } from './contact.ts'
import type { OperatorContext } from './operator-context.ts'
import { operatorMail } from './operator-mail.ts'
import { report } from './report.ts'
import { askServer } from './running-server.ts'

/** Settings that the operator changes while the server runs. */

const DONE = 'Done. It takes effect within two seconds.\n'
/** The arguments of a notice. */
const NOTICE_TEXTS = LANGUAGES.map(language => `--${language} "TEXT"`).join(' ')

const registration: Command = ([action, ...more]) => {
  if (action !== 'open' && action !== 'close') throw unknownAction('registration', action, ['open', 'close'])
  refuseMore(more)
  return async ({ operator: { settings } }, write) => {
    await settings.setRegistration(COMMAND_ACTOR, action === 'open')
    write(DONE, { isRegistrationOpen: action === 'open' })
  }
}

const difficulty: Command = ([action, given, ...more]) => {
  if (action !== 'set') throw unknownAction('difficulty', action, [`set ${DIFFICULTY.min}-${DIFFICULTY.max}`])
  refuseMore(more)
  return async ({ operator: { settings } }, write) => {
    await settings.setDifficulty(COMMAND_ACTOR, Number(given))
    write(DONE, { difficulty: Number(given) })
  }
}

const notice: Command = ([action, ...texts]) => {
  const shown = action === 'set' ? parseNotice(texts) : undefined
  if (shown === undefined && action !== 'clear') throw unknownAction('notice', action, [`set ${NOTICE_TEXTS}`, 'clear'])
  if (shown === undefined) refuseMore(texts)
  return async ({ operator: { settings } }, write) => {
    await settings.setNotice(COMMAND_ACTOR, shown)
    write(DONE, { notice: shown ?? null })
  }
}

/** `undefined` unless there is one text for each language and nothing else. */
function parseNotice(args: readonly string[]): Notice | undefined {
  try {
    const { values } = parseArgs({ args: [...args], options: perLanguage(() => ({ type: 'string' as const })) })
    return LANGUAGES.every(language => values[language] !== undefined) ? perLanguage(language => values[language] ?? '') : undefined
  } catch {
    return undefined
  }
}

const operator: Command = ([action, email, ...more]) => {
  if (action !== 'reset' || email === undefined) throw unknownAction('operator', action, ['reset EMAIL'])
  refuseMore(more)
  return async ({ moderation, secondFactor, operator: { audit } }, write) => {
    const account = await moderation.find(email)
    if (!account || !(await secondFactor.remove(account.id)))
      throw new CommandError(EXIT.notFound, 'No account with this address has a second factor.')
    await audit.add(COMMAND_ACTOR, 'second-factor.reset', account.id)
    write('The second factor is gone; the next visit to /operator enrols a new one.\n', { reset: email })
  }
}

const HOUR_MS = 3_600_000
const HOURS_MAX = 87_600

const block: Command = ([action, ...args]) => {
  if (action === 'add') return add(args)
  if (action === 'remove') {
    const id = parseId('block', args[0], 'remove')
    refuseMore(args.slice(1))
    return async ({ operator: { blocks } }, write) => {
      if (!(await blocks.remove(COMMAND_ACTOR, id))) throw new CommandError(EXIT.notFound, `There is no block ${id}.`)
      write('Removed. It takes effect within two seconds.\n', { removed: id })
    }
  }
  if (action !== 'list') throw unknownAction('block', action, ['list', 'add KIND VALUE', 'remove ID'])
  refuseMore(args)
  return async ({ operator: { blocks } }, write) => {
    const listed = await blocks.list()
    if (listed.length === 0) write('Nothing is blocked.\n')
    for (const { id, kind, value, endsAt } of listed) {
      const end = endsAt === null ? null : formatTime(endsAt)
      const row = `${id}  ${kind.padEnd(9)}  ${plainLine(value)}  until ${end ?? 'removed'}\n`
      write(row, { id, kind, value, endsAt: end })
    }
  }
}

function add(args: readonly string[]): ReturnType<Command> {
  const at = args.indexOf('--hours')
  const hours = at === -1 ? undefined : Number(args[at + 1])
  const [given, value, ...more] = at === -1 ? args : args.toSpliced(at, 2)
  const kind = BLOCK_KINDS.find((known): known is BlockKind => known === given)
  if (!kind) throw new CommandError(EXIT.usage, `"${plain(given ?? '')}" is no kind of block: ${BLOCK_KINDS.join(', ')}.`)
  if (value === undefined) throw new CommandError(EXIT.usage, `"block add ${kind}" needs what to block.`)
  refuseMore(more)
  if (hours !== undefined && !(hours > 0 && hours <= HOURS_MAX))
    throw new CommandError(EXIT.usage, `--hours takes a number up to ${HOURS_MAX}.`)
  return async ({ operator: { blocks } }, write) => {
    const endsAt = hours === undefined ? null : Date.now() + hours * HOUR_MS
    const { id } = await blocks.add(COMMAND_ACTOR, { kind, value, endsAt })
    write(`Block ${id} is set. It takes effect within two seconds.\n`, {
      id,
      kind,
      value,
      endsAt: endsAt === null ? null : formatTime(endsAt),
    })
  }
}

/** Commands that destroy an address or suspend an account. */

const address: Command = ([action, given, ...more]) => {
  if (action !== 'destroy' || given === undefined) throw unknownAction('address', action, ['destroy ADDRESS'])
  refuseMore(more)
  return (view, write) => askToDestroy(view, write, { destroyAddress: given }, 'No live address is called so.')
}

const account: Command = ([action, email, ...more]) => {
  const isKnown = action === 'suspend' || action === 'resume' || action === 'destroy'
  if (!isKnown || email === undefined) throw unknownAction('account', action, ['suspend EMAIL', 'resume EMAIL', 'destroy EMAIL'])
  refuseMore(more)
  if (action === 'destroy') return (view, write) => askToDestroy(view, write, { destroyAccount: email }, 'There is no such account.')
  return async ({ moderation }, write) => {
    const isDone = action === 'suspend' ? await moderation.suspend(COMMAND_ACTOR, email) : await moderation.resume(COMMAND_ACTOR, email)
    if (!isDone)
      throw new CommandError(EXIT.notFound, action === 'suspend' ? 'There is no such account.' : 'No suspended account has this address.')
    write(action === 'suspend' ? 'Suspended.\n' : 'The suspension has ended.\n', { email, isSuspended: action === 'suspend' })
  }
}

async function askToDestroy(
  { config }: OperatorContext,
  write: Write,
  request: Omit<ControlRequest, 'key'>,
  absent: string,
): Promise<void> {
  const reply = await askServer(config.dataDir, request)
  if (!reply)
    throw new CommandError(
      EXIT.unreachable,
      'The server does not run on this data folder: only it can open the mail database. Start it first.',
    )
  if (reply.failure !== undefined) throw new CommandError(EXIT.failed, reply.failure)
  if (!reply.isDone) throw new CommandError(EXIT.notFound, absent)
  write('Destroyed.\n', { destroyed: request.destroyAddress ?? request.destroyAccount })
}

/**
 * `mayfly token new NAME`: prints a new API token for scripts, tests and agents. It stores nothing: the operator adds the printed line to
 * the configuration.
 */

const NAME = /^[\w.-]{1,60}$/

function token(args: readonly string[], write: Write): void {
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

const TABLES = ['users', 'sessions', 'pro_mailboxes', 'api_keys', 'contact_messages', 'operator_messages', 'outbox'] as const

const stats: Command = args => {
  refuseMore(args)
  return async ({ database: { db } }, write) => {
    const rows: Record<string, number> = {}
    for (const table of TABLES) {
      const { count } = await db.selectFrom(table).select(db.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
      rows[table] = Number(count)
    }
    const articles = await db.selectFrom('blog_post_views').selectAll().orderBy('post_id').execute()
    const views = Object.fromEntries(articles.map(({ post_id, views_count }) => [post_id, views_count]))
    const lines = [
      ...Object.entries(rows).map(([table, count]) => `${table.padEnd(20)}${count}\n`),
      ...Object.entries(views).map(([article, count]) => `${`views of ${article}`.padEnd(40)}${count}\n`),
    ]
    write(lines.join(''), { rows, views })
  }
}

const LISTED_MAX = 200

const audit: Command = args => {
  refuseMore(args)
  return async ({ operator }, write) => {
    const entries = await operator.audit.list(LISTED_MAX)
    if (entries.length === 0) write('Nothing was done yet.\n')
    for (const { at, actor, action, subject } of entries) {
      const time = formatTime(at)
      write(`${time}  ${plainLine(`${actor}  ${action}  ${subject}`)}\n`, { at: time, actor, action, subject })
    }
  }
}

const USAGE = `npm run mayfly -- COMMAND
  contact list            the newest 50 contact messages
  contact read ID         one message; marks it as read
  contact delete ID       removes it, and its copy that waits to be forwarded, from every file
  contact export          all messages as CSV on standard output (RFC 4180, UTF-8 with byte order mark)
  operator-mail list      mail to postmaster and abuse
  operator-mail read ID   one of them, byte for byte into a file or a pipe, without control characters on a terminal; marks it as read
  report list             reports of abuse by third parties
  report read ID          one of them; marks it as read
  report close ID         it is dealt with
  block list              what is refused, and until when
  block add KIND VALUE    refuses a sender, a (sender's) domain, a network or a recipient pattern; --hours N ends it
  block remove ID         by the number in the list
  address destroy ADDRESS ends an address and its mail; the server must run
  account suspend EMAIL   ends its sessions and refuses sign-in and API keys; "account resume EMAIL" undoes it
  account destroy EMAIL   ends an account, its addresses and their mail; the server must run
  registration close      takes no new accounts; "registration open" undoes it
  difficulty set N        1 to 16 times the usual proof of work
  notice set TEXTS        a notice on every page: ${NOTICE_TEXTS}; "notice clear" removes it
  operator reset EMAIL    removes the second factor of an operator who lost it
  audit                   what operators did
  stats                   what the site's database holds
  backup FOLDER           a whole copy of the data folder, also while the server runs; --with-secret adds the secret
  restore FOLDER          makes an empty data folder from a backup; the server must not run
  adopt-mail-store        gives the accounts in DATABASE_URL to the mail store of this data folder, when the old one is gone for good
  token new NAME          makes an API token for scripts and prints the line to configure
  doctor                  checks the server, its machine, DNS, TLS and mail from outside; says what to do
  help                    this text
With --json results are one JSON object per line, and so is an error. Settings are the server's own environment variables; DATA_DIR names
its folder. Exit code: 0 done, 1 refused or not well, 2 not understood, 4 nothing of this name or number, 5 the server must run for this.`

const COMMANDS = new Map<string, Command>([
  ['contact', contact],
  ['operator-mail', operatorMail],
  ['stats', stats],
  ['report', report],
  ['block', block],
  ['address', address],
  ['account', account],
  ['registration', registration],
  ['difficulty', difficulty],
  ['notice', notice],
  ['operator', operator],
  ['audit', audit],
])

type FolderCommand = (args: readonly string[]) => (config: Config, write: Write) => Promise<void>
/**
 * Commands that work on the data folder itself. Arguments are parsed before anything is opened. Their code, like that of the databases
 * below, is loaded when it is needed: half of what a short command would take.
 */
const FOLDER_COMMANDS = new Map<string, () => Promise<FolderCommand>>([
  ['backup', async () => (await import('./backup.ts')).backup],
  ['restore', async () => (await import('./restore.ts')).restore],
  ['adopt-mail-store', async () => (await import('./adopt-mail-store.ts')).adoptMailStore],
])

/** Resolves to the exit code. */
async function run([name, ...args]: readonly string[], isJson: boolean): Promise<number> {
  const write = writeTo(process.stdout, isJson)
  if (name === undefined) throw new CommandError(EXIT.usage, 'Name a command.')
  if (['help', '--help', '-h'].includes(name)) {
    write(`${USAGE}\n`, { usage: USAGE })
    return 0
  }
  if (name === 'doctor') {
    refuseMore(args)
    const { doctor } = await import('./doctor.ts')
    return doctor(process.env, { isJson }, console.log)
  }
  if (name === 'token') {
    token(args, write)
    return 0
  }
  const folderCommand = FOLDER_COMMANDS.get(name)
  if (folderCommand) {
    await (await folderCommand())(args)(readConfig(process.env), write)
    return 0
  }
  const command = COMMANDS.get(name)
  if (!command) throw new CommandError(EXIT.usage, `There is no command "${plain(name)}".`)
  const work = command(args)
  const { openOperatorContext } = await import('./operator-context.ts')
  await using view = await openOperatorContext(readConfig(process.env))
  await work(view, write)
  return 0
}

// A closed output (`| head`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

const given = process.argv.slice(2)
const isJson = given.includes('--json')
try {
  process.exitCode = await run(
    given.filter(arg => arg !== '--json'),
    isJson,
  )
} catch (thrown) {
  // An AppError gives its reason in its detail.
  const error = thrown instanceof AppError && thrown.detail !== undefined ? new CommandError(EXIT.usage, thrown.detail) : thrown
  if (!(error instanceof CommandError || error instanceof ConfigError || error instanceof StartError)) throw error
  const exitCode = error instanceof CommandError ? error.exitCode : EXIT.failed
  process.exitCode = exitCode
  if (isJson) console.error(errorJson(exitCode, error.message))
  else console.error(exitCode === EXIT.usage ? `${error.message}\n${USAGE}` : error.message)
}
