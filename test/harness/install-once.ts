/** Programs that registries serve and Debian does not, kept between runs. */
import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { promisify } from 'node:util'

/** Below it, `installOnce` fills folders. */
export const INSTALLED = resolve(import.meta.dirname, '../../node_modules/.cache')

export const onPath = (command: string) => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0

/** Fills the folder with these shell commands, which run in it, unless it is there. */
export async function installOnce(folder: string, commands: string): Promise<void> {
  if (existsSync(folder)) return
  mkdirSync(dirname(folder), { recursive: true })
  const unfinished = await mkdtemp(`${folder}.`)
  try {
    await promisify(execFile)('sh', ['-euc', commands], { cwd: unfinished, maxBuffer: 1e8 })
  } catch (error) {
    await rm(unfinished, { recursive: true })
    throw error
  }
  // Another test may have installed it meanwhile.
  await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true }))
}
