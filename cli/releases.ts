/**
 * `mayfly upgrade` and `mayfly rollback`. Each release has a folder of its own, `current` is a link to the one that runs, `previous` to the
 * one before. A release is built and checked before the link changes, and its folder is never changed while it runs.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkStoredFormats } from '#server/database/stored-formats.ts'
import { identifyServer } from '#server/operator/control.ts'
import type { Config } from '#server/platform/config/config.ts'
import { currentFormats } from '#server/platform/formats.ts'
import { root } from '#server/platform/installation.ts'
import { configuredStore } from '#server/store/configured-store.ts'
import { CommandError, EXIT } from '../client/cli/exit-codes.ts'
import type { Write } from './command.ts'
import { CURRENT, RELEASES, refuseForeignOwner } from './deploy-file.ts'
import { readSettings, SETTINGS } from './settings-file.ts'
import { socketUnit, startUnits } from './setup.ts'

const PREVIOUS = 'previous'
/** An unfinished release: what an interrupted upgrade leaves, and the next one removes. */
const UNFINISHED = '.new-'
const BACKUPS = '/var/backups/mayfly'
const READY_MS_MAX = 60_000
const CHECK_MS = 100

type Stored = { readonly mail?: number; readonly site?: number; readonly cluster?: number }

/** The machine's part in a change of release. Tests start and stop the server themselves. */
type Machine = {
  /** The folder with `releases` and `current`. */
  readonly place: string
  readonly settings: string
  /** A folder that is there while systemd runs: only it can start the other release. */
  readonly systemd: string
  /** Makes the files outside of the releases those of the current one, and the server run it. */
  restart(): void | Promise<void>
  /** A whole copy of the data, by the release that runs. */
  backup(folder: string): void
}

/** `upgrade [SOURCE]`: a packed release, a folder, or a Git URL (`#` before a branch); by default where the current one was cloned from. */
export async function upgrade([source]: readonly string[], write: Write, machine = thisMachine()): Promise<void> {
  refuseWithoutSystemd(machine)
  const releases = join(machine.place, RELEASES)
  for (const name of readdirSync(releases)) if (name.startsWith(UNFINISHED)) rmSync(join(releases, name), { recursive: true })
  // The server's user reads what this makes.
  process.umask(0o022)
  const draft = mkdtempSync(join(releases, UNFINISHED))
  chmodSync(draft, 0o755)
  try {
    fetchRelease(source ?? originOf(join(machine.place, CURRENT)), draft)
    const name = nameOf(draft, releases)
    write(`Building ${name} …\n`)
    run(['npm', 'run', 'build'], draft)
    const { before, formats } = await refuseUnusable(draft, machine)
    write(`Trying whether ${name} starts …\n`)
    await tryStart(draft, readSettings(machine.settings))
    if (Object.entries(before).some(([kind, format]) => format !== formats[kind])) {
      const copy = join(BACKUPS, `before-${name}-${new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14)}`)
      machine.backup(copy)
      write(`It changes the databases; what they are now is in ${copy}\n`)
    }
    renameSync(draft, join(releases, name))
    try {
      await switchTo(name, machine, write)
    } catch (error) {
      if (linkedRelease(machine.place, CURRENT) !== name) rmSync(join(releases, name), { recursive: true })
      throw error
    }
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  removeUnused(machine.place)
}

/** `rollback [RELEASE]`: back to the release before, or to one that lies in `releases`. */
export async function rollback([given]: readonly string[], write: Write, machine = thisMachine()): Promise<void> {
  refuseWithoutSystemd(machine)
  const name = given ?? linkedRelease(machine.place, PREVIOUS)
  const kept = readdirSync(join(machine.place, RELEASES)).filter(entry => !entry.startsWith('.'))
  if (name === undefined || !kept.includes(name) || name === linkedRelease(machine.place, CURRENT)) {
    throw new CommandError(EXIT.notFound, `"rollback" needs another release than the current one. There are: ${kept.join(', ')}`)
  }
  if (process.getuid?.() === 0) refuseForeignOwner(join(machine.place, RELEASES, name))
  await refuseUnusable(join(machine.place, RELEASES, name), machine)
  await switchTo(name, machine, write)
}

function thisMachine(): Machine {
  if (process.getuid?.() !== 0) throw new CommandError(EXIT.failed, 'Run this as root.')
  const place = dirname(dirname(root))
  if (basename(dirname(root)) !== RELEASES || !existsSync(join(place, CURRENT))) {
    const remedy = 'Move it to /opt/mayfly/releases/first and run "npm run mayfly -- setup" there.'
    throw new CommandError(EXIT.failed, `${root} is no folder of releases, so nothing can be switched. ${remedy}`)
  }
  refuseForeignOwner(join(place, RELEASES))
  let ports = socketUnit()
  return {
    place,
    settings: SETTINGS,
    systemd: '/run/systemd/system',
    restart() {
      run([...mayflyOf(join(place, CURRENT)), 'setup', '--files'], place, '')
      const before = ports
      // The way back begins with these, even if the server does not start with them.
      ports = socketUnit()
      startUnits(before, 'restart')
    },
    backup: folder => run(['/usr/local/bin/mayfly', 'backup', folder], place),
  }
}

/** Before a minute of building, not after it. */
function refuseWithoutSystemd({ place, systemd }: Machine): void {
  if (existsSync(systemd)) return
  const remedy = `Unpack the other release into a folder of its own in ${join(place, RELEASES)}, run "npm run build" there, let ${join(place, CURRENT)} link to it, and restart the server.`
  throw new CommandError(EXIT.failed, `There is no systemd here to restart the server, so nothing was changed. ${remedy}`)
}

function fetchRelease(source: string, folder: string): void {
  const [url = '', branch] = source.split('#')
  if (![source, url].some(path => existsSync(path)) && !source.includes(':'))
    throw new CommandError(EXIT.failed, `${url || '""'} does not exist: name a packed release, a folder or a Git URL.`)
  if (existsSync(join(source, 'package.json'))) {
    const left = new Set(['.git', 'node_modules', 'dist', 'data'].map(name => join(resolve(source), name)))
    cpSync(resolve(source), folder, { recursive: true, filter: path => !left.has(path) })
  } else if (/\.t(?:ar\.)?gz$/.test(source))
    run(['tar', 'xzf', resolve(source), '-C', folder, '--strip-components=1', '--no-same-owner', '--no-same-permissions'], folder)
  else run(['git', 'clone', '--quiet', '--depth=1', ...(branch === undefined ? [] : ['--branch', branch]), '--', url, folder], folder)
  if (versionOf(folder) === undefined) throw new CommandError(EXIT.failed, `${hidePassword(source)} is no release of Mayfly.`)
}

/** `undefined` if the folder holds something else. */
function versionOf(folder: string): string | undefined {
  try {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    // It becomes the name of a folder.
    return name === 'mayfly' && /^\d[\w.+-]*$/.test(version) ? version : undefined
  } catch {
    return undefined
  }
}

function originOf(folder: string): string {
  try {
    return output(['git', '-C', realpathSync(folder), 'remote', 'get-url', 'origin'])
  } catch (cause) {
    throw new CommandError(EXIT.usage, '"upgrade" needs the new release: mayfly-VERSION-source.tgz, a folder or a Git URL.', { cause })
  }
}

/** The version, with its commit in a clone, and a number where that name is taken. */
function nameOf(folder: string, releases: string): string {
  const commit = existsSync(join(folder, '.git')) ? `-${output(['git', '-C', folder, 'rev-parse', '--short', 'HEAD'])}` : ''
  const name = `${versionOf(folder)}${commit}`
  if (!existsSync(join(releases, name))) return name
  for (let number = 2; ; number++) if (!existsSync(join(releases, `${name}.${number}`))) return `${name}.${number}`
}

/** @throws CommandError if this release cannot use the settings or what is stored. */
async function refuseUnusable(release: string, { settings }: Machine): Promise<{ before: Stored; formats: Record<string, number> }> {
  const before = await storedFormats(readSettings(settings))
  const asked = Object.entries(before).map(([kind, format]) => `--${kind}=${format}`)
  try {
    const { formats } = JSON.parse(output([...mayflyOf(release), 'check-config', settings, ...asked, '--json']))
    return { before, formats }
  } catch (cause) {
    const said = cause instanceof Error && 'stderr' in cause ? String(cause.stderr) : ''
    const sentence = /"message":("(?:[^"\\]|\\.)*")/.exec(said)?.[1]
    const error = /^\w*Error\b.*/m.exec(said)?.[0] ?? (said.trim() || 'It does not know "check-config".')
    const reason = sentence === undefined ? error : String(JSON.parse(sentence))
    throw new CommandError(EXIT.failed, `${basename(release)} cannot take over, and nothing was changed. ${reason}`, { cause })
  }
}

/** A running server has brought them to its own formats, perhaps only in its log. */
async function storedFormats(config: Config): Promise<Stored> {
  const running = await identifyServer(config.dataDir)
  if (!running) return await checkStoredFormats(config)
  const formats = running.formats ?? currentFormats()
  const { format } = configuredStore(config)
  return { [format]: formats[format], site: formats.site }
}

/** It runs as the server's user, on ports and in a folder of its own: a build that cannot run must not take the place of one that does. */
async function tryStart(release: string, { dataDir }: Config): Promise<void> {
  const { uid, gid } = statSync(dataDir)
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-trial-'))
  chownSync(folder, uid, gid)
  const env = { ...outerEnvironment(), DATA_DIR: folder, HOST: '127.0.0.1', HTTP_PORT: '0', SMTP_PORT: '0', DNS_SERVERS: 'off' }
  const child = spawn(nodeOf(release), ['dist/server/main.js'], {
    cwd: release,
    env,
    uid,
    gid,
    stdio: ['ignore', 'pipe', 2],
    timeout: READY_MS_MAX,
  })
  if (child.stdout === null) throw new TypeError('stdout is a pipe')
  let isReady = false
  createInterface({ input: child.stdout }).on('line', line => {
    isReady ||= line.includes('"Ready"')
    if (isReady) child.kill('SIGTERM')
  })
  await once(child, 'close')
  rmSync(folder, { recursive: true, force: true })
  if (!isReady) throw new CommandError(EXIT.failed, `${basename(release)} was built but does not start. Nothing was changed.`)
}

/** Changes the link in one step and waits for the server; goes back if it does not become ready. */
async function switchTo(name: string, machine: Machine, write: Write): Promise<void> {
  const { place, settings } = machine
  const config = readSettings(settings)
  const former = linkedRelease(place, CURRENT)
  const startedAt = Date.now()
  link(place, CURRENT, name)
  try {
    await machine.restart()
    await untilReady(config, startedAt)
  } catch (cause) {
    if (former === undefined || !(await canReturn(config))) throw cause
    link(place, CURRENT, former)
    await machine.restart()
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new CommandError(EXIT.failed, `${name} did not start, so ${former} runs again. ${reason} See: journalctl -u mayfly`, { cause })
  }
  if (former !== undefined) link(place, PREVIOUS, former)
  write(`${name} runs. To go back: mayfly rollback\n`, { release: name, previous: former ?? null })
}

async function untilReady({ dataDir }: Config, startedAt: number): Promise<void> {
  const endsAt = performance.now() + READY_MS_MAX
  while (performance.now() < endsAt) {
    const running = await identifyServer(dataDir)
    if (running && running.startedAt >= startedAt) return
    await sleep(CHECK_MS)
  }
  throw new CommandError(EXIT.failed, `It was not ready within ${READY_MS_MAX / 1000} s.`)
}

/** This code is of the release before. */
function canReturn(config: Config): Promise<boolean> {
  return checkStoredFormats(config).then(
    () => true,
    () => false,
  )
}

function linkedRelease(place: string, name: string): string | undefined {
  try {
    return basename(readlinkSync(join(place, name)))
  } catch {
    return undefined
  }
}

function link(place: string, name: string, release: string): void {
  const draft = join(place, `.${name}`)
  rmSync(draft, { force: true })
  symlinkSync(join(RELEASES, release), draft)
  renameSync(draft, join(place, name))
}

/** Keeps the current one, the one before, and any that a process still runs in. */
function removeUnused(place: string): void {
  const kept = new Set([linkedRelease(place, CURRENT), linkedRelease(place, PREVIOUS)])
  const inUse = new Set(processFolders())
  for (const name of readdirSync(join(place, RELEASES))) {
    const entry = join(place, RELEASES, name)
    // A link is removed, not what it leads to.
    const folder = existsSync(entry) ? realpathSync(entry) : entry
    if (!kept.has(name) && ![...inUse].some(path => path === folder || path.startsWith(`${folder}/`))) rmSync(entry, { recursive: true })
  }
}

function processFolders(): string[] {
  return readdirSync('/proc').flatMap(pid => {
    try {
      return /^\d+$/.test(pid) ? [readlinkSync(`/proc/${pid}/cwd`)] : []
    } catch {
      return []
    }
  })
}

function nodeOf(release: string): string {
  const own = join(release, relative(root, process.execPath))
  return existsSync(own) ? own : process.execPath
}

const mayflyOf = (release: string) => [nodeOf(release), join(release, 'cli/mayfly.ts')]

/** Without the server's settings, which `mayfly` runs with: they hold passwords, and are of no use to a build. */
function outerEnvironment(): Record<string, string | undefined> {
  const passed = /^(?:PATH|HOME|LANG|TMPDIR|NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR)|(?:https?|no)_proxy|npm_config_.*)$/i
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => passed.test(name)))
}

/** Hides the user and password of a Git URL, or a token in their place. */
const hidePassword = (text: string) => text.replaceAll(/(:\/+)\S*@/g, '$1***@')

/** Its words are for a person. */
function run([command = '', ...args]: readonly string[], cwd: string, after = ' Nothing was switched.'): void {
  try {
    execFileSync(command, args, { cwd, env: outerEnvironment(), stdio: ['ignore', 2, 2] })
  } catch (cause) {
    throw new CommandError(EXIT.failed, `"${hidePassword([command, ...args].join(' '))}" failed.${after}`, { cause })
  }
}

function output([command = '', ...args]: readonly string[]): string {
  return execFileSync(command, args, { env: outerEnvironment(), encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
}
