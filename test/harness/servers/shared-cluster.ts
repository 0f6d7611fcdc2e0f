/** One cluster for all test files of a run. The first test that needs it starts it, and it ends with the run (see vitest.config.ts). */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startRedisCluster, until } from './redis-cluster.ts'

const VARIABLE = 'SHARED_CLUSTER_FOLDER'
const START_MS_MAX = 60_000

/** `MAIL_STORE_URL` of the run's cluster. Tests share it, so each uses its own prefix and none stops a node. */
export async function sharedCluster(): Promise<string> {
  const folder = process.env[VARIABLE]
  if (!folder) throw new Error('the run has no folder for its cluster: see globalSetup in vitest.config.ts')
  const file = join(folder, 'url')
  if (isFirst(folder)) {
    const { nodes, url, folder: data } = await startRedisCluster({ isDetached: true })
    for (const { pid } of nodes) writeFileSync(join(folder, `pid-${pid}`), data)
    writeFileSync(`${file}.new`, url)
    renameSync(`${file}.new`, file)
  }
  await until(async () => existsSync(file), START_MS_MAX)
  return readFileSync(file, 'utf8')
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(join(folder, 'starting'))
    return true
  } catch {
    return false
  }
}

/** Vitest's global set-up: what it returns runs after the last test. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-shared-'))
  process.env[VARIABLE] = folder
  return () => {
    for (const name of readdirSync(folder).filter(name => name.startsWith('pid-'))) {
      try {
        process.kill(Number(name.slice('pid-'.length)), 'SIGKILL')
      } catch {
        // It has ended already.
      }
      rmSync(readFileSync(join(folder, name), 'utf8'), { recursive: true, force: true })
    }
    rmSync(folder, { recursive: true, force: true })
  }
}
