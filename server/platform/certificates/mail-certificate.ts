import { constants, createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync, unwatchFile, watchFile } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { isIP, type Socket } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { createSecureContext, type SecureContext, type SecureContextOptions, TLSSocket } from 'node:tls'
import { DAY_MS } from '#contract/limits.ts'
import type { Clock } from '../clock.ts'
import { type Config, ConfigError } from '../config/config.ts'
import { EncryptedStream, type TakeTurn } from '../net/encrypted-stream.ts'
import { AcmeFiles } from './acme-files.ts'
import { type Certificate, selfSign } from './self-signed.ts'

/** Facts about a certificate for the operator. `validTo` is ISO 8601. `isComplete`: it has the name of every mail host. */
export type CertificateFacts = {
  readonly names: string
  readonly validTo: string
  readonly isSelfSigned: boolean
  /** Whether this server made it, because the operator gave none. */
  readonly isGenerated: boolean
  readonly isComplete: boolean
}

type MailCertificate = Certificate & Pick<CertificateFacts, 'isGenerated'>

export function certificateFacts({ cert, isGenerated }: MailCertificate, hostnames: readonly string[]): CertificateFacts {
  const certificate = new X509Certificate(cert)
  const { subjectAltName, subject, issuer, validToDate } = certificate
  const hosts = subjectAltName?.match(/(?<=\bDNS:)[^,]+/g)
  const names = hosts?.join(', ') ?? subject
  const isComplete = hasNames(certificate, hostnames)
  return { names, validTo: validToDate.toISOString(), isSelfSigned: subject === issuer, isGenerated, isComplete }
}

function hasNames(certificate: X509Certificate, names: readonly string[]): boolean {
  return names.every(name => (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) !== undefined)
}

/** To whom STARTTLS is offered. `toLocal`: clients of this machine and of private networks. */
export type StarttlsOffer = { readonly toLocal: boolean; readonly toOthers: boolean }

/** Mail libraries, which connect from nearby, refuse a certificate they cannot verify; mail servers take any (RFC 7435). */
export function starttlsOffer(setting: Config['smtpStarttls'], { isGenerated }: Pick<CertificateFacts, 'isGenerated'>): StarttlsOffer {
  if (setting === 'auto') return { toLocal: !isGenerated, toOthers: true }
  return { toLocal: setting === 'always', toOthers: setting === 'always' }
}

/** A self-signed certificate is replaced at the first start within this time before it expires. */
const REMAKE_BEFORE_MS = 30 * DAY_MS

type CertificateConfig = Pick<Config, 'tlsCertFile' | 'tlsKeyFile' | 'dataDir' | 'domains'> & { readonly acme?: Config['acme'] }

/**
 * The operator's certificate, else the one obtained by ACME, else a self-signed one that is created at the first start and kept in the data
 * folder.
 * @throws ConfigError when the operator's cannot be used; the system's error when the data folder cannot be written.
 */
export async function loadCertificate(config: CertificateConfig, hostnames: readonly string[], clock: Clock): Promise<MailCertificate> {
  const named = readNamedCertificate(config)
  if (named) return { ...named, isGenerated: false }
  const obtained = config.acme && (await new AcmeFiles(config.dataDir, config.acme.directoryUrl).readCertificate(hostnames[0] ?? ''))
  if (obtained) return { ...obtained, isGenerated: false }
  const file = join(config.dataDir, 'smtp-certificate.pem')
  const names = generatedNames(hostnames)
  const own = (await readOwn(file, names, clock())) ?? (await makeOwn(file, names, clock()))
  return { ...own, isGenerated: true }
}

/** The mail hosts, and the names by which programs of this machine and of its network reach it. */
function generatedNames(hostnames: readonly string[]): string[] {
  const ofMachine = hostname().toLowerCase()
  return [...new Set([...hostnames, 'localhost', ...(/^[a-z0-9._-]+$/.test(ofMachine) ? [ofMachine] : []), '127.0.0.1', '::1'])]
}

/** Reads TLS_CERT and TLS_KEY, if they are set. @throws ConfigError when it cannot be used, naming the variable. */
export function readNamedCertificate({ tlsCertFile, tlsKeyFile }: Pick<Config, 'tlsCertFile' | 'tlsKeyFile'>): Certificate | undefined {
  if (tlsCertFile === undefined || tlsKeyFile === undefined) return undefined
  const [cert, key] = [readNamed('TLS_CERT', tlsCertFile), readNamed('TLS_KEY', tlsKeyFile)]
  if (cert.text === undefined || key.text === undefined) throw new ConfigError([...cert.problems, ...key.problems])
  const certificate = { cert: cert.text, key: key.text }
  try {
    createTlsContext(certificate)
    // TLS takes an empty file.
    new X509Certificate(certificate.cert)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ConfigError([`TLS_CERT and TLS_KEY are no certificate in PEM form with its own key (${reason})`])
  }
  return certificate
}

/**
 * Calls `changed` when a renewal has replaced the operator's files. Call the result to stop. The files are checked regularly instead of
 * watched for events, which are lost when a renewal replaces a link, as certbot does, or a whole folder.
 */
export function watchCertificate({ tlsCertFile, tlsKeyFile }: CertificateConfig, checkMs: number, changed: () => void): () => void {
  const files = [tlsCertFile, tlsKeyFile].filter(file => file !== undefined)
  for (const file of files) watchFile(file, { interval: checkMs, persistent: false }, changed)
  return () => {
    for (const file of files) unwatchFile(file, changed)
  }
}

/** Problems are gathered, so that one message names both files. */
function readNamed(variable: string, path: string): { readonly text: string | undefined; readonly problems: readonly string[] } {
  try {
    return { text: readFileSync(path, 'utf8'), problems: [] }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    return { text: undefined, problems: [`${variable} names a file that cannot be read (${reason})`] }
  }
}

/** One file holds both, so that a crash in between cannot leave a key without its certificate. */
async function readOwn(file: string, names: readonly string[], nowMs: number): Promise<Certificate | undefined> {
  try {
    const text = await readFile(file, 'utf8')
    const certificate = new X509Certificate(text)
    const isLasting = certificate.validToDate.getTime() - nowMs > REMAKE_BEFORE_MS
    const isOfNames = hasNames(certificate, names) && certificate.subjectAltName?.split(', ').length === names.length
    const isUsable = isLasting && isOfNames
    return isUsable && text.includes('PRIVATE KEY') ? { cert: text, key: text } : undefined
  } catch {
    return undefined
  }
}

/** The key outlasts its certificate: a container gets another host name with each start, and a TLSA record may name the key (RFC 7672). */
async function readKey(file: string): Promise<KeyObject | undefined> {
  try {
    const key = createPrivateKey(await readFile(file, 'utf8'))
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : undefined
  } catch {
    return undefined
  }
}

async function makeOwn(file: string, [first = '', ...others]: readonly string[], nowMs: number): Promise<Certificate> {
  const created = selfSign(first, nowMs, others, await readKey(file))
  await mkdir(join(file, '..'), { recursive: true })
  await writeFile(`${file}.new`, created.cert + created.key, { mode: 0o600 })
  await rename(`${file}.new`, file)
  return created
}

/** For both ports: TLS 1.2 or later, without renegotiation. */
export const tlsOptions = ({ cert, key }: Certificate): SecureContextOptions => ({
  cert,
  key,
  minVersion: 'TLSv1.2',
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
})

/** Throws if certificate and key cannot be read or do not match. */
export const createTlsContext = (certificate: Certificate): SecureContext => createSecureContext(tlsOptions(certificate))

/** Takes over a plain socket after STARTTLS. Emits `secure` after the handshake. */
export function secureSocket(socket: Socket, secureContext: SecureContext, takeTurn: TakeTurn): TLSSocket {
  const encrypted = new EncryptedStream(socket, takeTurn)
  const secured = new TLSSocket(encrypted, { isServer: true, secureContext })
  encrypted.secured = secured
  // Outside of a tls.Server, a broken record would otherwise leave the socket open and silent.
  secured.on('_tlsError', () => secured.destroy())
  return secured
}
