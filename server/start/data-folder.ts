/** Creates the data folder and the secret in it, and checks its permissions. */
import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { access, chmod, constants, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { type Config, listenersOf } from '#server/platform/config/config.ts'
import { DATABASE_FILES, MOVE_AWAY } from '#server/platform/formats.ts'
import { StartError } from '#server/platform/start-error.ts'

const STICKY = 0o1000
const LOG_ENDS = ['', '-wal', '-shm', '-journal']
const OWN_FILES = new Set([
  'secret',
  'ballast',
  'site-ballast',
  ...Object.values(DATABASE_FILES).flatMap(name => LOG_ENDS.map(end => name + end)),
])

/** Lies in the data folder, and lists the databases to copy, until a restore has finished. */
export const RESTORE_MARKER = 'restore.part'

/** @throws StartError while only a part of a backup may be in the folder: a start would make what is missing, empty. */
export function refuseHalfRestored(dataDir: string): void {
  if (!existsSync(join(dataDir, RESTORE_MARKER))) return
  throw new StartError(
    `A restore into ${dataDir} has not finished. Run "mayfly restore" with the backup once more: it starts over. To use other files, empty the folder first.`,
  )
}

/**
 * Creates the folder and checks that it is writable, so that a wrong one is found at the start and not by the first mail. Only this user
 * may read it.
 * @throws StartError when a file in it belongs to another user
 */
export async function openDataFolder(dataDir: string): Promise<void> {
  refuseHalfRestored(dataDir)
  // Everything created from here on, by SQLite too, is readable by this user only.
  process.umask(0o077)
  await makeFolder(resolve(dataDir))
  await tighten(dataDir)
  const probe = join(dataDir, `.probe-${randomUUID()}`)
  await (await open(probe, 'wx')).close()
  await rm(probe)
  for (const name of await ownFiles(dataDir)) await proveUsable(join(dataDir, name))
}

const ownFiles = async (dataDir: string): Promise<string[]> => (await readdir(dataDir)).filter(name => OWN_FILES.has(name)).sort()

/** Checks access here, because SQLite reports only "unable to open database file". The secret needs no write access. */
async function proveUsable(path: string): Promise<void> {
  const rights = basename(path) === 'secret' ? constants.R_OK : constants.R_OK | constants.W_OK
  try {
    await access(path, rights)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw new StartError(
      `${path} belongs to another user, and this one may not use it: a start as another user (sudo) made it, or a restored backup. ` +
        'Give the whole data folder to this user (chown -R), or choose another folder with DATA_DIR.',
      error,
    )
  }
}

/** Files of earlier versions, and folders made by hand or restored from a backup, may be readable by others. */
async function tighten(dataDir: string): Promise<void> {
  const { mode } = await stat(dataDir)
  // A folder like /tmp is open to everyone on purpose.
  if ((mode & STICKY) === 0) await chmod(dataDir, 0o700).catch(ignoreForeignFile)
  await Promise.all((await ownFiles(dataDir)).map(name => chmod(join(dataDir, name), 0o600).catch(ignoreForeignFile)))
}

/** The file belongs to another user, who decides about it; or it was just removed. */
function ignoreForeignFile(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPERM' && error.code !== 'ENOENT' && error.code !== 'EROFS') throw error
}

/**
 * Creates one folder at a time. Where the system returns ENOENT for a `mkdir` in a folder that exists, as below /proc, Node's recursive
 * mkdir loops forever at full CPU (seen on Node 24).
 */
export async function makeFolder(folder: string, mode = 0o700): Promise<void> {
  if (await isFolder(folder)) return
  const parent = dirname(folder)
  if (parent !== folder) await makeFolder(parent, mode)
  await mkdir(folder, { mode }).catch(async (error: unknown) => {
    // Another process may have just created it.
    if (!(await isFolder(folder))) throw error
  })
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found?.isDirectory() ?? false
}

/** Turns an operating system error into a sentence with a remedy; returns any other error unchanged. */
export function explainStartError(error: unknown, config: Config): unknown {
  if (error instanceof StartError) return error
  if (!(error instanceof Error) || !('code' in error)) return error
  const syscall = 'syscall' in error ? error.syscall : undefined
  const message = syscall === 'listen' ? listenProblem(error, config) : folderProblem(String(error.code), config.dataDir)
  return message ? new StartError(message, error) : error
}

function listenProblem(error: Error & { code?: unknown; port?: number; address?: string }, config: Config): string | undefined {
  const variable = listenersOf(config).find(({ port }) => port === error.port)?.name
  const where = `port ${error.port} on ${error.address}`
  switch (error.code) {
    case 'EADDRINUSE':
      return `${where} is in use by another program. Stop it, or choose another port with ${variable}.`
    case 'EACCES':
      return `${where} needs more rights than this user has. Choose a port above 1023 with ${variable}, or grant CAP_NET_BIND_SERVICE.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${where} cannot be listened on: this machine has no such address. Correct HOST.`
    default:
      return undefined
  }
}

function folderProblem(code: string, dataDir: string): string | undefined {
  switch (code) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `The data folder ${dataDir} cannot be written by this user. Grant the right, or choose another folder with DATA_DIR.`
    case 'ENOENT':
    case 'ENOTDIR':
    case 'EEXIST':
      return `The data folder ${dataDir} cannot be made: something that is not a folder is in the way, or the system allows no folder there. Choose another with DATA_DIR.`
    case 'ENOSPC':
      return `The disk that holds the data folder ${dataDir} is full. Make room, or choose another folder with DATA_DIR.`
    default:
      return undefined
  }
}

/** Anything shorter is not a secret; `openssl rand -hex 16` prints 32 characters. */
const SECRET_CHARS_MIN = 32

/**
 * The server's secret: from the configuration, else from `dataDir/secret`, which the first start creates (mode 0600). Every address and
 * stored token depends on it: without it every live mailbox is lost.
 * @throws StartError if the file cannot be a secret, or is missing beside databases that need it.
 */
export function loadSecret(dataDir: string, configured?: string): string {
  if (configured !== undefined) return configured
  const path = join(dataDir, 'secret')
  if (!existsSync(path)) {
    const orphan = Object.values(DATABASE_FILES).find(name => existsSync(join(dataDir, name)))
    if (orphan !== undefined) throw secretLost(path, join(dataDir, orphan))
    makeSecret(path)
  }
  const secret = readFileSync(path, 'utf8').trim()
  if (secret.length < SECRET_CHARS_MIN) {
    throw new StartError(
      `${path} has fewer than ${SECRET_CHARS_MIN} characters. Restore it from a backup, or remove it and lose every live mailbox.`,
    )
  }
  return secret
}

function secretLost(path: string, database: string): StartError {
  return new StartError(
    `The secret ${path} is missing, and nothing in ${database} can be read without it. Put it back, as that file or in SECRET. ` +
      `To start with nothing instead, ${MOVE_AWAY}.`,
  )
}

// Written under another name and then linked: a crash leaves no half of a secret, and of two processes that start for the first time at
// once, one creates it and the other reads it.
function makeSecret(path: string): void {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  writeFileSync(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true })
  try {
    linkSync(draft, path)
  } catch (error) {
    if (!existsSync(path)) throw error
  } finally {
    rmSync(draft, { force: true })
  }
}
