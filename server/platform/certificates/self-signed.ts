/** Creates a self-signed X.509 certificate (RFC 5280) for STARTTLS, for senders that encrypt without verifying (RFC 7435). */
import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { DAY_MS, HOUR_MS } from '#contract/limits.ts'

export type Certificate = { readonly cert: string; readonly key: string }

const VALID_DAYS = 825 // what TLS clients accept at most
const CLOCK_SKEW_MS = HOUR_MS

const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

/** A certificate for `hostname` and `others` with its P-256 key, a new one if none is given, as PEM. */
export function selfSign(hostname: string, nowMs: number, others: readonly string[] = [], privateKey: KeyObject = newKey()): Certificate {
  const name = encodeDer(
    SEQUENCE,
    encodeDer(SET, encodeDer(SEQUENCE, COMMON_NAME, encodeDer(UTF8_STRING, Buffer.from(hostname.slice(0, 64))))),
  )
  const body = encodeDer(
    SEQUENCE,
    encodeDer(VERSION, encodeDer(INTEGER, Buffer.of(2))),
    encodeDer(INTEGER, Buffer.concat([Buffer.of(1), randomBytes(15)])),
    ECDSA_WITH_SHA256,
    name,
    encodeDer(SEQUENCE, utcTime(nowMs - CLOCK_SKEW_MS), utcTime(nowMs + VALID_DAYS * DAY_MS)),
    name,
    createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
    encodeDer(EXTENSIONS, encodeDer(SEQUENCE, encodeHostNames([hostname, ...others]))),
  )
  return { cert: encodePem('CERTIFICATE', signDer(body, privateKey)), key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
}

function utcTime(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/[-:T]/g, '').slice(2, 14)
  return encodeDer(UTC_TIME, Buffer.from(`${digits}Z`))
}

export const INTEGER = 0x02
const BIT_STRING = 0x03
const OCTET_STRING = 0x04
const OBJECT_ID = 0x06
const UTF8_STRING = 0x0c
const UTC_TIME = 0x17
export const SEQUENCE = 0x30
export const SET = 0x31
const VERSION = 0xa0
const EXTENSIONS = 0xa3
export const ATTRIBUTES = 0xa0
const DNS_NAME = 0x82
const IP_ADDRESS = 0x87

const ECDSA_WITH_SHA256 = encodeDer(SEQUENCE, encodeDer(OBJECT_ID, Buffer.from('2a8648ce3d040302', 'hex')))
const COMMON_NAME = encodeDer(OBJECT_ID, Buffer.from('550403', 'hex'))
export const EXTENSION_REQUEST = encodeDer(OBJECT_ID, Buffer.from('2a864886f70d01090e', 'hex'))
const SUBJECT_ALT_NAME = encodeDer(OBJECT_ID, Buffer.from('551d11', 'hex'))

/** The extension with the host names and IP addresses (RFC 5280 section 4.2.1.6), in DER (X.690). */
export function encodeHostNames(hostnames: readonly string[]): Buffer {
  const names = hostnames.map(name =>
    isIP(name) === 0 ? encodeDer(DNS_NAME, Buffer.from(name)) : encodeDer(IP_ADDRESS, addressBytes(name)),
  )
  return encodeDer(SEQUENCE, SUBJECT_ALT_NAME, encodeDer(OCTET_STRING, encodeDer(SEQUENCE, ...names)))
}

const addressBytes = (ip: string) => Buffer.from(ipaddr.parse(ip).toByteArray())

/** Signs the body with the algorithm that it names. */
export function signDer(body: Buffer, privateKey: KeyObject): Buffer {
  return encodeDer(SEQUENCE, body, ECDSA_WITH_SHA256, encodeDer(BIT_STRING, Buffer.of(0), sign('sha256', body, privateKey)))
}

export function encodeDer(tag: number, ...contents: Uint8Array[]): Buffer {
  const content = Buffer.concat(contents)
  if (content.length < 0x80) return Buffer.concat([Buffer.of(tag, content.length), content])
  if (content.length < 0x100) return Buffer.concat([Buffer.of(tag, 0x81, content.length), content])
  return Buffer.concat([Buffer.of(tag, 0x82, content.length >> 8, content.length & 0xff), content])
}

export function encodePem(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? []
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n')
}
