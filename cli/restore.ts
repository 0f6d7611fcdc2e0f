/** `restore FOLDER`: restores a backup into an empty data folder. */
import { existsSync } from 'node:fs'
import { copyFile, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { openDatabase as openSiteDatabase } from '#server/database/database.ts'
import { deriveKeyCheck, loadSecret } from '#server/mail/keys/secret.ts'
import { ACME_FILE, ACME_FOLDER } from '#server/platform/certificates/acme-files.ts'
import type { Config } from '#server/platform/config/config.ts'
import { openDatabase as openMailDatabase } from '#server/store/sqlite/schema.ts'
import { EXIT } from '../client/cli/exit-codes.ts'
import { MANIFEST, type Manifest } from './backup.ts'
import { refuseMore, type Write } from './command.ts'
import { CommandError } from './command-error.ts'
import { askServer } from './running-server.ts'

/** What an interrupted restore leaves behind. */
const PART = '.part'
const DATABASE_FILE = /^\w+\.db$/

export function restore([given, ...more]: readonly string[]): (config: Config, write: Write) => Promise<void> {
  if (given === undefined) throw new CommandError(EXIT.usage, '"restore" needs the folder of the backup.')
  refuseMore(more)
  const folder = resolve(given)
  return (config, write) => restoreFrom(folder, config, write)
}

async function restoreFrom(folder: string, config: Config, write: Write): Promise<void> {
  const { dataDir } = config
  const { files, takenAt } = await readManifest(folder)
  await refuseFull(dataDir)
  const hasSecret = config.secret !== undefined || existsSync(join(dataDir, 'secret'))
  const names = [...files.map(({ name }) => name), ...(!hasSecret && existsSync(join(folder, 'secret')) ? ['secret'] : [])]
  try {
    for (const name of names) await copyWhole(join(folder, name), join(dataDir, name))
    await checkRestored(config)
  } catch (error) {
    for (const name of names) for (const end of ['', PART, '-wal', '-shm']) await rm(join(dataDir, name + end), { force: true })
    await rm(join(dataDir, ACME_FOLDER), { recursive: true, force: true })
    throw error instanceof CommandError
      ? error
      : new CommandError(EXIT.failed, `Nothing was restored. ${errorText(error)}`, { cause: error })
  }
  write(`${dataDir} is what it was at ${takenAt}. Start the server.\n`, {
    dataDir,
    takenAt,
    needsSecret: !hasSecret && !names.includes('secret'),
  })
  if (!hasSecret && !names.includes('secret')) {
    write(
      `The secret is not in this backup: before the start, put the old one into ${join(dataDir, 'secret')} (mode 0600) or set SECRET. ` +
        'Any other is refused.\n',
    )
  }
  if (config.databaseUrl !== undefined) write('Accounts are in PostgreSQL: restore them with pg_restore or psql, from the same time.\n')
}

async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch((cause: unknown) => {
    throw new CommandError(EXIT.failed, `${folder} is not a finished backup: it has no ${MANIFEST}.`, { cause })
  })
  const manifest: Manifest = JSON.parse(text)
  for (const { name, bytes } of manifest.files) {
    const found = await stat(join(folder, name)).catch(() => undefined)
    if (!DATABASE_FILE.test(name) && !ACME_FILE.test(name))
      throw new CommandError(EXIT.failed, `${join(folder, MANIFEST)} names ${name}, which is not what was backed up by this program.`)
    if (found?.size === bytes) continue
    throw new CommandError(EXIT.failed, `${join(folder, name)} is not what was backed up: it should have ${bytes} bytes.`)
  }
  return manifest
}

/** A secret may exist already: operators who back it up separately restore it first. */
async function refuseFull(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  if (await askServer(dataDir, {})) {
    throw new CommandError(EXIT.failed, `A server is running on ${dataDir}. Stop it, and name an empty folder in DATA_DIR.`)
  }
  const names = (await readdir(dataDir)).filter(name => name !== 'secret' && !name.endsWith(PART))
  if (names.length === 0) return
  throw new CommandError(
    EXIT.failed,
    `The data folder ${dataDir} is not empty. Move it away, or name an empty one in DATA_DIR: nothing is overwritten.`,
  )
}

async function copyWhole(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  await copyFile(from, to + PART)
  const file = await open(to + PART, 'r+')
  await file.chmod(0o600)
  await file.sync()
  await file.close()
  await rename(to + PART, to)
}

/** Opens both databases as the server will: migrates them to this version, and checks that they belong to the secret, if there is one. */
async function checkRestored(config: Config): Promise<void> {
  const { dataDir } = config
  const isSecretThere = config.secret !== undefined || existsSync(join(dataDir, 'secret'))
  const keyCheck = isSecretThere ? deriveKeyCheck(loadSecret(dataDir, config.secret)) : undefined
  openMailDatabase(dataDir, { keyCheck }).close()
  if (!existsSync(join(dataDir, 'site.db'))) return
  const site = await openSiteDatabase({ dataDir }, keyCheck === undefined ? undefined : { keyCheck })
  await site[Symbol.asyncDispose]()
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
