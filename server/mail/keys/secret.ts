import { createHmac, randomBytes } from 'node:crypto'
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deriveSubkey } from '#server/platform/derive-subkey.ts'
import { StartError } from '#server/platform/start-error.ts'
import type { MailboxId, MessageId } from '#server/store/store.ts'
import { hmacSha256 } from './hpke.ts'

/** Anything shorter is not a secret; `openssl rand -hex 16` prints 32 characters. */
const SECRET_CHARS_MIN = 32

/**
 * The server's secret: from the configuration, else from `dataDir/secret`, which the first start creates (mode 0600). Every address and
 * stored token depends on it: without it every live mailbox is lost.
 * @throws StartError if the file cannot be a secret, or is missing beside databases that need it.
 */
export function loadSecret(dataDir: string, configured?: string): string {
  if (configured !== undefined) return configured
  const path = join(dataDir, 'secret')
  if (!existsSync(path)) {
    const orphan = ['mail.db', 'site.db'].find(name => existsSync(join(dataDir, name)))
    if (orphan !== undefined) throw secretLost(path, join(dataDir, orphan))
    makeSecret(path)
  }
  const secret = readFileSync(path, 'utf8').trim()
  if (secret.length < SECRET_CHARS_MIN) {
    throw new StartError(
      `${path} has fewer than ${SECRET_CHARS_MIN} characters. Restore it from a backup, or remove it and lose every live mailbox.`,
    )
  }
  return secret
}

/** Identifies a secret without revealing anything else about it. Databases store it, so that a start with another secret is refused. */
export function deriveKeyCheck(secret: string | Uint8Array): string {
  return createHmac('sha256', secret).update('mayfly key check v1').digest('base64url')
}

function secretLost(path: string, database: string): StartError {
  return new StartError(
    `The secret ${path} is missing, and nothing in ${database} can be read without it. Put it back, as that file or in SECRET. ` +
      'To start with nothing instead, move mail.db and site.db away.',
  )
}

// Written under another name and then linked: a crash leaves no half of a secret, and of two processes that start for the first time at
// once, one creates it and the other reads it.
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

/** One key per purpose, so that a value encrypted or hashed for one cannot be used for another. */
export type Subkeys = {
  readonly mailboxId: Uint8Array
  readonly messageId: Uint8Array
  readonly attachmentLink: Uint8Array
  readonly mailboxMac: Uint8Array
}

export function deriveSubkeys(secret: string): Subkeys {
  const derive = (purpose: string) => deriveSubkey(secret, `mayfly ${purpose} v1`)
  return {
    mailboxId: derive('mailbox id'),
    messageId: derive('message id'),
    attachmentLink: derive('attachment link'),
    mailboxMac: derive('mailbox mac'),
  }
}

/** The id of an address in the store. Without the server's secret, nobody can find out which address it is. */
export function deriveMailboxId(key: Uint8Array, address: string): MailboxId {
  return shortHmac(key, Buffer.from(address)) as MailboxId
}

/** The hash includes the mailbox, so that a copy of the store does not reveal which mailboxes got the same mail. */
export function deriveMessageId(key: Uint8Array, mailboxId: MailboxId, digest: Uint8Array): MessageId {
  return shortHmac(key, Buffer.from(mailboxId), digest) as MessageId
}

function shortHmac(key: Uint8Array, ...parts: Uint8Array[]): string {
  return hmacSha256(key, parts).toString('base64url', 0, 16)
}
