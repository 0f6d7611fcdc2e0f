/** Identifies the running build: the version in package.json, and the commit when the folder is a clone. */
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

function findRoot(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder
  const parent = dirname(folder)
  if (parent === folder) throw new Error(`no package.json above ${import.meta.dirname}: Mayfly must be started from its own folder`)
  return findRoot(parent)
}

/** The folder of package.json, found from the location of this code: `server/` in development, `dist/server/` when built. */
export const root: string = findRoot(import.meta.dirname)

/** How operators call their command here. */
export const operatorCommand: string = commandFor(root)

/** In a package that npm installed, in a checkout, and where `mayfly setup` or the image put a command of that name. */
function commandFor(folder: string): string {
  const parent = basename(dirname(folder))
  if (parent === 'node_modules') return 'npx mayfly'
  const isCheckout = existsSync(join(folder, 'scripts/run.mjs'))
  return !isCheckout || parent === 'releases' || read('/usr/local/bin/mayfly')?.includes(`${folder}/`) ? 'mayfly' : 'npm run mayfly --'
}

/** The version in package.json. Databases record which version wrote them. */
export const version: string = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version

type Build = { readonly version: string; readonly commit?: string }

export const build: Build = readBuild()

function readBuild(): Build {
  const commit = readCommit(root)
  return commit === undefined ? { version } : { version, commit }
}

/** Reads Git's own files (gitrepository-layout(5)), because Git need not be installed on the server. */
function readCommit(root: string): string | undefined {
  const entry = join(root, '.git')
  // In a linked worktree or submodule, `.git` is a file that names the folder.
  const named = /^gitdir: (.*)$/m.exec(read(entry) ?? '')?.[1]
  const gitFolder = named ? resolve(root, named) : entry
  const head = read(join(gitFolder, 'HEAD'))?.trim()
  const ref = head && /^ref: (.*)$/.exec(head)?.[1]
  if (!ref) return commitName(head)
  const shared = resolve(gitFolder, read(join(gitFolder, 'commondir'))?.trim() ?? '.')
  return commitName(read(join(shared, ref))?.trim() ?? packed(shared, ref))
}

function packed(gitFolder: string, ref: string): string | undefined {
  const lines = read(join(gitFolder, 'packed-refs'))?.split('\n') ?? []
  return lines.find(line => line.endsWith(` ${ref}`))?.split(' ')[0]
}

function commitName(text: string | undefined): string | undefined {
  return text && /^[0-9a-f]{40,64}$/.test(text) ? text : undefined
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
