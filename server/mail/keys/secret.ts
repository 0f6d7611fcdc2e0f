import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Shorter than this is not a secret; `openssl rand -hex 16` has 32 characters. */
const SECRET_CHARS_MIN = 32

/**
 * The server's secret: `given` by the configuration, else read from `dataDir/secret`, else made there at first start (mode 0600).
 * Every address and stored token depends on it: whoever loses it loses every live mailbox.
 * @throws Error in plain words when the file is there but cannot be a secret.
 */
export function loadSecret(dataDir: string, given?: string): string {
  if (given !== undefined) return given
  const path = join(dataDir, 'secret')
  if (!existsSync(path)) makeSecret(path)
  const secret = readFileSync(path, 'utf8').trim()
  if (secret.length < SECRET_CHARS_MIN) {
    throw new Error(
      `${path} has fewer than ${SECRET_CHARS_MIN} characters. Restore it from a backup, or remove it and lose every live mailbox.`,
    )
  }
  return secret
}

// Written whole under another name and then linked: a crash leaves no half secret, and of two first starts at once one wins.
function makeSecret(path: string): void {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  writeFileSync(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true })
  try {
    linkSync(draft, path)
  } catch (error) {
    if (!existsSync(path)) throw error
  } finally {
    rmSync(draft, { force: true })
  }
}
