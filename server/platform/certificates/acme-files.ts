/** Account key, certificates and failed attempts in the data folder, a folder per authority: a staging one replaces nothing. */
import { generateKeyPairSync } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises'
import { join, relative } from 'node:path'
import * as z from 'zod/mini'

/** In the data folder. */
export const ACME_FOLDER = 'acme'
/** A file that is being written. */
const NEW = '.new'

export type PemPair = { readonly cert: string; readonly key: string }

/** The attempts for one name since its last certificate. `retryAt` is in milliseconds since the epoch. */
const attemptsSchema = z.object({ failures: z.number(), retryAt: z.number(), problem: z.string(), isAskedToWait: z.boolean() })
export type FailedAttempts = z.infer<typeof attemptsSchema>
const attemptsFileSchema = z.record(z.string(), attemptsSchema)

export class AcmeFiles {
  readonly #folder: string

  constructor(dataDir: string, directoryUrl: string) {
    this.#folder = join(dataDir, ACME_FOLDER, directoryUrl.replace(/^https:\/\//, '').replaceAll(/[^a-z0-9.]+/gi, '-'))
  }

  /** `undefined` if there is none, or only half of one. */
  async readCertificate(name: string): Promise<PemPair | undefined> {
    const pem = await readText(this.#path(`${name}.pem`))
    return pem.includes('PRIVATE KEY') && pem.includes('BEGIN CERTIFICATE') ? { cert: pem, key: pem } : undefined
  }

  /** One file holds both, so that a crash in between cannot leave a key without its certificate. */
  writeCertificate(name: string, { cert, key }: PemPair): Promise<void> {
    return this.#write(`${name}.pem`, `${cert.trim()}\n${key.trim()}\n`)
  }

  /** PEM. Created at the first call and kept, because the authority knows its account by it. */
  async accountKey(): Promise<string> {
    const kept = await readText(this.#path('account.pem'))
    if (kept.includes('PRIVATE KEY')) return kept
    const made = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    await this.#write('account.pem', made)
    return made
  }

  /** By name. A damaged file counts as missing. */
  async readAttempts(): Promise<Map<string, FailedAttempts>> {
    try {
      return new Map(Object.entries(attemptsFileSchema.parse(JSON.parse(await readText(this.#path('attempts.json'))))))
    } catch {
      return new Map()
    }
  }

  writeAttempts(attempts: ReadonlyMap<string, FailedAttempts>): Promise<void> {
    return this.#write('attempts.json', JSON.stringify(Object.fromEntries(attempts)))
  }

  #path(name: string): string {
    return join(this.#folder, name)
  }

  async #write(name: string, text: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const path = this.#path(name)
    await using file = await open(path + NEW, 'w', 0o600)
    await file.writeFile(text)
    await file.sync()
    await rename(path + NEW, path)
  }
}

/** Path within the data folder of a file that is ours: `acme/AUTHORITY/FILE`. */
export const ACME_FILE = /^acme\/\w[\w.-]*\/\w[\w.-]*$/

/** Every file of every authority, as paths within the data folder. Files that others left there are no part of it. */
export async function listAcmeFiles(dataDir: string): Promise<string[]> {
  const entries = await readdir(join(dataDir, ACME_FOLDER), { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter(entry => entry.isFile() && !entry.name.endsWith(NEW))
    .map(({ parentPath, name }) => relative(dataDir, join(parentPath, name)).replaceAll('\\', '/'))
    .filter(path => ACME_FILE.test(path))
    .toSorted()
}

/** Empty if it cannot be read. */
const readText = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '')

/** An error as the thread reports it. `type` is the last part of `urn:ietf:params:acme:error:…` (RFC 8555 section 6.7). */
export type AcmeProblem = {
  readonly type: string | undefined
  readonly detail: string
  /** How long the authority asked to wait (Retry-After); 0 if it did not. */
  readonly waitMs: number
}

type Asked = { readonly name: string; readonly directoryUrl: string; readonly email: string }

const REACH =
  'Let port 80 of this name arrive at HTTP_PORT of this server: correct its A and AAAA records, the firewall, and what else answers on port 80.'

const REMEDIES: Readonly<Record<string, (asked: Asked) => string>> = {
  connection: () => REACH,
  dns: ({ name }) => `Correct the A, AAAA and CAA records of ${name}; every name server of the domain must answer.`,
  unauthorized: () => REACH,
  incorrectResponse: () => REACH,
  tls: () => REACH,
  caa: ({ name, directoryUrl }) => `Let a CAA record of ${name} name the authority of ${directoryUrl}, or remove the CAA record.`,
  rateLimited: () => 'The authority allows no more for now: nothing needs to be done, the server tries again by itself.',
  rejectedIdentifier: ({ name }) =>
    `This authority issues nothing for ${name}: correct PUBLIC_URL and MAIL_HOST, or choose another authority with ACME_DIRECTORY_URL.`,
  unsupportedIdentifier: ({ name }) =>
    `This authority issues nothing for ${name}: correct PUBLIC_URL and MAIL_HOST, or choose another authority with ACME_DIRECTORY_URL.`,
  invalidContact: ({ email }) => `The authority refuses the address ${email}: correct ACME_EMAIL.`,
  unsupportedContact: ({ email }) => `The authority refuses the address ${email}: correct ACME_EMAIL.`,
  externalAccountRequired: () =>
    'This authority asks for an account that was made elsewhere, which is not supported: choose another with ACME_DIRECTORY_URL.',
  userActionRequired: () => 'Open the page that the authority names, agree to its terms there, and reload the server.',
  accountDoesNotExist: () => 'Move the folder acme of the data folder away and reload the server: it makes a new account.',
  serverInternal: () => 'The authority has a fault: nothing needs to be done, the server tries again by itself.',
  /** Our own type: the directory could not be read. */
  directory: ({ directoryUrl }) =>
    `Correct ACME_DIRECTORY_URL (${directoryUrl}), or let this machine reach it: it must be the https address of an ACME directory that this machine trusts.`,
  /** Our own type: no reply in time. */
  timeout: ({ directoryUrl }) => `Let this machine reach ${directoryUrl} and answer on port 80.`,
}

/** Explains why a certificate could not be obtained, in a sentence that says what to do. */
export function explainAcmeProblem({ type, detail }: AcmeProblem, asked: Asked): string {
  const remedy = REMEDIES[type ?? '']?.(asked) ?? `The authority of ${asked.directoryUrl} says why; the server tries again by itself.`
  return `No certificate for ${asked.name} could be obtained: ${detail.replace(/\.?$/, '.')} ${remedy}`
}
