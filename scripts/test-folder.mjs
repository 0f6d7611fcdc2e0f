// The folder for the files of tests. Plain JavaScript for any Node from 18 on.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** A whole run needs less than half of it. Docker gives a container only 64 MiB by default. */
const FREE_BYTES_MIN = 4 * 1024 ** 3

/**
 * An empty folder for one run, in memory if possible, because tests create and sync thousands of databases. Other users may enter it, as
 * PostgreSQL runs as one. TMPDIR has precedence. @returns {string}
 */
export function makeTestFolder() {
  if (process.env.TMPDIR === undefined) {
    const folder = tryFolder(MEMORY)
    if (folder !== undefined) return folder
  }
  return makeFolder(tmpdir())
}

function makeFolder(parent) {
  const folder = mkdtempSync(join(parent, 'mayfly-test-'))
  chmodSync(folder, 0o755)
  return folder
}

function tryFolder(parent) {
  let folder
  try {
    const { bavail, bsize } = statfsSync(parent)
    if (bavail * bsize < FREE_BYTES_MIN) return undefined
    folder = makeFolder(parent)
  } catch {
    return undefined
  }
  // Containers may mount it without the right to execute programs, but the newcomer test installs Node there.
  const program = join(folder, 'program')
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
  const canRun = spawnSync(program).status === 0
  rmSync(program)
  if (canRun) return folder
  rmSync(folder, { recursive: true })
  return undefined
}
