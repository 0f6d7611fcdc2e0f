/** The one folder a deployment keeps (decision 29). */
import { randomUUID } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Makes the folder and proves that it can be written, so that a wrong one is found at the start and not by the first mail. */
export async function openDataFolder(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const probe = join(dataDir, `.probe-${randomUUID()}`)
  await (await open(probe, 'wx')).close()
  await rm(probe)
}
