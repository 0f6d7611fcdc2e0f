/** `backup FOLDER`: a complete copy of the data folder, whether or not the server runs. */
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { backup as copyDatabase, DatabaseSync } from 'node:sqlite'
import { loadSecret } from '#server/mail/keys/secret.ts'
import { ACME_FOLDER, listAcmeFiles } from '#server/platform/certificates/acme-files.ts'
import type { Config } from '#server/platform/config/config.ts'
import { version } from '#server/platform/installation.ts'
import { EXIT } from '../client/cli/exit-codes.ts'
import { refuseMore, type Write } from './command.ts'
import { CommandError } from './command-error.ts'
import { askServer } from './running-server.ts'

/** Written last: a folder without it is not a complete backup. */
export const MANIFEST = 'backup.json'
const BUSY_TIMEOUT_MS = 5000

export type Manifest = {
  /** The version of the program that made the backup. */
  readonly version: string
  readonly takenAt: string
  readonly files: readonly { readonly name: string; readonly bytes: number }[]
}

export function backup(args: readonly string[]): (config: Config, write: Write) => Promise<void> {
  const withSecret = args.includes('--with-secret')
  const [given, ...more] = args.filter(arg => arg !== '--with-secret')
  if (given === undefined) throw new CommandError(EXIT.usage, '"backup" needs the folder to write to.')
  refuseMore(more)
  const folder = resolve(given)
  return (config, write) => backUp(config, folder, withSecret, write)
}

async function backUp(config: Config, folder: string, withSecret: boolean, write: Write): Promise<void> {
  const { dataDir, databaseUrl } = config
  if (config.mailStoreUrls) {
    throw new CommandError(
      EXIT.failed,
      'Mail is in the cluster of MAIL_STORE_URL, whose own copies (BGSAVE, the append-only file) are its backup. Addresses live too short for another one.',
    )
  }
  if (!existsSync(join(dataDir, 'mail.db'))) {
    throw new CommandError(EXIT.failed, `The data folder ${dataDir} has no mail.db. Set DATA_DIR to the server's folder.`)
  }
  const secret = withSecret ? loadSecret(dataDir, config.secret) : undefined
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await readdir(folder)).length > 0) throw new CommandError(EXIT.failed, `${folder} is not empty: name a new folder for each backup.`)
  const certificates = await listAcmeFiles(dataDir)
  const names = ['mail.db', ...(databaseUrl === undefined && existsSync(join(dataDir, 'site.db')) ? ['site.db'] : []), ...certificates]
  try {
    // Mail first: if an account's newest address is missing there, it looks like one that has expired.
    await copyMail(dataDir, join(folder, 'mail.db'))
    if (names.includes('site.db')) await copyFree(join(dataDir, 'site.db'), join(folder, 'site.db'))
    for (const name of certificates) await copyOwn(join(dataDir, name), join(folder, name))
    if (secret !== undefined) await writeFile(join(folder, 'secret'), `${secret}\n`, { mode: 0o600, flush: true })
    const files = await Promise.all(names.map(async name => ({ name, bytes: (await stat(join(folder, name))).size })))
    const manifest: Manifest = { version, takenAt: new Date().toISOString(), files }
    await writeFile(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { flush: true })
    write(files.map(({ name, bytes }) => `${name}  ${bytes} bytes\n`).join(''), { folder, holdsSecret: withSecret, ...manifest })
  } catch (error) {
    for (const name of ['mail.db', 'site.db', ACME_FOLDER, 'secret', MANIFEST])
      await rm(join(folder, name), { force: true, recursive: true })
    throw error
  }
  write(`The backup is whole: ${folder}\n`)
  write(
    withSecret
      ? 'It holds the secret: whoever has it can read Pro addresses and answer for every other one. Keep it like a password.\n'
      : `The secret is not in it. Keep ${config.secret === undefined ? join(dataDir, 'secret') : 'the value of SECRET'} somewhere else: without it the backup opens nothing.\n`,
  )
  if (certificates.length > 0) write('It holds the private keys of the certificates: only you should be able to read it.\n')
  if (databaseUrl !== undefined) write('Accounts are in PostgreSQL and not in it: back them up with pg_dump.\n')
}

/** A key or certificate by ACME, which the server replaces as a whole. */
async function copyOwn(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  await copyFile(from, to)
}

/** Copied by the server if it runs, because it has locked the database; otherwise copied directly. */
async function copyMail(dataDir: string, path: string): Promise<void> {
  const reply = await askServer(dataDir, { copyMailTo: path })
  if (reply?.failure !== undefined) {
    throw new CommandError(
      EXIT.failed,
      `The server could not write ${path}: ${reply.failure}. Its user needs the right to write there, and room.`,
    )
  }
  if (!reply) await copyFree(join(dataDir, 'mail.db'), path)
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
