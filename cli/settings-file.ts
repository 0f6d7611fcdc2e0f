/** The settings file of an installation, read as the server would at its next start. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { dirname, join } from 'node:path'
import { readNamedCertificate } from '#server/platform/certificates/mail-certificate.ts'
import { type Config, ConfigError, listenersOf, readConfig } from '#server/platform/config/config.ts'
import { DEFAULT_DOMAIN } from '#server/platform/config/settings.ts'
import { currentFormats, type Formats, requireFormat } from '#server/platform/formats.ts'
import { CommandError, EXIT } from '../client/cli/exit-codes.ts'
import { plainLine } from '../client/cli/terminal.ts'
import type { Given, Write } from './command.ts'

/** The unit and the commands of deploy/ name the same path. */
export const SETTINGS = '/etc/mayfly/mayfly.env'
const STREAMS = /^ListenStream=.*$/gm
const OTHERS_MAY_READ = 0o004

/** Other releases ask before a switch to this one whether it knows what they have stored: a format by its kind. */
type StoredFormats = { readonly [Kind in keyof Formats]?: string | undefined }

/** `check-config FILE`: reads it as the server would at its next start. The running server and this process's environment play no part. */
export function checkConfig({ args: [file = ''], values }: Given<StoredFormats>, write: Write): void {
  const config = readSettings(file)
  const { publicUrl, formerHosts, domains, mailHosts } = config
  // A start would be refused, with the old server stopped already.
  readNamedCertificate(config)
  for (const kind of ['mail', 'site', 'cluster'] as const) {
    const place = kind === 'site' ? 'The database of accounts' : 'The mail store'
    if (values[kind] !== undefined) requireFormat(kind, { place, format: Number(values[kind]), writtenBy: undefined })
  }
  const result = { file, publicUrl, formerHosts, domains, mailHosts, formats: currentFormats() }
  const former = formerHosts.length > 0 ? ` (redirected from ${formerHosts.join(', ')})` : ''
  write(`${file} can be used: ${publicUrl}${former}, mail for ${domains.join(', ')} at ${mailHosts.join(', ')}.\n`, result)
  const sockets = readIfThere(join(dirname(file), '../systemd/system/mayfly.socket'))?.match(STREAMS) ?? []
  if (sockets.length > 0 && sockets.join() !== listenStreams(config).join())
    write('HOST or a port has changed: instead of a restart run "mayfly setup", or the server refuses the sockets that systemd holds.\n')
  if (new URL(publicUrl).protocol === 'https:' && domains.includes(DEFAULT_DOMAIN))
    write(
      `MAIL_DOMAINS names no domain of yours: until "mayfly domain add", visitors get addresses at ${DEFAULT_DOMAIN}, where no mail arrives.\n`,
    )
  if ((statSync(file).mode & OTHERS_MAY_READ) !== 0) write('It may hold passwords and every user can read it: chgrp mayfly, chmod 0640\n')
  if (sockets.length > 0 && !canServerRead(file, config))
    write(`The server's user cannot read it, so commands and backups fail: chgrp mayfly ${dirname(file)} ${file} && chmod 0640 ${file}\n`)
}

/** systemd reads the settings as root. Commands read them as the user of the server, to whom the data folder belongs. */
function canServerRead(file: string, { dataDir }: Config): boolean {
  if (process.getuid?.() !== 0 || !existsSync(dataDir)) return true
  const { uid, gid } = statSync(dataDir)
  return spawnSync('test', ['-r', file], { uid, gid }).status === 0
}

export function readSettings(file: string): Config {
  const found = statSync(file, { throwIfNoEntry: false })
  if (found?.isDirectory() || found?.isCharacterDevice())
    throw new CommandError(EXIT.failed, `${plainLine(file)} is no file: name the settings file, e.g. ${SETTINGS}`)
  let content: string
  try {
    content = readFileSync(file, 'utf8')
  } catch (cause) {
    throw new CommandError(EXIT.failed, `Cannot read ${file}: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
  return parseConfig(content)
}

export function parseConfig(content: string): Config {
  const { values, problems } = parseSettings(content)
  let config: Config | undefined
  try {
    config = readConfig(values)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    problems.push(...error.problems)
  }
  if (config === undefined || problems.length > 0) throw new ConfigError(problems)
  return config
}

/** A line break in an answer would begin another setting. */
export const HAS_CONTROL = /\p{Cc}|[\u2028\u2029]/u

/** Only what systemd's EnvironmentFile and Node's --env-file understand alike. */
function parseSettings(content: string) {
  const values: Record<string, string> = {}
  const problems = content.startsWith('\uFEFF') ? ['Line 1 begins with a byte order mark: save the file without it'] : []
  for (const [index, raw] of content.split(/\r?\n/).entries()) {
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) continue
    const [, name, value = ''] = /^([A-Za-z_]\w*)=(.*)$/.exec(line) ?? []
    if (name === undefined) problems.push(`Line ${index + 1} is neither NAME=value nor a comment`)
    else if (Object.hasOwn(values, name)) problems.push(`Line ${index + 1} sets ${name} a second time`)
    else if (/^\s*["'`]/.test(value)) problems.push(`Line ${index + 1} sets ${name} in quotes: leave them out`)
    else if (value.includes('\\')) problems.push(`Line ${index + 1} sets ${name} with a backslash, which systemd removes`)
    else if (HAS_CONTROL.test(value)) problems.push(`Line ${index + 1} sets ${name} with a control character`)
    else values[name] = value
    if (value.includes('#')) problems.push(`Line ${index + 1} sets ${name} with a #, which begins a comment for Node: in a URL write %23`)
  }
  return { values, problems }
}

export function listenStreams(config: Config): string[] {
  const listeners = listenersOf(config)
  if (listeners.some(({ host }) => isIP(host) === 0)) return []
  return listeners.map(({ host, port }) => `ListenStream=${isIP(host) === 6 ? `[${host}]` : host}:${port}`)
}

export const readIfThere = (path: string): string | undefined => (existsSync(path) ? readFileSync(path, 'utf8') : undefined)
