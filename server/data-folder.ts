/** The one folder a deployment keeps (decision 29), and the secret in it. */
import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '#server/config.ts'

const SECRET_BYTES = 32

/** Makes the folder and proves that it can be written, so that a wrong one is found at the start and not by the first mail. */
export async function openDataFolder(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const probe = join(dataDir, `.probe-${randomUUID()}`)
  await (await open(probe, 'wx')).close()
  await rm(probe)
}

/**
 * The server's secret as at least 32 characters: `SECRET` when it is set, else the one in the data folder, made at first start.
 * Every key is derived from it with a label of its own; it is never used as a key itself.
 */
export async function readSecret(config: Pick<Config, 'secret' | 'dataDir'>): Promise<string> {
  if (config.secret) return config.secret
  const path = join(config.dataDir, 'secret')
  await createOnce(path, randomBytes(SECRET_BYTES).toString('hex'))
  const secret = (await readFile(path, 'utf8')).trim()
  if (secret.length < SECRET_BYTES)
    throw new Error(`${path} is damaged: restore it from a backup, or remove it and lose all live mailboxes`)
  return secret
}

/** Whole or not there, also after a power cut and when two processes start at once: written aside, synced, then linked into place. */
async function createOnce(path: string, content: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`
  const file = await open(aside, 'wx', 0o600)
  try {
    await file.writeFile(`${content}\n`)
    await file.sync()
    await link(aside, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    await file.close()
    await rm(aside, { force: true })
  }
}
