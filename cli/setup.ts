/** `mayfly setup`: writes the files of an installation and starts its server. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { basename, dirname, join, resolve } from 'node:path'
import { createInterface, type Interface } from 'node:readline/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { identifyServer } from '#server/operator/control.ts'
import { freePort, isSocketActive } from '#server/operator/doctor/host-checks.ts'
import { type Config, listenersOf } from '#server/platform/config/config.ts'
import { csv, emails, email as emailType } from '#server/platform/config/value-types.ts'
import { root } from '#server/platform/installation.ts'
import { isPublicIp } from '#server/platform/net/ip-address.ts'
import { makeFolder } from '#server/start/data-folder.ts'
import { CommandError, EXIT } from '../client/cli/exit-codes.ts'
import { plain, plainLine } from '../client/cli/terminal.ts'
import type { Write } from './command.ts'
import { deployFile, installedAs, RELEASES, refuseForeignOwner } from './deploy-file.ts'
import { checkDomain, findMailElsewhere, ownAddresses, parseIpOptions, zoneFile } from './dns-records.ts'
import { HAS_CONTROL, listenStreams, parseConfig, readIfThere, readSettings, SETTINGS } from './settings-file.ts'

const SOCKET = '/etc/systemd/system/mayfly.socket'
const GROUP_MAY_READ = 0o040

/** Where nginx or Caddy has HTTPS, as in deploy/. */
const PROXY_SETTINGS = ['HTTP_PORT=127.0.0.1:8080', 'TRUST_PROXY=127.0.0.1,::1']

type Flags = Partial<Readonly<Record<Question | 'root', string | undefined>>> &
  Partial<Record<'behind-proxy' | 'files', boolean | undefined>> & { ip?: string[] | undefined }
type Answers = Readonly<Record<'domain' | 'host' | 'email' | 'operator', string>> & { readonly isBehindProxy: boolean }

/**
 * `setup`: settings, user, folders, commands and unit of a server in this folder; then starts it, where there is systemd, and ends in
 * the doctor. A settings file that exists is kept. With `--root FOLDER` the files go below that folder, and no user is made and nothing
 * started. Resolves to the exit code.
 */
export async function setup(given: Flags, write: Write, openTerminal = thisTerminal): Promise<number> {
  const flags = parseFlags(given)
  if (flags.root !== undefined) await makeFolder(resolve(flags.root), 0o755)
  const at = (...names: string[]) => join(flags.root ?? '/', ...names)
  if (flags.root === undefined && process.getuid?.() !== 0) throw new CommandError(EXIT.failed, 'Run this as root.')
  if (flags.root === undefined && /^\/(home|root)\//.test(root)) {
    throw new CommandError(EXIT.failed, `The unit cannot read home folders: move ${root} to /opt/mayfly.`)
  }
  if (flags.root === undefined) for (const path of [root, process.execPath]) refuseForeignOwner(path)
  const file = at(SETTINGS)
  const isNew = !existsSync(file)
  const answers = isNew ? await ask(flags, openTerminal) : undefined
  // Behind NAT a server that is set up already goes on without being told its address again.
  const isUntold = flags.files || (!isNew && flags.ip === undefined && ownAddresses().length === 0)
  const addresses = isUntold ? [] : parseIpOptions(flags.ip)
  const wanted = answers ? parseConfig(settings(answers, addresses)) : readSettings(file)
  if (!isNew) refuseContradiction(flags, wanted, file)
  const ports = socketUnit()
  if (flags.root === undefined && !flags.files) await refuseTakenPorts(wanted, ports)
  if (flags.root === undefined) makeUser()
  const config = writeSystem(at, answers && settings(answers, addresses), flags.root === undefined)
  if (flags.files) return EXIT.done
  const elsewhere = flags.root === undefined && !isUntold ? await findMailElsewhere(config, addresses) : new Map()
  const zone = isUntold ? undefined : zoneFile(config, { addresses, elsewhere })
  const records = zone === undefined ? 'Its DNS records: mayfly dns --ip ADDRESS' : `Paste these DNS records at your provider:\n\n${zone}`
  write(`${file} ${isNew ? 'is written' : 'is kept as it was'}. ${records}\n`, { file, isNew, ...(zone !== undefined && { zone }) })
  if (config.smtpRelayUrl === undefined)
    write('Sign-up needs a relay for its mail: add SMTP_RELAY_URL, CONTACT_TO and MAIL_FROM to that file.\n')
  if (flags.root !== undefined) return EXIT.done
  if (!existsSync('/run/systemd/system')) {
    write('There is no systemd here: start the server as ExecStart in /etc/systemd/system/mayfly.service says, then run: mayfly doctor\n')
    return EXIT.done
  }
  startUnits(ports)
  await untilRunning(config.dataDir)
  const [code] = await once(spawn('/usr/local/bin/mayfly', ['doctor'], { stdio: 'inherit' }), 'exit')
  return code ?? EXIT.failed
}

const thisTerminal = (): Interface | undefined =>
  process.stdin.isTTY ? createInterface({ input: process.stdin, output: process.stderr }) : undefined

/** A settings file that exists is the operator's, so what a flag asks for otherwise is for them to write. */
function refuseContradiction(flags: Flags, config: Config, file: string): void {
  const { acme, domains, mailHosts, operators, publicUrl, trustedProxies } = config
  const isBehindProxy = flags['behind-proxy'] ?? false
  const domain = flags.domain === undefined ? undefined : checkDomain(flags.domain, '--domain')
  const hosts = flags.host?.split(',').map(name => checkDomain(name.trim(), '--host')) ?? []
  const isOtherDomain = domain !== undefined && ![new URL(publicUrl).hostname, ...domains].includes(domain)
  const isOtherOperator = flags.operator !== undefined && !operators.includes(flags.operator.trim().toLowerCase())
  const lines = [
    ...(isOtherDomain ? [`PUBLIC_URL=https://${domain}`, `MAIL_DOMAINS=${domain}`] : []),
    ...(hosts.some(host => !mailHosts.includes(host)) ? [`MAIL_HOST=${hosts.join()}`] : []),
    ...otherHost(flags.ip, config),
    ...(isOtherOperator ? [`OPERATORS=${flags.operator}`] : []),
    ...(isBehindProxy && (acme || trustedProxies.length === 0) ? [...PROXY_SETTINGS, 'neither ACME_EMAIL nor HTTPS_PORT'] : []),
    ...(flags.email !== undefined && !isBehindProxy && flags.email !== acme?.email ? [`ACME_EMAIL=${flags.email}`] : []),
  ]
  if (lines.length === 0) return
  const remedy = `To have what these flags say, write there, and run "mayfly setup" without them:`
  throw new CommandError(EXIT.failed, plain([`${file} exists and is not changed. ${remedy}`, ...lines].join('\n  ')))
}

/** HOST for addresses on which the server would not listen: of the other family, or another public one. A proxy has its own. */
function otherHost(given: readonly string[] | undefined, { host, proxyProtocolFrom }: Config): string[] {
  if (given === undefined || proxyProtocolFrom.length > 0 || host === '::' || isIP(host) === 0) return []
  const addresses = parseIpOptions(given)
  if (addresses.some(address => isIP(address) !== isIP(host))) return ['HOST=::']
  return isPublicIp(host) && !addresses.includes(host) ? [`HOST=${addresses.length > 1 ? '0.0.0.0' : addresses[0]}`] : []
}

/** Before anything is written. `held`: the socket unit of a server that is set up already. */
async function refuseTakenPorts(config: Config, held: string | undefined): Promise<void> {
  const isOurs = (await isSocketActive()) || (await identifyServer(config.dataDir)) !== undefined
  const asked = listenersOf(config).filter(({ port }) => !isOurs || held?.includes(`:${port}\n`) === false)
  const taken = (await Promise.all(asked.map(freePort))).filter(({ status }) => status !== 'ok')
  if (taken.length === 0) return
  const proxy = config.acme && taken.some(({ sentence }) => /^HTTP/.test(sentence)) ? ' A web server can stay: add --behind-proxy.' : ''
  const problems = taken.map(({ sentence, remedy }) => `${sentence} ${remedy}`).join('\n')
  throw new CommandError(EXIT.failed, `${problems}${proxy}\nNothing was written.`)
}

/** `undefined` without one: systemd then holds no ports. */
export const socketUnit = (): string | undefined => readIfThere(SOCKET)

/** `before`: what `socketUnit` was when the units were started last. Other ports are opened only after the server has let go of them. */
export function startUnits(before: string | undefined, verb: 'start' | 'restart' = 'start'): void {
  const systemctl = (...args: string[]) => {
    try {
      execFileSync('systemctl', args, { stdio: ['ignore', 2, 2] })
    } catch (cause) {
      const remedy = 'See: journalctl -n 30 -u mayfly -u mayfly.socket'
      throw new CommandError(EXIT.failed, `"systemctl ${args.join(' ')}" failed. ${remedy}`, { cause })
    }
  }
  const ports = socketUnit()
  const isKept = ports === before
  systemctl('daemon-reload')
  if (!isKept) systemctl('stop', ...(before === undefined ? [] : ['mayfly.socket']), 'mayfly')
  const units = [...(ports === undefined ? [] : ['mayfly.socket']), 'mayfly']
  systemctl('enable', '--quiet', ...units)
  for (const unit of units) systemctl(unit === 'mayfly' && isKept ? verb : 'start', unit)
}

/** Empty is what an unset variable of a shell becomes: a question is asked, but the files would go to the machine itself. */
function parseFlags(given: Flags): Flags {
  if (given.root === '') throw new CommandError(EXIT.usage, '--root needs a folder.')
  return { ...given, domain: given.domain || undefined, host: given.host || undefined, operator: given.operator || undefined }
}

type Question = 'domain' | 'host' | 'email' | 'operator'

/** On a terminal each setting without a flag is asked for until the answer can be used, the address only when the machine cannot tell. */
async function ask(flags: Flags, openTerminal: () => Interface | undefined): Promise<Answers> {
  using terminal = openTerminal()
  const untilUsable = async <T>(question: string, read: (answer: string) => T): Promise<T> => {
    for (let problem = ''; ; ) {
      const answer = await terminal?.question(`${problem}${question}: `).catch((cause: unknown) => {
        throw new CommandError(EXIT.failed, 'The questions were ended: nothing was set up. Start "mayfly setup" again.', { cause })
      })
      try {
        return read(answer?.trim() ?? '')
      } catch (error) {
        if (!terminal || !(error instanceof CommandError)) throw error
        problem = `${error.message}\n`
      }
    }
  }
  const answerTo = (flag: Question, question: string, fallback?: string, check?: (answer: string) => void) => {
    const read = (given: string) => {
      const answer = readAnswer(flag, given || fallback)
      check?.(answer)
      return answer
    }
    const given = flags[flag]?.trim()
    return given === undefined ? untilUsable(`${question}${fallback === undefined ? '' : ` [${fallback}]`}`, read) : read(given)
  }
  const isBehindProxy = flags['behind-proxy'] ?? false
  const domain = await answerTo('domain', 'Domain of the site and of its addresses')
  const host = await answerTo('host', 'Name of the mail server', `mx.${domain}`)
  const operator = await answerTo('operator', "E-mail address of the account that opens the operator's page", undefined, given => {
    if (csv(given.toLowerCase()).some(email => email.endsWith(`@${domain}`)))
      throw new CommandError(EXIT.usage, `--operator needs a mailbox elsewhere: an address at ${domain} cannot sign up.`)
  })
  const [firstOperator] = csv(operator)
  const email = isBehindProxy ? operator : await answerTo('email', 'E-mail address for the certificate authority', firstOperator)
  if (terminal && flags.ip === undefined && ownAddresses().length === 0)
    flags.ip = await untilUsable('Public IP address of this machine', answer => [...parseIpOptions([answer])])
  return { domain, host, email, operator, isBehindProxy }
}

function readAnswer(flag: Question, answer: string | undefined): string {
  if (answer === undefined) throw new CommandError(EXIT.usage, `"setup" needs --${flag}.`)
  if (HAS_CONTROL.test(answer) || /["'`\\]/.test(answer)) {
    throw new CommandError(EXIT.usage, `--${flag} may hold no line break, control character, quote or backslash: "${plainLine(answer)}".`)
  }
  if (flag === 'domain') return checkDomain(answer, '--domain')
  if (flag === 'host')
    return csv(answer)
      .map(name => checkDomain(name, '--host'))
      .join(',')
  if (!(flag === 'email' ? z.safeParse(emailType, answer) : z.safeParse(emails, answer)).success)
    throw new CommandError(EXIT.usage, `--${flag} needs an e-mail address, e.g. you@elsewhere.example, not "${plainLine(answer)}".`)
  return answer
}

function settings({ domain, host, email, operator, isBehindProxy }: Answers, addresses: readonly string[]): string {
  const https = isBehindProxy ? PROXY_SETTINGS : ['HTTP_PORT=80', 'HTTPS_PORT=443', `ACME_EMAIL=${email}`]
  return `${[
    '# Every variable is explained in docs/configuration.md. Names and values only. To check it: mayfly check-config FILE',
    `PUBLIC_URL=https://${domain}`,
    `MAIL_DOMAINS=${domain}`,
    `MAIL_HOST=${host}`,
    'DATA_DIR=/var/lib/mayfly',
    'SMTP_PORT=25',
    ...(addresses.some(address => address.includes(':')) ? ['HOST=::'] : []),
    ...https,
    `OPERATORS=${operator}`,
  ].join('\n')}\n`
}

function makeUser(): void {
  try {
    execFileSync('getent', ['passwd', 'mayfly'], { stdio: 'ignore' })
  } catch {
    execFileSync('useradd', ['--system', '--home-dir', '/var/lib/mayfly', '--shell', '/usr/sbin/nologin', 'mayfly'], { stdio: 'inherit' })
  }
}

/** The unit and the commands name this very release and its Node, or the link to them. Returns the settings. */
function writeSystem(at: (...names: string[]) => string, content: string | undefined, isOwned: boolean): Config {
  const adapt = (name: string) => deployFile(name, installedAs())
  const own = (path: string, owner: string) => isOwned && execFileSync('chown', [owner, path], { stdio: 'inherit' })
  const put = (path: string, mode: number, text: string) => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text, { mode })
    chmodSync(path, mode)
  }
  for (const [folder, mode, owner] of [
    [at('etc/mayfly'), 0o750, 'root:mayfly'],
    [at('var/backups/mayfly'), 0o700, 'mayfly:mayfly'],
  ] as const) {
    mkdirSync(folder, { recursive: true })
    chmodSync(folder, mode)
    own(folder, owner)
  }
  if (content !== undefined) put(at(SETTINGS), 0o640, content)
  own(at(SETTINGS), 'root:mayfly')
  chmodSync(at(SETTINGS), statSync(at(SETTINGS)).mode | GROUP_MAY_READ)
  const config = readSettings(at(SETTINGS))
  const { folder } = installedAs()
  if (isOwned && folder !== root && !existsSync(folder)) symlinkSync(join(RELEASES, basename(root)), folder)
  put(at('usr/local/bin/mayfly'), 0o755, adapt('mayfly-command'))
  put(at('usr/local/bin/mayfly-certificate'), 0o755, adapt('mayfly-certificate'))
  const sockets = listenStreams(config)
  const socket = at(SOCKET)
  // systemd knows addresses only, no names.
  if (sockets.length === 0) rmSync(socket, { force: true })
  else
    put(
      socket,
      0o644,
      adapt('mayfly.socket')
        .replace(/^ListenStream=.*\n/gm, '')
        .replace('[Socket]\n', `[Socket]\n${sockets.join('\n')}\n`),
    )
  const service = adapt('mayfly.service')
  for (const name of ['mayfly-backup.service', 'mayfly-backup.timer']) put(at('etc/systemd/system', name), 0o644, adapt(name))
  put(at('etc/systemd/system/mayfly.service'), 0o644, sockets.length > 0 ? service : service.replace(/^Requires=.*\n/m, ''))
  return config
}

const START_MS_MAX = 60_000
const CHECK_MS = 250

/** The doctor would report a server that has not finished starting. */
async function untilRunning(dataDir: string): Promise<void> {
  const endsAt = performance.now() + START_MS_MAX
  while (!(await identifyServer(dataDir)) && performance.now() < endsAt) await sleep(CHECK_MS)
}
