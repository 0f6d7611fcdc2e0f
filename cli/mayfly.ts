/** The operator's command `mayfly`. Uses the server's configuration and works while it runs. */

import { AppError } from '#server/errors.ts'
import { type Config, ConfigError, readConfig } from '#server/platform/config/config.ts'
import { operatorCommand, version } from '#server/platform/installation.ts'
import { StartError } from '#server/platform/start-error.ts'
import { completion, SHELL_WANTED } from '../client/cli/completion.ts'
import { CommandError, EXIT } from '../client/cli/exit-codes.ts'
import { plain } from '../client/cli/terminal.ts'
import { type Command, errorJson, fileRefusal, refuseMore, type Write, writeTo } from './command.ts'
import { contact, operatorMail, report } from './messages.ts'
import {
  account,
  address,
  audit,
  block,
  difficulty,
  domain,
  NOTICE_TEXTS,
  newToken,
  notice,
  operator,
  registration,
  stats,
  token,
} from './operator.ts'

const USAGE = `${operatorCommand} COMMAND
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
  domain list             where people get addresses and which domains still take mail, with the last day's counts, a minute old
  domain add DOMAIN       people get addresses there; *.box.example gives each address a subdomain. Paused while its MX record does not
                          point here; --offer does not ask DNS
  domain offer DOMAIN     again, after a pause; --first makes it the default
  domain pause DOMAIN     no new addresses there; those that live go on
  domain retire DOMAIN    the same, and no mail after its last address has ended; --at TIME (ISO 8601) is later
  domain remove DOMAIN    once no address lives there; --now does not wait, and they get no more mail
  address destroy ADDRESS ends an address and its mail; the server must run
  account list            the newest 200 accounts
  account show EMAIL      when it was made, and how many sessions, addresses, keys and webhooks it has
  account suspend EMAIL   ends its sessions and refuses sign-in and API keys; "account resume EMAIL" undoes it
  account destroy EMAIL   ends an account, its addresses and their mail; the server must run
  registration close      takes no new accounts; "registration open" undoes it
  difficulty set N        1 to 16 times the usual proof of work
  notice set TEXTS        a notice on every page: ${NOTICE_TEXTS}; "notice clear" removes it
  operator reset EMAIL    removes the second factor of an operator who lost it
  audit                   what operators did
  stats                   what the site's database holds
  backup FOLDER           a whole copy of the data folder, also while the server runs; --with-secret adds the secret; --keep N makes one below FOLDER,
                          named by the time, and removes all but the newest N
  restore FOLDER          makes an empty data folder from a backup, or from the newest of --keep; the server must not run
  mail-store-rights       the rules of ACL SETUSER for a user of MAIL_STORE_URL that may do what is needed, and nothing else
  adopt-mail-store        gives the accounts in DATABASE_URL to the mail store of this data folder, when the old one is gone for good
  token list              API tokens for scripts, and when each was last used
  token create NAME       makes one, which works at once; "token revoke NAME" ends it
  token new NAME          makes one that is not stored, and prints the line for API_TOKENS
  setup                   settings, user, folders and unit of a new server; asks five questions, or takes --domain, --host, --operator,
                          --email, --ip; --behind-proxy leaves HTTPS to nginx or Caddy
  dns                     the DNS records to paste; takes domains, --ip ADDRESS, --spf MECHANISM
  check-config FILE       says whether a server could start with this settings file
  upgrade [SOURCE]        builds and checks a release (mayfly-VERSION-source.tgz, a folder, a Git URL), then switches to it; nobody is refused
  rollback [RELEASE]      back to the release before, if it knows the format of what is stored
  doctor                  checks the server, its machine, DNS, TLS and mail, from this machine; says what to do
  read FILE.eml           what Mayfly sees in a mail file: text, codes, links, attachments, warnings; needs no server
  completion bash|zsh|fish  for the Tab key: source <(mayfly completion bash)
  help                    this text; COMMAND --help is its part of it, --version the version
With --json results are one JSON object per line, and so is an error. Settings are the server's own environment variables; DATA_DIR names
its folder. Exit code: 0 done, 1 refused or not well, 2 not understood, 4 nothing of this name or number, 5 the server must run for this.`

type ConfigCommand = (args: readonly string[]) => (config: Config, write: Write) => Promise<void>
type Work = (args: readonly string[], write: Write) => Promise<void>
type Run = (args: readonly string[], write: Write, isJson: boolean) => Promise<number> | Promise<void>
type Entry = {
  /** Resolves to the exit code, if that is not 0. Parses the arguments before it opens anything. */
  readonly run: Run
  /** None unless named. `'parsed'`: the command has a strict parser, which refuses unknown ones itself. */
  readonly options?: readonly string[] | 'parsed'
}

/** What only some of them need is loaded by those: it would take half the time of a short command. */
const COMMANDS = new Map<string, Entry>([
  ['contact', { run: withDatabase(contact) }],
  ['operator-mail', { run: withDatabase(operatorMail) }],
  ['report', { run: withDatabase(report) }],
  ['block', { run: withDatabase(block), options: ['--hours'] }],
  ['domain', { run: withDatabase(domain), options: ['--first', '--now', '--offer', '--at'] }],
  ['address', { run: withDatabase(address) }],
  ['account', { run: withDatabase(account) }],
  ['registration', { run: withDatabase(registration) }],
  ['difficulty', { run: withDatabase(difficulty) }],
  ['notice', { run: withDatabase(notice), options: 'parsed' }],
  ['operator', { run: withDatabase(operator) }],
  ['audit', { run: withDatabase(audit) }],
  ['stats', { run: withDatabase(stats) }],
  ['backup', { run: withConfig(async () => (await import('./data-folder.ts')).backup), options: 'parsed' }],
  ['restore', { run: withConfig(async () => (await import('./data-folder.ts')).restore) }],
  ['mail-store-rights', { run: withConfig(async () => mailStoreRights) }],
  ['adopt-mail-store', { run: withConfig(async () => (await import('./data-folder.ts')).adoptMailStore) }],
  ['token', { run: (args, write) => (args[0] === 'new' ? newToken(args.slice(1), write) : withDatabase(token)(args, write)) }],
  ['setup', { run: async (args, write) => (await import('./setup.ts')).setup(args, write), options: 'parsed' }],
  ['dns', { run: withConfig(async () => (await import('./dns-records.ts')).dns), options: 'parsed' }],
  [
    'check-config',
    { run: async (args, write) => (await import('./setup.ts')).checkConfig(args, write), options: ['--mail', '--site', '--cluster'] },
  ],
  ['upgrade', { run: async (args, write) => (await import('./releases.ts')).upgrade(args, write) }],
  ['rollback', { run: async (args, write) => (await import('./releases.ts')).rollback(args, write) }],
  ['doctor', { run: runDoctor }],
  ['read', { run: async (args, write) => (await import('./read-mail.ts')).read(args, write) }],
  ['completion', { run: printCompletion }],
])

function withDatabase(command: Command): Work {
  return async (args, write) => {
    const work = command(args)
    const { openOperatorContext } = await import('./operator-context.ts')
    await using view = await openOperatorContext(readConfig(process.env))
    await work(view, write)
  }
}

function withConfig(load: () => Promise<ConfigCommand>): Work {
  return async (args, write) => {
    const work = (await load())(args)
    await work(readConfig(process.env), write)
  }
}

async function runDoctor(args: readonly string[], _: Write, isJson: boolean): Promise<number> {
  refuseMore(args)
  return (await import('./doctor.ts')).doctor(process.env, { isJson }, console.log)
}

function mailStoreRights(args: readonly string[]): (config: Config, write: Write) => Promise<void> {
  refuseMore(args)
  return async ({ cluster }, write) => {
    const { aclRules } = await import('#server/store/valkey/client/rights.ts')
    const rules = aclRules(cluster?.isSynced ?? false)
    write(`${rules.join(' ')}\n`, { rules })
  }
}

async function printCompletion([shell, ...more]: readonly string[], write: Write): Promise<void> {
  refuseMore(more)
  const script = completion(shell, 'mayfly', USAGE)
  if (script === undefined) throw new CommandError(EXIT.usage, SHELL_WANTED)
  write(script, { script })
}

/** The lines of one command, with those that continue them. */
function usageOf(name: string): string {
  const entries = USAGE.split(/\n(?= {2}[a-z])/).filter(entry => entry.startsWith(`  ${name} `))
  if (entries.length === 0) throw unknownCommand(name)
  return entries.map(entry => entry.split('\nWith --json')[0]).join('\n')
}

const unknownCommand = (name: string) => new CommandError(EXIT.usage, `There is no command "${plain(name)}".`)

/** What begins with a hyphen is a mistyped option, and no file, address or name. */
function refuseOptions(name: string, args: readonly string[], known: readonly string[]): void {
  const wrong = args.find(arg => /^-(?!\d)/.test(arg) && !known.includes(arg.split('=')[0] ?? ''))
  if (wrong !== undefined) throw new CommandError(EXIT.usage, `"${name}" has no option "${plain(wrong)}".`)
}

/** Resolves to the exit code. */
async function run([name, ...args]: readonly string[], isJson: boolean): Promise<number> {
  const write = writeTo(process.stdout, isJson)
  if (name === undefined) throw new CommandError(EXIT.usage, 'Name a command.')
  if (['help', '--help', '-h'].includes(name)) {
    write(`${USAGE}\n`, { usage: USAGE })
    return EXIT.done
  }
  if (name === '--version') {
    write(`${version}\n`, { version })
    return EXIT.done
  }
  if (args.some(arg => arg === '--help' || arg === '-h')) {
    const usage = usageOf(name)
    write(`${usage}\n`, { usage })
    return EXIT.done
  }
  const command = COMMANDS.get(name)
  if (!command) throw unknownCommand(name)
  const { options = [] } = command
  if (options !== 'parsed') refuseOptions(name, args, options)
  return (await command.run(args, write, isJson)) ?? EXIT.done
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
  process.exitCode = await run(
    given.filter(arg => arg !== '--json'),
    isJson,
  )
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
