/** Why a client and this server do not speak TLS: logged once for each client and reason, with the remedy. */
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { HOUR_MS } from '#contract/limits.ts'
import { BoundedMap } from '#server/platform/bounded-map.ts'
import type { Client } from '#server/platform/limits/clients.ts'
import type { Log } from '#server/platform/log.ts'
import type { TlsFailure } from '#server/platform/telemetry/labels.ts'

/** `detail`: the name that OpenSSL has for it. */
export type FailedTls = { readonly reason: TlsFailure; readonly detail?: string | undefined }

/** The alerts by which a client refuses a certificate: unknown_ca, bad_certificate, certificate_expired and others (RFC 8446 6.2). */
const CERTIFICATE_REFUSED = /_ALERT_(?:UNKNOWN_CA|\w*CERTIFICATE\w*|ACCESS_DENIED)$/
const NO_COMMON_VERSION =
  /_ALERT_(?:PROTOCOL_VERSION|HANDSHAKE_FAILURE|INSUFFICIENT_SECURITY|INAPPROPRIATE_FALLBACK)$|UNSUPPORTED_PROTOCOL|VERSION_TOO_LOW|NO_SHARED_|NO_SUITABLE_|INAPPROPRIATE_FALLBACK/
const PLAIN_TEXT = /WRONG_VERSION_NUMBER|HTTP_REQUEST|HTTPS_PROXY_REQUEST/
/** TLS alert and handshake records begin with their type and the major version (RFC 8446 section 5.1). */
const [HANDSHAKE_RECORD, MAJOR_VERSION] = [0x16, 0x03]

/** Whether a connection begins with TLS, as mail programs do on port 465. */
export const isClientHello = (bytes: Buffer) => bytes[0] === HANDSHAKE_RECORD && bytes[1] === MAJOR_VERSION

/**
 * Calls `onFailure` once if the connection ends before the client has sent anything over TLS. Libraries without a word of their own show
 * in two ways that they dislike the certificate: OpenSSL's and Node's leave in the middle of the handshake, those with GnuTLS right after
 * it.
 */
export class HandshakeWatch {
  #onFailure: ((failed: FailedTls) => void) | undefined

  constructor(plain: Socket, secured: TLSSocket, onFailure: (failed: FailedTls) => void) {
    this.#onFailure = onFailure
    const writtenBefore = plain.bytesWritten
    let isComplete = false
    let code = ''
    const noteError = (error: Error) => {
      if (code === '' && 'code' in error) code = String(error.code)
    }
    secured.on('_tlsError', noteError).on('error', noteError)
    secured.once('secure', () => {
      isComplete = true
    })
    secured.once('data', () => this.end())
    secured.once('close', () => {
      const closed = isComplete
        ? 'closed_after_handshake'
        : plain.bytesWritten > writtenBefore
          ? 'closed_after_certificate'
          : 'closed_before_handshake'
      this.end(explainError(code) ?? { reason: closed })
    })
  }

  /** Without `failed`, what happens from now on is no failure of TLS: the client has sent a command, or the server ends the connection. */
  end(failed?: FailedTls): void {
    const onFailure = this.#onFailure
    this.#onFailure = undefined
    if (failed) onFailure?.(failed)
  }
}

/** `undefined` if the client did not say why, as with ECONNRESET. */
function explainError(code: string): FailedTls | undefined {
  if (!code.startsWith('ERR_SSL_')) return undefined
  const detail = code.slice('ERR_SSL_'.length).toLowerCase()
  if (CERTIFICATE_REFUSED.test(code)) return { reason: 'certificate_refused', detail }
  if (NO_COMMON_VERSION.test(code)) return { reason: 'no_common_version', detail }
  return { reason: PLAIN_TEXT.test(code) ? 'plain_text' : 'other', detail }
}

const CLIENTS_MAX = 1000

/** Logs what failed: a warning for a client of this machine or a private network, which the operator can mend, else an information. */
export class TlsFailureLog {
  readonly #log: Log
  readonly #nowMs: () => number
  /** When a client and reason were logged. After an hour it may be another program of the same machine. */
  readonly #loggedAtMs = new BoundedMap<string, number>(CLIENTS_MAX)

  constructor(log: Log, nowMs: () => number) {
    this.#log = log
    this.#nowMs = nowMs
  }

  note({ reason, detail }: FailedTls, { client, isGenerated }: { readonly client: Client; readonly isGenerated: boolean }): void {
    const key = `${reason} ${client.address}`
    const nowMs = this.#nowMs()
    if (nowMs - (this.#loggedAtMs.get(key) ?? Number.NEGATIVE_INFINITY) < HOUR_MS) return
    this.#loggedAtMs.set(key, nowMs)
    const facts = { network: client.network, reason, ...(detail && { detail }) }
    this.#log[client.isLocal ? 'warn' : 'info'](facts, describeFailure(reason, client.isLocal, isGenerated))
  }
}

/** Says what happened, and what to do. */
function describeFailure(reason: TlsFailure, isLocal: boolean, isGenerated: boolean): string {
  if (reason === 'certificate_refused')
    return `STARTTLS failed: the client does not trust the certificate. ${trustRemedy(isLocal, isGenerated)}`
  if (reason === 'closed_after_certificate' || reason === 'closed_after_handshake') {
    const scanner = isLocal ? '' : ', or it only looked at it, as scanners do'
    return `STARTTLS failed: the client left without a word when it saw the certificate. It may not trust it${scanner}. ${trustRemedy(isLocal, isGenerated)}`
  }
  return OTHERWISE[reason]
}

function trustRemedy(isLocal: boolean, isGenerated: boolean): string {
  if (!isLocal && isGenerated) return 'Mail servers take any; for one that can be verified set ACME_EMAIL, or TLS_CERT and TLS_KEY'
  if (!isLocal) return 'Run mayfly doctor: it says whether the certificate can be verified'
  if (isGenerated) return 'Set SMTP_STARTTLS to auto, so that it sends without TLS, or let it not verify certificates'
  return 'Let it connect by a name that is in the certificate (mayfly doctor lists them) and trust its authority, or not verify certificates'
}

const OTHERWISE: Readonly<
  Record<Exclude<TlsFailure, 'certificate_refused' | 'closed_after_certificate' | 'closed_after_handshake'>, string>
> = {
  no_common_version: 'STARTTLS failed: client and server have no TLS version or cipher in common. Let the client use TLS 1.2 or 1.3',
  plain_text: 'STARTTLS failed: plain text came where TLS was expected. Update the client, or let it not use STARTTLS',
  tls_at_once:
    'The client began with TLS, and this port begins with plain text. Turn off its TLS from the start (secure: false, SSL, SMTPS)',
  closed_before_handshake: 'STARTTLS failed: the client asked for it and left before the handshake. Look at its own log',
  timed_out: 'STARTTLS failed: the handshake took too long. Look at what stands between client and server',
  not_offered: 'The client asked for STARTTLS, which is not offered to it. Turn off its TLS, or set SMTP_STARTTLS=always',
  other: 'STARTTLS failed. Look at the log of the client',
}
