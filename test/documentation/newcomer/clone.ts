/** A fresh clone of the committed state, and the environment of a newcomer's shell: system Node and npm, and nothing of this project. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = resolve(import.meta.dirname, '../../..')

/** @param commit what is checked out; HEAD by default */
export function cloneProject(commit: string | undefined): Disposable & { readonly folder: string; readonly commit: string } {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim()
  if (git('-C', root, 'status', '--porcelain') !== '') {
    console.log('This folder has changes that are not committed. The clone has only what is committed.')
  }
  const parent = mkdtempSync(join(tmpdir(), 'mayfly newcomer '))
  const folder = join(parent, 'my mail')
  if (commit === undefined) git('clone', '--quiet', '--depth', '1', pathToFileURL(root).href, folder)
  else {
    git('clone', '--quiet', '--no-checkout', pathToFileURL(root).href, folder)
    git('-C', folder, 'checkout', '--quiet', commit)
  }
  return {
    folder,
    commit: git('-C', folder, 'rev-parse', 'HEAD'),
    [Symbol.dispose]: () => rmSync(parent, { recursive: true, force: true, maxRetries: 5 }),
  }
}

/** Only `ports` differs from a newcomer's shell. */
export function newcomerEnvironment(ports: Record<'HTTP_PORT' | 'SMTP_PORT', string>): Record<string, string | undefined> {
  const { HOME, TMPDIR } = process.env
  return { PATH: systemPath(), HOST: '127.0.0.1', ...ports, ...(HOME ? { HOME } : {}), ...(TMPDIR ? { TMPDIR } : {}) }
}

/** NEWCOMER_PATH puts another Node and npm first, e.g. an older one. */
function systemPath(): string {
  if (process.env.NEWCOMER_PATH) return process.env.NEWCOMER_PATH
  const folders = (process.env.PATH ?? '').split(delimiter).filter(folder => !folder.includes('node_modules'))
  const path = ['node', 'npm'].map(tool => folders.find(folder => existsSync(join(folder, tool))))
  if (path.includes(undefined)) throw new Error('The newcomer test needs the node and npm of the system on PATH.')
  return [...new Set([...path, '/usr/bin', '/bin'])].join(delimiter)
}

/** Every process whose program, folder or arguments are in `folder`, as `PID command`. Linux only; elsewhere only the ports are checked. */
export function processesIn(folder: string): string[] {
  if (!existsSync('/proc/self')) return []
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(pid => {
      const command = tryOrEmpty(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '))
      const traces = [command, tryOrEmpty(() => readlinkSync(`/proc/${pid}/cwd`)), tryOrEmpty(() => readlinkSync(`/proc/${pid}/exe`))]
      return traces.some(trace => trace.includes(folder)) ? [`${pid} ${command}`] : []
    })
}

/** A process may end meanwhile. */
function tryOrEmpty(look: () => string): string {
  try {
    return look()
  } catch {
    return ''
  }
}

/** Bytes of a folder as `du` counts them. */
export function diskBytes(folder: string): number {
  return Number(execFileSync('du', ['-sk', folder], { encoding: 'utf8' }).split('\t')[0]) * 1024
}
