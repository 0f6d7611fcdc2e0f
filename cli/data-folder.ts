/** Commands on the data folder itself: backup, restore, adopt-mail-store. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { access, chmod, constants, copyFile, lstat, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { backup as copyDatabase, DatabaseSync } from 'node:sqlite'
import { pipeline } from 'node:stream/promises'
import { pathToFileURL } from 'node:url'
import * as z from 'zod/mini'
import { type DatabaseAccess, openDatabase, writeFact } from '#server/database/database.ts'
import { deriveKeyCheck } from '#server/mail/keys/secret.ts'
import { askServer, identifyServer } from '#server/operator/control.ts'
import { ACME_FILE, ACME_FOLDER, listAcmeFiles } from '#server/platform/certificates/acme-files.ts'
import type { Config } from '#server/platform/config/config.ts'
import { deriveSubkey } from '#server/platform/cryptography.ts'
import { DATABASE_FILES } from '#server/platform/formats.ts'
import { version } from '#server/platform/installation.ts'
import { loadSecret, makeFolder, RESTORE_MARKER, refuseHalfRestored } from '#server/start/data-folder.ts'
import { configuredStore } from '#server/store/configured-store.ts'
import { readMailFact } from '#server/store/sqlite/migrations.ts'
import { openMailDatabase } from '#server/store/sqlite/schema.ts'
import { CommandError, EXIT } from '../client/cli/exit-codes.ts'
import { plainLine } from '../client/cli/terminal.ts'
import type { Given, Write } from './command.ts'

/** Written last: a folder without it is not a complete backup. */
const MANIFEST = 'backup.json'
const DRAFT = `${MANIFEST}.part`
/** A thousand times what is in it; restore reads it before anything is proven. */
const MANIFEST_BYTES_MAX = 1024 ** 2
const SECRET_BYTES_MAX = 4096
const BUSY_TIMEOUT_MS = 5000
/** The names of the files that SQLite makes beside a database end so. */
const LOG_ENDS = ['-wal', '-shm', '-journal']

const manifestSchema = z.object({
  /** The version of the program that made the backup. */
  version: z.string(),
  takenAt: z.string(),
  files: z.array(z.object({ name: z.string(), bytes: z.number(), sha256: z.optional(z.string()) })),
  /** A proof of all above, under a key of the secret. Missing if the backup was made where the secret was not. */
  mac: z.optional(z.string()),
})
type Manifest = z.infer<typeof manifestSchema>

type BackupFlags = { readonly 'with-secret'?: boolean | undefined; readonly keep?: string | undefined }
type RestoreFlags = { readonly unchecked?: boolean | undefined }
type Work = (config: Config, write: Write) => Promise<void>

export function backup({ args: [given = ''], values: { 'with-secret': withSecret = false, keep } }: Given<BackupFlags>): Work {
  if (keep === undefined) return (config, write) => backUp(config, resolve(given), withSecret, write)
  const kept = Number(/^[1-9]\d{0,3}$/.exec(keep)?.[0])
  if (Number.isNaN(kept)) throw new CommandError(EXIT.usage, '--keep takes the number of backups that stay, e.g. 7.')
  return async (config, write) => {
    const name = new Date().toISOString().replaceAll(/[:.]/g, '')
    await backUp(config, join(resolve(given), name), withSecret, write)
    await removeOlder(resolve(given), kept, name)
  }
}

/** As `--keep` names them: the time in UTC. */
const NAMED_BY_TIME = /^\d{4}-\d\d-\d\dT\d{9}Z$/

/** Finished ones, oldest first. */
async function listBackups(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  return names.filter(name => NAMED_BY_TIME.test(name) && existsSync(join(folder, name, MANIFEST))).sort()
}

/** Interrupted backups older than the oldest that stays are removed too. `made` stays, also after a clock that ran ahead. */
async function removeOlder(folder: string, kept: number, made: string): Promise<void> {
  const oldest = (await listBackups(folder)).at(-kept)
  if (oldest === undefined) return
  const older = (await readdir(folder)).filter(name => NAMED_BY_TIME.test(name) && name < oldest && name !== made)
  for (const name of older) await rm(join(folder, name), { recursive: true })
}

async function backUp(config: Config, folder: string, withSecret: boolean, write: Write): Promise<void> {
  const { dataDir, databaseUrl } = config
  const { refusals } = configuredStore(config)
  if (refusals) throw new CommandError(EXIT.failed, refusals.backup)
  if (!existsSync(join(dataDir, DATABASE_FILES.mail))) {
    throw new CommandError(EXIT.failed, `The data folder ${dataDir} has no ${DATABASE_FILES.mail}. Set DATA_DIR to the server's folder.`)
  }
  refuseHalfRestored(dataDir)
  const isSecretHere = config.secret !== undefined || existsSync(join(dataDir, 'secret'))
  const secret = withSecret || isSecretHere ? loadSecret(dataDir, config.secret) : undefined
  // SQLite creates its files with the usual rights; the folder may exist and be open to others.
  process.umask(0o077)
  await makeFolder(folder)
  await claimFolder(folder)
  const certificates = await listAcmeFiles(dataDir)
  const names = [
    DATABASE_FILES.mail,
    ...(databaseUrl === undefined && existsSync(join(dataDir, DATABASE_FILES.site)) ? [DATABASE_FILES.site] : []),
    ...certificates,
  ]
  try {
    // Mail first: if an account's newest address is missing there, it looks like one that has expired.
    await copyMail(dataDir, join(folder, DATABASE_FILES.mail))
    if (names.includes(DATABASE_FILES.site)) await copyFree(join(dataDir, DATABASE_FILES.site), join(folder, DATABASE_FILES.site))
    for (const name of certificates) await copyOwn(join(dataDir, name), join(folder, name))
    if (withSecret) await writeFile(join(folder, 'secret'), `${secret}\n`, { mode: 0o600, flush: true })
    const describe = async (name: string) => ({
      name,
      bytes: (await stat(join(folder, name))).size,
      sha256: await hashFile(join(folder, name)),
    })
    const made = { version, takenAt: new Date().toISOString(), files: await Promise.all(names.map(describe)) }
    const isOwn = secret !== undefined && isSecretOf(join(folder, DATABASE_FILES.mail), secret)
    const manifest: Manifest = isOwn ? { ...made, mac: manifestMac(secret, made) } : made
    const { files } = manifest
    await writeFile(join(folder, DRAFT), `${JSON.stringify(manifest, null, 2)}\n`, { flush: true })
    await rename(join(folder, DRAFT), join(folder, MANIFEST))
    write(files.map(({ name, bytes }) => `${name}  ${bytes} bytes\n`).join(''), { folder, holdsSecret: withSecret, ...manifest })
  } catch (error) {
    const databases = Object.values(DATABASE_FILES).flatMap(name => ['', ...LOG_ENDS].map(end => name + end))
    for (const name of [...databases, ACME_FOLDER, 'secret', MANIFEST, DRAFT])
      await rm(join(folder, name), { force: true, recursive: true })
    throw error
  }
  write(`The backup is whole: ${folder}\n`)
  if (!isSecretHere) write('The secret is not here, so the backup has no proof of its own: restore takes it with --unchecked only.\n')
  write(
    withSecret
      ? 'It holds the secret: whoever has it can read Pro addresses and answer for every other one. Keep it like a password.\n'
      : `The secret is not in it. Keep ${config.secret === undefined ? join(dataDir, 'secret') : 'the value of SECRET'} somewhere else: without it the backup opens nothing.\n`,
  )
  if (certificates.length > 0) write('It holds the private keys of the certificates: only you should be able to read it.\n')
  if (databaseUrl !== undefined) write('Accounts are in PostgreSQL and not in it: back them up with pg_dump.\n')
}

/** One of several backups into one folder at once makes the draft of its manifest. */
async function claimFolder(folder: string): Promise<void> {
  const draft = join(folder, DRAFT)
  const refusal = new CommandError(EXIT.failed, `${folder} is not empty: name a new folder for each backup.`)
  await writeFile(draft, '', { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? refusal : error
  })
  if ((await readdir(folder)).length === 1) return
  await rm(draft)
  throw refusal
}

/** A key or certificate by ACME, which the server replaces as a whole. */
async function copyOwn(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  await copyFile(from, to)
  await chmod(to, 0o600)
}

/** Copied by the server if it runs, because it has locked the database; otherwise copied directly. */
async function copyMail(dataDir: string, path: string): Promise<void> {
  const reply = await askServer(dataDir, { copyMailTo: path })
  if (reply?.failure !== undefined) {
    throw new CommandError(
      EXIT.failed,
      `The server could not write ${path}: ${reply.failure.replace(/\.$/, '')}. Its user needs the right to write there, and room.`,
    )
  }
  if (!reply) await copyFree(join(dataDir, DATABASE_FILES.mail), path)
}

/** Nothing is migrated, so that a backup made before an upgrade opens in the older version. */
async function copyFree(from: string, to: string): Promise<void> {
  const db = new DatabaseSync(from, { timeout: BUSY_TIMEOUT_MS })
  try {
    // SQLite has no error of its own for this lock.
    db.prepare('SELECT count(*) FROM sqlite_schema').get()
    await copyDatabase(db, to)
  } catch (error) {
    if (!(error instanceof Error && /locked|busy/.test(error.message))) throw error
    const where = 'Run this on the machine, or in the container, where the server runs, and as its user.'
    throw new CommandError(EXIT.failed, `${from} is in use by a server that cannot be asked from here. ${where}`, { cause: error })
  } finally {
    db.close()
  }
}

/** A file that is not yet copied. */
const PART = '.part'
const DATABASE_FILE = /^\w+\.db$/

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}

function manifestMac(secret: string, { version, takenAt, files }: Manifest): string {
  const text = JSON.stringify([version, takenAt, files.map(({ name, bytes, sha256 }) => [name, bytes, sha256])])
  return createHmac('sha256', deriveSubkey(secret, 'mayfly backup v1')).update(text).digest('hex')
}

/** The command may have another SECRET than the server, which is found at the restore as well. */
function isSecretOf(mailPath: string, secret: string): boolean {
  // Nobody else writes to the copy, and none of SQLite's own files may stay beside it.
  const url = pathToFileURL(mailPath)
  url.searchParams.set('immutable', '1')
  const mail = new DatabaseSync(url, { readOnly: true })
  const kept = readMailFact(mail, 'key_check')
  mail.close()
  return kept === deriveKeyCheck(secret)
}

/** `restore FOLDER`: restores a backup, or the newest of those named by time below the folder, into an empty data folder. */
export function restore({ args: [given = ''], values: { unchecked: isUnchecked = false } }: Given<RestoreFlags>): Work {
  const folder = resolve(given)
  return async (config, write) => {
    const newest = existsSync(join(folder, MANIFEST)) ? undefined : (await listBackups(folder)).at(-1)
    await restoreFrom(newest === undefined ? folder : join(folder, newest), isUnchecked, config, write)
  }
}

async function restoreFrom(folder: string, isUnchecked: boolean, config: Config, write: Write): Promise<void> {
  const { dataDir } = config
  const { refusals } = configuredStore(config)
  if (refusals) throw new CommandError(EXIT.failed, refusals.restore)
  const manifest = await readManifest(folder)
  const { files, takenAt } = manifest
  await refuseFull(dataDir)
  const hasSecret = config.secret !== undefined || existsSync(join(dataDir, 'secret'))
  const bringsSecret = !hasSecret && existsSync(join(folder, 'secret'))
  const names = files.map(({ name }) => name)
  await writeFile(join(dataDir, RESTORE_MARKER), names.join('\n'), { flag: 'wx', mode: 0o600, flush: true })
  try {
    const secretFolder = bringsSecret ? folder : dataDir
    // First: what nobody has proven is neither copied nor opened.
    if (!isUnchecked && (hasSecret || bringsSecret)) requireMac(manifest, loadSecret(secretFolder, config.secret))
    for (const { name, bytes, sha256 } of files) {
      const copied = await copyWhole(join(folder, name), join(dataDir, name), bytes)
      if (!isUnchecked && sha256 !== undefined && sha256 !== copied) throw refuseAltered(name)
    }
    await checkRestored(config, secretFolder)
    // Last, and never removed again: it may be the only one.
    if (bringsSecret) await copyWhole(join(folder, 'secret'), join(dataDir, 'secret'), SECRET_BYTES_MAX)
    await rm(join(dataDir, RESTORE_MARKER))
  } catch (error) {
    await removeUnfinished(dataDir)
    throw error instanceof CommandError
      ? error
      : new CommandError(EXIT.failed, `Nothing was restored. ${errorText(error)}`, { cause: error })
  }
  const needsSecret = !hasSecret && !bringsSecret
  write(`${dataDir} is what it was at ${plainLine(takenAt)}.\n`, { dataDir, takenAt, needsSecret })
  if (needsSecret) {
    const file = join(dataDir, 'secret')
    write(`The secret is not in this backup: put the old one into ${file} (mode 0600) or set SECRET. Any other is refused.\n`)
  }
  if (config.databaseUrl !== undefined) write('Accounts are in PostgreSQL: restore them with pg_restore or psql, from the same time.\n')
  else write('All are signed out. Passwords, passkeys, API keys and accounts are as they were then, also those that ended since.\n')
  if (bringsSecret) write('The secret came with the backup, so it proves nothing about it.\n')
  if (isUnchecked || !hasSecret)
    write('Nobody has checked whether somebody altered this backup: whoever did may own every account in it.\n')
  write('Then start the server.\n')
}

/** Whoever can write to a backup but does not know the secret can neither alter a row nor leave the proof out. */
function requireMac(manifest: Manifest, secret: string): void {
  const { mac } = manifest
  if (mac === undefined) {
    const sentence = `${MANIFEST} has no proof that it was made with this secret, so somebody may have altered the backup.`
    throw new CommandError(
      EXIT.failed,
      `Nothing was restored. ${sentence} Restore another one, or add --unchecked if nobody else could write to it.`,
    )
  }
  const [given, own] = [mac, manifestMac(secret, manifest)].map(text => createHash('sha256').update(text).digest())
  if (given && own && timingSafeEqual(given, own)) return
  throw new CommandError(
    EXIT.failed,
    `Nothing was restored. ${MANIFEST} is not what was backed up with this secret: it belongs to another one, or somebody altered it. ` +
      'Set the right secret, or restore another backup.',
  )
}

function refuseAltered(name: string): CommandError {
  return new CommandError(
    EXIT.failed,
    `Nothing was restored. ${name} is not what was backed up: somebody altered it. Restore another backup.`,
  )
}

async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, MANIFEST)
  if (!existsSync(folder)) throw new CommandError(EXIT.failed, `There is no folder ${folder}.`)
  await refuseUnreadable(folder, path)
  const written = await lstat(path).catch((cause: unknown) => {
    throw new CommandError(EXIT.failed, `${folder} is not a finished backup: it has no ${MANIFEST}.`, { cause })
  })
  const isReadable = written.isFile() && written.size <= MANIFEST_BYTES_MAX
  const manifest = isReadable ? parseManifest(await readFile(path, 'utf8')) : undefined
  if (manifest === undefined) throw new CommandError(EXIT.failed, `${path} is damaged: restore another backup.`)
  for (const { name, bytes } of manifest.files) {
    if (!DATABASE_FILE.test(name) && !ACME_FILE.test(name))
      throw new CommandError(EXIT.failed, `${path} names ${plainLine(name)}, which is not what was backed up by this program.`)
    await refuseUnreadable(folder, join(folder, name))
    // Not what a link leads to: whoever wrote the backup may not read with the rights of whoever restores it. No pipe either.
    const found = await lstat(join(folder, name)).catch(() => undefined)
    if (found?.isFile() && found.size === bytes) continue
    throw new CommandError(EXIT.failed, `${join(folder, name)} is not what was backed up: it should have ${bytes} bytes.`)
  }
  const secret = await lstat(join(folder, 'secret')).catch(() => undefined)
  if (secret) await refuseUnreadable(folder, join(folder, 'secret'))
  if (secret && (!secret.isFile() || secret.size > SECRET_BYTES_MAX))
    throw new CommandError(EXIT.failed, `${join(folder, 'secret')} is not the file of a secret.`)
  return manifest
}

function parseManifest(text: string): Manifest | undefined {
  try {
    return manifestSchema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** A copy from another machine often belongs to whoever carried it. A file that is missing is reported by the caller. */
async function refuseUnreadable(folder: string, path: string): Promise<void> {
  try {
    await access(path, constants.R_OK)
  } catch (cause) {
    if (!(cause instanceof Error && /EACCES|EPERM/.test(cause.message))) return
    const sentence = `Cannot read ${path}: it belongs to another user. As root: chown -R mayfly:mayfly ${folder}`
    throw new CommandError(EXIT.failed, sentence, { cause })
  }
}

/** A secret may exist already: operators who back it up separately restore it first. What an interrupted restore left is removed. */
async function refuseFull(dataDir: string): Promise<void> {
  await makeFolder(dataDir)
  if (await identifyServer(dataDir)) {
    throw new CommandError(EXIT.failed, `A server is running on ${dataDir}. Stop it, and name an empty folder in DATA_DIR.`)
  }
  await removeUnfinished(dataDir)
  const names = (await readdir(dataDir)).filter(name => name !== 'secret' && !name.endsWith(PART))
  if (names.length === 0) return
  throw new CommandError(
    EXIT.failed,
    `The data folder ${dataDir} is not empty. Move it away, or name an empty one in DATA_DIR: nothing is overwritten.`,
  )
}

/** The files that an interrupted restore has copied so far, and its marker last. */
async function removeUnfinished(dataDir: string): Promise<void> {
  const marker = join(dataDir, RESTORE_MARKER)
  const list = await readFile(marker, 'utf8').catch(() => undefined)
  if (list === undefined) return
  const databases = list.split('\n').filter(name => DATABASE_FILE.test(name))
  for (const name of databases) for (const end of ['', PART, ...LOG_ENDS]) await rm(join(dataDir, name + end), { force: true })
  await rm(join(dataDir, `secret${PART}`), { force: true })
  await rm(join(dataDir, ACME_FOLDER), { recursive: true, force: true })
  await rm(marker)
}

/** At most so many bytes, whatever stands there by now. Resolves to the SHA-256 of what was copied. */
async function copyWhole(from: string, to: string, bytes: number): Promise<string> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  const hash = createHash('sha256')
  const passOn = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk)
      yield chunk
    }
  }
  await rm(to + PART, { force: true })
  await pipeline(
    createReadStream(from, { end: Math.max(bytes, 1) - 1 }),
    passOn,
    createWriteStream(to + PART, { flags: 'wx', mode: 0o600, flush: true }),
  )
  await rename(to + PART, to)
  return hash.digest('hex')
}

/** Opens both databases as the server will: migrates them to this version, and checks that they belong to the secret, if there is one. */
async function checkRestored({ dataDir, secret }: Config, secretFolder: string): Promise<void> {
  const isSecretThere = secret !== undefined || existsSync(join(secretFolder, 'secret'))
  const keyCheck = isSecretThere ? deriveKeyCheck(loadSecret(secretFolder, secret)) : undefined
  refuseForeignCode(dataDir, DATABASE_FILES.mail)
  openMailDatabase(dataDir, { keyCheck }).close()
  if (!existsSync(join(dataDir, DATABASE_FILES.site))) return
  refuseForeignCode(dataDir, DATABASE_FILES.site)
  const site = await openDatabase({ dataDir }, keyCheck === undefined ? undefined : { keyCheck })
  await endSessions(site.db)
  await site[Symbol.asyncDispose]()
}

/** Whoever ended one since the backup would be signed in again, and a link that was mailed then would be mailed again. */
async function endSessions(db: DatabaseAccess['db']): Promise<void> {
  for (const table of ['sessions', 'verified_sessions', 'link_tokens', 'agent_sessions'] as const) await db.deleteFrom(table).execute()
  await db.deleteFrom('outbox').where('contact_message_id', 'is', null).execute()
}

/**
 * A trigger would act for whoever altered the backup for as long as the server runs. SQLite takes its type in any case, and names a virtual
 * table a table. No version of this program makes anything but plain tables and indexes.
 */
function refuseForeignCode(dataDir: string, name: string): void {
  const db = new DatabaseSync(join(dataDir, name))
  const isOurs = ['TABLE', 'INDEX', 'UNIQUE INDEX'].map(kind => `sql LIKE 'CREATE ${kind} %'`).join(' OR ')
  const [found] = db.prepare(`SELECT lower(type) AS type, name FROM sqlite_schema WHERE NOT (${isOurs})`).all()
  db.close()
  if (!found) return
  const sentence = `${name} has a ${found.type} ${plainLine(String(found.name))}, which no version of this program makes: somebody altered it.`
  throw new CommandError(EXIT.failed, `Nothing was restored. ${sentence} Restore another backup.`)
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** `adopt-mail-store`: tells the PostgreSQL of accounts that it now belongs to the mail store of this data folder. */
export async function adoptMailStore(config: Config, write: Write): Promise<void> {
  const { dataDir, databaseUrl } = config
  if (databaseUrl === undefined)
    throw new CommandError(EXIT.failed, 'DATABASE_URL is not set: accounts in a data folder always belong to its mail store.')
  if (!existsSync(join(dataDir, DATABASE_FILES.mail))) {
    throw new CommandError(
      EXIT.failed,
      `The data folder ${dataDir} has no ${DATABASE_FILES.mail}. Set DATA_DIR to the folder of the new mail store.`,
    )
  }
  refuseHalfRestored(dataDir)
  const keyCheck = deriveKeyCheck(loadSecret(dataDir, config.secret))
  const mail = openMailDatabase(dataDir, { keyCheck })
  const storeId = readMailFact(mail, 'store_id')
  mail.close()
  await using site = await openDatabase(config, { keyCheck })
  await writeFact(site.db, 'mail_store_id', storeId ?? '')
  write(`The accounts now belong to the mail store in ${dataDir}. Addresses that only the old one had are gone.\n`, { adopted: dataDir })
}
