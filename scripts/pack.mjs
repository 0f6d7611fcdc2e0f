// `npm run pack -- FOLDER`: a release that needs no git, as mayfly-VERSION.tgz. Plain JavaScript for any Node from 18 on.
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const folder = resolve(process.argv[2] ?? 'dist')
const packed = join(root, 'npm-shrinkwrap.json')

mkdirSync(folder, { recursive: true })
copyFileSync(join(root, 'package-lock.json'), packed)
try {
  const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm']
  const [command, ...args] = [...npm, 'pack', '--loglevel=error', '--pack-destination', folder]
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' })
  process.exitCode = status ?? 1
} finally {
  rmSync(packed)
}
