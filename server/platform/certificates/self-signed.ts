/** Creates a self-signed X.509 certificate (RFC 5280) for STARTTLS, for senders that encrypt without verifying (RFC 7435). */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import {
  COMMON_NAME,
  ECDSA_WITH_SHA256,
  EXTENSIONS,
  encodeDer,
  encodeHostNames,
  encodePem,
  INTEGER,
  SEQUENCE,
  SET,
  signDer,
  UTC_TIME,
  UTF8_STRING,
  VERSION,
} from './der.ts'

export type Certificate = { readonly cert: string; readonly key: string }

const DAY_MS = 86_400_000
const VALID_DAYS = 825 // what TLS clients accept at most
const CLOCK_SKEW_MS = 3_600_000

/** A new P-256 key and a certificate for `hostname`, as PEM. */
export function selfSign(hostname: string, nowMs: number): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
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
    publicKey.export({ type: 'spki', format: 'der' }),
    encodeDer(EXTENSIONS, encodeDer(SEQUENCE, encodeHostNames(hostname))),
  )
  return { cert: encodePem('CERTIFICATE', signDer(body, privateKey)), key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
}

function utcTime(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/[-:T]/g, '').slice(2, 14)
  return encodeDer(UTC_TIME, Buffer.from(`${digits}Z`))
}
