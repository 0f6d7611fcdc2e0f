/** The one folder a deployment keeps. */
import { randomUUID } from 'node:crypto'
import { mkdir, open, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

/** Makes the folder and proves that it can be written, so that a wrong one is found at the start and not by the first mail. */
export async function openDataFolder(dataDir: string): Promise<void> {
  // Whatever is made from here on, by SQLite too, is for this user alone.
  process.umask(0o077)
  await makeFolder(resolve(dataDir))
  const probe = join(dataDir, `.probe-${randomUUID()}`)
  await (await open(probe, 'wx')).close()
  await rm(probe)
}

/**
 * One folder at a time: where the system answers ENOENT to a `mkdir` in a folder that exists, as below /proc, Node's recursive one
 * asks again for ever, at full CPU (measured on Node 24).
 */
async function makeFolder(folder: string): Promise<void> {
  if (await isFolder(folder)) return
  const parent = dirname(folder)
  if (parent !== folder) await makeFolder(parent)
  await mkdir(folder, { mode: 0o700 }).catch(async (error: unknown) => {
    // Another process may have made it just now.
    if (!(await isFolder(folder))) throw error
  })
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found?.isDirectory() ?? false
}
