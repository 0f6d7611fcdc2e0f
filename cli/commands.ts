/** The operator's commands: one table, from which parsing, help and the words for the Tab key follow. */
import { perLanguage } from '#contract/languages.ts'
import { BLOCK_KINDS } from '#contract/operator.ts'
import { type Config, readConfig } from '#server/platform/config/config.ts'
import { operatorCommand, version } from '#server/platform/installation.ts'
import { type CommandLine, type CommandRow, flag, type Options, text, type Values } from '../client/cli/command-line.ts'
import { type Command, type Given, messageNumber, type Write } from './command.ts'
import * as messages from './messages.ts'
import * as operator from './operator.ts'

/** Resolves to the exit code, if that is not 0. Parses the arguments before it opens anything. */
type Run<V> = (given: Given<V>, write: Write, isJson: boolean) => Promise<number | undefined> | Promise<void>
type Row = CommandRow & { readonly run: Run<Values<Options>> }
type Details<O extends Options> = Omit<CommandRow, 'name' | 'action' | 'about' | 'options'> & { readonly options?: O }

function command<const O extends Options = Record<never, never>>(
  names: string,
  about: string,
  run: Run<Values<O>>,
  details: Details<O> = {},
): Row {
  const [name = '', action] = names.split(' ')
  // The parser gives each row the values of its own options.
  return { name, ...(action !== undefined && { action }), about, run: run as Run<Values<Options>>, ...details }
}

function withDatabase<V>(parse: Command<V>): Run<V> {
  return async (given, write) => {
    const work = parse(given)
    const { openOperatorContext } = await import('./operator-context.ts')
    await using view = await openOperatorContext(readConfig(process.env))
    await work(view, write)
  }
}

/** What takes no arguments. */
const listing = (work: ReturnType<Command>) => withDatabase(() => work)

/** Each loads what it alone needs, which would take half the time of a short command. */
function withConfig<V>(load: () => Promise<(given: Given<V>) => (config: Config, write: Write) => Promise<void>>): Run<V> {
  return async (given, write) => {
    const work = (await load())(given)
    await work(readConfig(process.env), write)
  }
}

async function mailStoreRights({ cluster }: Config, write: Write): Promise<void> {
  const { aclRules } = await import('#server/store/valkey/client/rights.ts')
  const rules = aclRules(cluster?.isSynced ?? false)
  write(`${rules.join(' ')}\n`, { rules })
}

const message = (name: string) => ({ takes: ['ID'], needs: messageNumber(name) })
const TOKEN = { takes: ['NAME'], needs: operator.NAME_NEEDS }
const ip = { ...text('ADDRESS', 'at which others reach this machine; may be repeated'), multiple: true } as const
const format = text('NUMBER', 'refuses a format that this release does not know')

const COMMANDS = [
  command('contact list', '50 contact messages, the newest of each network in turn', listing(messages.listContact)),
  command('contact read', 'one message; marks it as read', withDatabase(messages.readContact), message('contact')),
  command(
    'contact delete',
    'removes it, and its copy that waits to be forwarded, from every file',
    withDatabase(messages.deleteContact),
    message('contact'),
  ),
  command(
    'contact export',
    'all messages as CSV on standard output (RFC 4180, UTF-8 with byte order mark)',
    listing(messages.exportContact),
  ),
  command('operator-mail list', 'mail to postmaster and abuse', listing(messages.listOperatorMail)),
  command(
    'operator-mail read',
    'one of them, byte for byte into a file or a pipe, without control characters on a terminal; marks it as read',
    withDatabase(messages.readOperatorMail),
    message('operator-mail'),
  ),
  command('report list', 'reports of abuse by third parties', listing(messages.listReports)),
  command('report read', 'one of them; marks it as read', withDatabase(messages.readReport), message('report')),
  command('report close', 'it is dealt with', withDatabase(messages.closeReport), message('report')),
  command('block list', 'what is refused, and until when', listing(operator.listBlocks)),
  command('block add', "refuses a sender, a (sender's) domain, a network or a recipient pattern", withDatabase(operator.addBlock), {
    takes: ['KIND', 'VALUE'],
    needs: `a kind (${BLOCK_KINDS.join(', ')}) and what to block`,
    options: { hours: text('N', 'ends it') },
  }),
  command('block remove', 'by the number in the list', withDatabase(operator.removeBlock), message('block')),
  command(
    'domain list',
    "where people get addresses and which domains still take mail, with the last day's counts, a minute old",
    listing(operator.listDomains),
  ),
  command(
    'domain add',
    'people get addresses there; *.box.example gives each address a subdomain. Paused while its MX record does not point here',
    withDatabase(operator.addDomain),
    { takes: ['DOMAIN'], options: { offer: flag('does not ask DNS') } },
  ),
  command('domain offer', 'again, after a pause', withDatabase(operator.changeDomain('offer')), {
    takes: ['DOMAIN'],
    options: { first: flag('makes it the default') },
  }),
  command('domain pause', 'no new addresses there; those that live go on', withDatabase(operator.changeDomain('pause')), {
    takes: ['DOMAIN'],
  }),
  command('domain retire', 'the same, and no mail after its last address has ended', withDatabase(operator.changeDomain('retire')), {
    takes: ['DOMAIN'],
    options: { at: text('TIME', 'later, e.g. 2027-01-31T12:00Z (ISO 8601)') },
  }),
  command('domain remove', 'once no address lives there', withDatabase(operator.changeDomain('remove')), {
    takes: ['DOMAIN'],
    options: { now: flag('does not wait, and they get no more mail') },
  }),
  command('address destroy', 'ends an address and its mail; the server must run', withDatabase(operator.destroyAddress), {
    takes: ['ADDRESS'],
  }),
  command('account list', 'the newest 200 accounts', listing(operator.listAccounts)),
  command(
    'account show',
    'when it was made, and how many sessions, addresses, keys and webhooks it has',
    withDatabase(operator.showAccount),
    { takes: ['EMAIL'] },
  ),
  command('account suspend', 'ends its sessions and refuses sign-in and API keys', withDatabase(operator.suspendAccount), {
    takes: ['EMAIL'],
  }),
  command('account resume', 'ends a suspension', withDatabase(operator.resumeAccount), { takes: ['EMAIL'] }),
  command('account destroy', 'ends an account, its addresses and their mail; the server must run', withDatabase(operator.destroyAccount), {
    takes: ['EMAIL'],
  }),
  command('registration open', 'takes new accounts again', withDatabase(operator.setRegistration(true))),
  command('registration close', 'takes no new accounts', withDatabase(operator.setRegistration(false))),
  command('difficulty set', 'so many times the usual proof of work', withDatabase(operator.setDifficulty), {
    takes: [operator.DIFFICULTY_RANGE],
  }),
  command('notice set', 'a notice on every page', withDatabase(operator.setNotice), {
    options: perLanguage(language => ({ ...text('"TEXT"', `in the language "${language}"`), isRequired: true })),
  }),
  command('notice clear', 'removes it', withDatabase(operator.setNotice)),
  command('operator reset', 'removes the second factor of an operator who lost it', withDatabase(operator.resetOperator), {
    takes: ['EMAIL'],
  }),
  command('audit', 'what operators did', listing(operator.audit)),
  command('stats', "what the site's database holds", listing(operator.stats)),
  command(
    'backup',
    'a whole copy of the data folder, also while the server runs',
    withConfig(async () => (await import('./data-folder.ts')).backup),
    {
      takes: ['FOLDER'],
      needs: 'the folder to write to',
      options: {
        'with-secret': flag('adds the secret'),
        keep: text('N', 'makes one below FOLDER, named by the time, and removes all but the newest N'),
      },
    },
  ),
  command(
    'restore',
    'makes an empty data folder from a backup, or from the newest of --keep; the server must not run',
    withConfig(async () => (await import('./data-folder.ts')).restore),
    { takes: ['FOLDER'], needs: 'the folder of the backup', options: { unchecked: flag('takes one that somebody may have altered') } },
  ),
  command(
    'mail-store-rights',
    'the rules of ACL SETUSER for a user of MAIL_STORE_URL that may do what is needed, and nothing else',
    withConfig(async () => () => mailStoreRights),
  ),
  command(
    'adopt-mail-store',
    'gives the accounts in DATABASE_URL to the mail store of this data folder, when the old one is gone for good',
    withConfig(async () => {
      const { adoptMailStore } = await import('./data-folder.ts')
      return () => adoptMailStore
    }),
  ),
  command('token list', 'API tokens for scripts, and when each was last used', listing(operator.listTokens)),
  command('token create', 'makes one, which works at once', withDatabase(operator.createToken), TOKEN),
  command('token revoke', 'ends it', withDatabase(operator.revokeToken), TOKEN),
  command('token new', 'makes one that is not stored, and prints the line for API_TOKENS', operator.newToken, TOKEN),
  command(
    'setup',
    'settings, user, folders and unit of a new server; asks for what no option says',
    async ({ values }, write) => (await import('./setup.ts')).setup(values, write),
    {
      options: {
        domain: text('DOMAIN', 'of the site and of its addresses'),
        host: text('HOST', 'the mail server; default: mx.DOMAIN'),
        operator: text('EMAIL', "the account that opens the operator's page"),
        email: text('EMAIL', 'for the certificate authority'),
        ip,
        'behind-proxy': flag('leaves HTTPS to nginx or Caddy'),
        root: text('FOLDER', 'writes the files below it, and makes no user and starts nothing'),
        files: flag('writes the files of the unit again, and nothing else'),
      },
    },
  ),
  command(
    'dns',
    'the DNS records to paste',
    withConfig(async () => (await import('./dns-records.ts')).dns),
    { mayTake: 'DOMAIN', isMany: true, options: { ip, spf: text('MECHANISM', 'of your relay, such as include:_spf.relay.example') } },
  ),
  command(
    'check-config',
    'says whether a server could start with this settings file',
    async (given, write) => (await import('./settings-file.ts')).checkConfig(given, write),
    { takes: ['FILE'], needs: 'the settings file', options: { mail: format, site: format, cluster: format } },
  ),
  command(
    'upgrade',
    'builds and checks a release (mayfly-VERSION-source.tgz, a folder, a Git URL), then switches to it; nobody is refused',
    async ({ args }, write) => (await import('./releases.ts')).upgrade(args, write),
    { mayTake: 'SOURCE' },
  ),
  command(
    'rollback',
    'back to the release before, if it knows the format of what is stored',
    async ({ args }, write) => (await import('./releases.ts')).rollback(args, write),
    { mayTake: 'RELEASE' },
  ),
  command('doctor', 'checks the server, its machine, DNS, TLS and mail, from this machine; says what to do', async (_, _write, isJson) =>
    (await import('./doctor.ts')).doctor(process.env, { isJson }, console.log),
  ),
  command(
    'read',
    'what Mayfly sees in a mail file: text, codes, links, attachments, warnings; needs no server',
    async (given, write) => (await import('./read-mail.ts')).read(given, write),
    { takes: ['FILE.eml'], needs: 'a mail file, such as mail.eml' },
  ),
]

export const COMMAND_LINE: CommandLine<Row> = {
  name: 'mayfly',
  program: operatorCommand,
  version,
  commands: COMMANDS,
  everywhere: { json: flag('one JSON object per line, also for an error') },
  notes: `Settings are the server's own environment variables; DATA_DIR names its folder.
Exit code: 0 done, 1 refused or not well, 2 not understood, 4 nothing of this name or number, 5 the server must run for this.`,
}
