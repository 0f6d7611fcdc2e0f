/**
 * Creates a self-signed X.509 certificate (RFC 5280) for STARTTLS, for senders that encrypt without verifying (RFC 7435). Forty lines of
 * DER, because no library was worth its size.
 */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

export type Certificate = { readonly cert: string; readonly key: string }

const DAY_MS = 86_400_000
const VALID_DAYS = 825 // what TLS clients accept at most
const CLOCK_SKEW_MS = 3_600_000

const INTEGER = 0x02
const BIT_STRING = 0x03
const OCTET_STRING = 0x04
const OBJECT_ID = 0x06
const UTF8_STRING = 0x0c
const UTC_TIME = 0x17
const SEQUENCE = 0x30
const SET = 0x31
const VERSION = 0xa0
const EXTENSIONS = 0xa3
const DNS_NAME = 0x82

const ECDSA_WITH_SHA256 = der(SEQUENCE, der(OBJECT_ID, Buffer.from('2a8648ce3d040302', 'hex')))
const COMMON_NAME = der(OBJECT_ID, Buffer.from('550403', 'hex'))
const SUBJECT_ALT_NAME = der(OBJECT_ID, Buffer.from('551d11', 'hex'))

/** A new P-256 key and a certificate for `hostname`, as PEM. */
export function selfSign(hostname: string, nowMs: number): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8_STRING, Buffer.from(hostname.slice(0, 64))))))
  const altNames = der(OCTET_STRING, der(SEQUENCE, der(DNS_NAME, Buffer.from(hostname))))
  const body = der(
    SEQUENCE,
    der(VERSION, der(INTEGER, Buffer.of(2))),
    der(INTEGER, Buffer.concat([Buffer.of(1), randomBytes(15)])),
    ECDSA_WITH_SHA256,
    name,
    der(SEQUENCE, utcTime(nowMs - CLOCK_SKEW_MS), utcTime(nowMs + VALID_DAYS * DAY_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(EXTENSIONS, der(SEQUENCE, der(SEQUENCE, SUBJECT_ALT_NAME, altNames))),
  )
  const signature = der(BIT_STRING, Buffer.of(0), sign('sha256', body, privateKey))
  const certificate = der(SEQUENCE, body, ECDSA_WITH_SHA256, signature)
  return { cert: pem('CERTIFICATE', certificate), key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
}

function der(tag: number, ...contents: Uint8Array[]): Buffer {
  const content = Buffer.concat(contents)
  if (content.length < 0x80) return Buffer.concat([Buffer.of(tag, content.length), content])
  if (content.length < 0x100) return Buffer.concat([Buffer.of(tag, 0x81, content.length), content])
  return Buffer.concat([Buffer.of(tag, 0x82, content.length >> 8, content.length & 0xff), content])
}

function utcTime(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/[-:T]/g, '').slice(2, 14)
  return der(UTC_TIME, Buffer.from(`${digits}Z`))
}

function pem(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? []
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n')
}
