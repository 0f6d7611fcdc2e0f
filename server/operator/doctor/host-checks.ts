/** Checks the machine: data folder, disk, memory, database, clock, ports. */
import { execFile } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { existsSync } from 'node:fs'
import { access, constants, readFile, statfs } from 'node:fs/promises'
import { createServer, isIP } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { DAY_MS, MIB } from '#contract/limits.ts'
import { type Database, openDatabase, tryTables } from '#server/database/database.ts'
import { readPostgresCertificate } from '#server/database/postgres.ts'
import { checkStoredFormats } from '#server/database/stored-formats.ts'
import { type Config, listenersOf } from '#server/platform/config/config.ts'
import { DATABASE_FILES, UnknownFormat } from '#server/platform/formats.ts'
import { version } from '#server/platform/installation.ts'
import { describeMemory } from '#server/platform/memory/memory-budget.ts'
import { StartError } from '#server/platform/start-error.ts'
import { configuredStore } from '#server/store/configured-store.ts'
import type { ServerIdentity } from '../control.ts'
import { type DoctorContext, errorReason, type Finding, failure, isLocalName, ok, warning } from './context.ts'

/** Memory of the process besides messages in flight: see lab/docs/measurements.md. */
const OWN_MEMORY_BYTES = 256 * MIB
const CLOCK_OFF_MS_MAX = 5000
/** A certificate that expires sooner is told. Its renewal takes a person. */
const CERTIFICATE_DAYS_MIN = 30
const SNTP_TIMEOUT_MS = 2500
/** Seconds from 1900, the epoch of SNTP (RFC 4330), to 1970. */
const SNTP_EPOCH_SECONDS = 2_208_988_800

export async function checkDataFolder({ config: { dataDir } }: DoctorContext): Promise<Finding[]> {
  try {
    await access(dataDir, constants.R_OK | constants.W_OK)
    return [ok('data folder', `The data folder ${dataDir} can be written.`)]
  } catch {
    return [
      failure(
        'data folder',
        `The data folder ${dataDir} is not there yet or cannot be written.`,
        'Start the server once, or give its user the folder (chown).',
      ),
    ]
  }
}

export async function checkDisk({ config }: Pick<DoctorContext, 'config'>): Promise<Finding[]> {
  const { dataDir, diskReserveBytes } = config
  const found = await statfs(dataDir).catch(() => undefined)
  if (!found) return []
  const free = found.bavail * found.bsize
  const [freeMib, reserveMib] = [Math.floor(free / MIB), Math.ceil(diskReserveBytes / MIB)]
  if (free > 2 * diskReserveBytes) return [ok('disk', `${freeMib} MiB are free on the disk of the data folder.`)]
  const remedy = 'Make room, or move DATA_DIR to a larger disk.'
  return [{ check: 'disk', remedy, ...configuredStore(config).describeLowDisk(freeMib, reserveMib) }]
}

export async function checkMemory({ config: { memory: budget } }: DoctorContext): Promise<Finding[]> {
  const wanted = budget.arrivingBytesMax + budget.copiesBytesMax + OWN_MEMORY_BYTES
  if (budget.limitBytes >= wanted) return [ok('memory', describeMemory(budget))]
  const [has, needs] = [Math.floor(budget.limitBytes / MIB), Math.ceil(wanted / MIB)]
  const remedy = `Give the machine or container ${needs} MiB, with MemoryMax of the unit (systemctl edit mayfly) as high, or lower MESSAGE_BYTES_MAX.`
  return [warning('memory', `Only ${has} MiB of memory may be used, and a burst of large mail can need ${needs} MiB.`, remedy)]
}

/** What is stored may be of another version than the program that was just installed. */
export async function checkFormats({ config, identify }: DoctorContext): Promise<Finding[]> {
  try {
    const { mail, site } = await checkStoredFormats(config, { isRunning: (await identify()) !== undefined })
    const found = [...(mail ? [`mail is in format ${mail}`] : []), ...(site ? [`accounts are in format ${site}`] : [])]
    return found.length > 0 ? [ok('formats', `What is stored fits version ${version}: ${found.join(', ')}.`)] : []
  } catch (error) {
    // A database that cannot be reached is the matter of another check.
    if (!(error instanceof UnknownFormat)) return []
    return [failure('formats', error.fact, error.remedy)]
  }
}

type DatabaseContext = Pick<DoctorContext, 'config' | 'identify' | 'clock'>

export async function checkDatabase({ config, identify, clock }: DatabaseContext): Promise<Finding[]> {
  if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, DATABASE_FILES.site))) {
    if ((await identify()) === undefined) return []
    return [failure('database', 'The server runs, but its database site.db is gone.', 'Stop the server and restore a backup.')]
  }
  try {
    await using opened = await openDatabase(config)
    // A server may refuse all writes and still answer, and one table may be gone or shut.
    await tryTables(opened).catch(error => Promise.reject(opened.explain(error)))
    const answers = ok('database', `The database of the site answers (${await productOf(opened)}).`)
    return [answers, ...(config.databaseUrl === undefined ? [] : await checkDatabaseCertificate(config.databaseUrl, clock))]
  } catch (error) {
    if (error instanceof StartError) return [failure('database', 'The database of the site cannot be used.', error.message)]
    const sentence = `The database of the site cannot be used: ${errorReason(error)}`
    return [failure('database', sentence, 'Check DATABASE_URL and that its server runs.')]
  }
}

async function checkDatabaseCertificate(databaseUrl: string, clock: () => number): Promise<Finding[]> {
  const expiresAt = await readPostgresCertificate(databaseUrl)
  if (expiresAt === undefined || expiresAt - clock() > CERTIFICATE_DAYS_MIN * DAY_MS) return []
  const sentence = `The certificate of PostgreSQL expires on ${new Date(expiresAt).toISOString().slice(0, 10)}: then no server that verifies it can connect.`
  return [warning('database', sentence, 'Renew it there: deploy/cluster/README.md#renew-the-certificate.')]
}

async function productOf({ db, dialect }: Database): Promise<string> {
  if (dialect === 'sqlite') return dialect
  const { rows } = await sql<{ server_version: string }>`show server_version`.execute(db)
  return `PostgreSQL ${rows[0]?.server_version}`
}

/** The cluster of MAIL_STORE_URL. */
export async function checkCluster({ config, identify }: DoctorContext): Promise<Finding[]> {
  const isReached = async () => (await identify())?.takesMail === true
  return (await configuredStore(config).examine(isReached)).map(finding => ({ check: 'cluster', ...finding }))
}

export async function checkClock({ timeServer, clock: now, config }: DoctorContext): Promise<Finding[]> {
  const isTryingOut = config.domains.every(isLocalName)
  try {
    const offMs = now() - (await askTime(timeServer))
    const seconds = Math.round(Math.abs(offMs) / 1000)
    if (Math.abs(offMs) <= CLOCK_OFF_MS_MAX) return [ok('clock', `The clock is right (compared with ${timeServer}).`)]
    const sentence = `The clock is ${seconds} seconds ${offMs > 0 ? 'ahead' : 'behind'}: addresses, codes and certificates end at the wrong time.`
    return [failure('clock', sentence, 'Let systemd-timesyncd or chrony set it: timedatectl set-ntp true.')]
  } catch {
    if (isTryingOut) return []
    return [
      warning(
        'clock',
        `${timeServer} did not tell the time, so the clock was not compared.`,
        'Allow UDP port 123 to the outside, or check the clock yourself.',
      ),
    ]
  }
}

/** One SNTP request (RFC 4330). @throws if no response comes in time. */
function askTime(server: string): Promise<number> {
  const [host = '', port = '123'] = server.split(':')
  return new Promise((resolve, reject) => {
    const socket = createSocket('udp4')
    let isOver = false
    const end = (error?: Error) => {
      // A name that a slow resolver does not know is told after the time is over. Closing twice would end the process.
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      socket.close()
      if (error) reject(error)
    }
    const timer = setTimeout(() => end(new Error('no answer')), SNTP_TIMEOUT_MS)
    socket.once('error', end)
    socket.once('message', reply => {
      end()
      if (reply.length < 48) return reject(new Error('not an answer'))
      resolve((reply.readUInt32BE(40) - SNTP_EPOCH_SECONDS) * 1000 + Math.floor((reply.readUInt32BE(44) / 2 ** 32) * 1000))
    })
    // Version 4, client mode.
    socket.send(Buffer.concat([Buffer.of(0x23), Buffer.alloc(47)]), Number(port), host, error => error && end(error))
  })
}

/** Asks the running server: a port that another program uses proves nothing. */
export async function checkPorts({ config, identify }: DoctorContext): Promise<Finding[]> {
  const server = await identify()
  if (server) {
    const seconds = Math.round((Date.now() - server.startedAt) / 1000)
    const where = `HTTP on port ${server.httpPort}, SMTP on port ${server.smtpPort}`
    return [
      ok('server', `The server runs: process ${server.pid}, version ${server.version}, for ${seconds} s, ${where}.`),
      ...newerSettings(config, server),
    ]
  }
  if (await isSocketActive()) {
    const sentence = 'systemd holds the ports, and the server behind them does not run.'
    return [failure('server', sentence, 'See why: journalctl -u mayfly -n 30. After a change of HOST or a port run: mayfly setup')]
  }
  const findings = await Promise.all(listenersOf(config).map(freePort))
  return [
    warning('server', 'No server runs on this data folder.', 'Start it, then run the doctor again: most checks need it.'),
    ...findings,
  ]
}

/** A server of an earlier release does not tell them all. */
function newerSettings({ fingerprints }: Config, { settings }: ServerIdentity): Finding[] {
  const changed = Object.keys(fingerprints).filter(name => Object.hasOwn(settings, name) && settings[name] !== fingerprints[name])
  if (changed.length === 0) return []
  const sentence = `These settings have changed since the start: ${changed.join(', ')}.`
  return [warning('settings', sentence, 'Restart the server: systemctl restart mayfly.')]
}

/** Whether systemd holds the ports of the server: it starts the server at the first connection. */
export function isSocketActive(): Promise<boolean> {
  return promisify(execFile)('systemctl', ['is-active', '--quiet', 'mayfly.socket']).then(
    () => true,
    () => false,
  )
}

/** Whether a server could listen there now. */
export async function freePort({ name, host, port }: ReturnType<typeof listenersOf>[number]): Promise<Finding> {
  const trouble = await new Promise<string | undefined>(resolve => {
    const server = createServer()
    server.once('error', error => resolve('code' in error ? String(error.code) : error.message))
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })
  if (trouble === undefined) return ok('port', `${name} ${port} is free: the server can take it.`)
  const listening = await listenersOn(host, port)
  if (trouble === 'EADDRINUSE' || (trouble === 'EACCES' && listening !== '')) {
    const { program, remedy } = await holderOf(port, listening)
    const another = `hoose another ${name}.`
    return failure('port', `${name} ${port} is taken by ${program}.`, remedy === undefined ? `C${another}` : `${remedy}, or c${another}`)
  }
  // A port below 1024, which the systemd unit may take and the user of this command may not.
  if (trouble === 'EACCES') return ok('port', `Nothing listens on ${name} ${port}: the systemd unit can take it.`)
  return failure('port', `${name} ${port} cannot be opened (${trouble}).`, `This machine cannot listen at ${host}: correct HOST.`)
}

/** Lists the sockets that keep a server from listening at `host`, as lines of `ss`. */
async function listenersOn(host: string, port: number): Promise<string> {
  const { stdout } = await promisify(execFile)('ss', ['-Hltnp', `sport = :${port}`]).catch(() => ({ stdout: '' }))
  return stdout
    .split('\n')
    .filter(line => areInConflict(host, line.split(/\s+/)[3] ?? ''))
    .join('\n')
}

/** `local`: address and port of a listener, where `*` is any address, and `[::]` any of IPv6 alone. */
function areInConflict(host: string, local: string): boolean {
  const address = local.replace(/(?:%[^:]*)?:\d+$/, '').replace(/^\[|\]$/g, '')
  if (host === '::' || address === '*' || isIP(host) === 0) return local !== ''
  return isIP(host) === isIP(address) && (host === '0.0.0.0' || ['0.0.0.0', '::', host].includes(address))
}

/** Mail and web servers, by unit. To stop another one could cut off the operator (ssh) or all containers (docker). */
const CAN_BE_DISABLED = new Set(['postfix', 'exim4', 'exim', 'sendmail', 'opensmtpd', 'nginx', 'apache2', 'httpd', 'lighttpd', 'caddy'])

/** Root sees the programs of all users, others only their own. */
async function holderOf(port: number, listening: string): Promise<{ readonly program: string; readonly remedy?: string }> {
  const [, name, pid] = /\("([^"]+)",pid=(\d+)/.exec(listening) ?? []
  if (name === undefined) return { program: 'another program', remedy: `Find it as root (ss -ltnp 'sport = :${port}')` }
  if (pid === '1') return { program: name, remedy: 'Find its unit (systemctl list-sockets)' }
  if (await isMayfly(pid)) return { program: `another Mayfly (process ${pid})`, remedy: 'Use that server, with its own settings' }
  const group = await readFile(`/proc/${pid}/cgroup`, 'utf8').catch(() => '')
  const [, unit = ''] = /\/([^/@]+)(?:@[^/]*)?\.service$/m.exec(group) ?? []
  const program = `${name} (process ${pid})`
  return CAN_BE_DISABLED.has(unit) ? { program, remedy: `Stop it (systemctl disable --now ${unit})` } : { program }
}

async function isMayfly(pid: string | undefined): Promise<boolean> {
  const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')
  return /server\/main\.[jt]s\0/.test(await read('cmdline')) && /^ {2}"name": "mayfly",$/m.test(await read('cwd/package.json'))
}
