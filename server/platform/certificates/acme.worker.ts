/**
 * Obtains one certificate by ACME (RFC 8555) with the challenge HTTP-01, then ends. A separate thread, because the library takes 38 MB and
 * half a second to load, is needed for seconds in two months, and can be stopped at any moment this way.
 */
import { generateKeyPairSync } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'
import acme from 'acme-client'
import { type OutgoingProxy, setOutgoingProxy } from '../net/outgoing-proxy.ts'
import type { AcmeProblem } from './acme-files.ts'
import { ATTRIBUTES, EXTENSION_REQUEST, encodeDer, encodeHostNames, encodePem, INTEGER, SEQUENCE, SET, signDer } from './self-signed.ts'

export type AcmeOrder = {
  readonly directoryUrl: string
  readonly accountKey: string
  readonly email: string
  readonly names: readonly string[]
  readonly proxy: OutgoingProxy | undefined
}
export type FromAcmeThread =
  | { readonly challenge: { readonly token: string; readonly keyAuthorization: string } }
  | { readonly certificate: { readonly cert: string; readonly key: string } }
  | { readonly problem: AcmeProblem }

const REQUEST_MS_MAX = 30_000
/** How often to ask the authority whether it has finished. */
const POLL = { backoffAttempts: 40, backoffMin: 250, backoffMax: 4000 }
const TYPE_PREFIX = 'urn:ietf:params:acme:error:'

const { directoryUrl, accountKey, email, names, proxy }: AcmeOrder = workerData
const say = (message: FromAcmeThread) => parentPort?.postMessage(message)

let latest: AcmeProblem | undefined

// The library's own reading of HTTPS_PROXY is off: the shared agent has it.
setOutgoingProxy(proxy)
// We pause between attempts ourselves: the pauses are longer than the life of this thread.
Object.assign(acme.axios.defaults, { timeout: REQUEST_MS_MAX, proxy: false, acmeSettings: { retryMaxAttempts: 0 } })
acme.axios.interceptors.response.use(response => {
  // Without retries the library would turn a broken connection into a missing response.
  if (response === undefined) throw new Error('the connection to the authority broke')
  const { status, data, headers } = response
  const problem = status >= 400 ? data : data?.error
  const type = String(problem?.type ?? '').replace(TYPE_PREFIX, '')
  // The library retries these itself (RFC 8555 section 6.5).
  if (problem && type !== 'badNonce') {
    const detail = String(problem.detail ?? `it answered ${status}`)
    latest = { type: type || undefined, detail, waitMs: waitMs(headers['retry-after']) }
  }
  return response
})

/** `undefined` if the directory could be read. */
async function directoryProblem(): Promise<AcmeProblem | undefined> {
  try {
    const response = await fetch(directoryUrl, { signal: AbortSignal.timeout(REQUEST_MS_MAX) })
    const directory = await response.json().catch(() => undefined)
    if (response.ok && typeof directory?.newOrder === 'string') return undefined
    const detail = response.ok ? 'it answers with something else than a directory' : `it answers ${response.status}`
    return { type: 'directory', detail, waitMs: waitMs(response.headers.get('retry-after')) }
  } catch (error) {
    return { type: 'directory', detail: errorReason(error instanceof Error && error.cause ? error.cause : error), waitMs: 0 }
  }
}

function errorReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message || ('code' in error ? String(error.code) : error.name)
}

/** Seconds or a date (RFC 9110 section 10.2.3). */
function waitMs(header: unknown): number {
  if (typeof header !== 'string') return 0
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : 0
}

async function obtain(): Promise<{ cert: string; key: string }> {
  const client = new acme.Client({ directoryUrl, accountKey, ...POLL })
  await client.createAccount({ termsOfServiceAgreed: true, contact: [`mailto:${email}`] })
  const order = await client.createOrder({ identifiers: names.map(value => ({ type: 'dns', value })) })
  for (const authorization of await client.getAuthorizations(order)) {
    // Still valid from an earlier order.
    if (authorization.status === 'valid') continue
    const challenge = authorization.challenges.find(({ type }) => type === 'http-01')
    if (!challenge) throw new Error('the authority offers no challenge by HTTP (http-01)')
    say({ challenge: { token: challenge.token, keyAuthorization: await client.getChallengeKeyAuthorization(challenge) } })
    await client.completeChallenge(challenge)
    await client.waitForValidStatus(challenge)
  }
  const { request, key } = requestCertificate(names)
  const cert = await client.getCertificate(await client.finalizeOrder(order, request))
  return { cert, key }
}

const problem = await directoryProblem()
if (problem) say({ problem })
else {
  try {
    say({ certificate: await obtain() })
  } catch (error) {
    say({ problem: latest ?? { type: undefined, detail: errorReason(error), waitMs: 0 } })
  }
}

/**
 * Creates a certificate request (PKCS #10, RFC 2986) for these hosts with a new P-256 key. Our own, because the one of acme-client needs
 * packages that are already installed in another version. Both as PEM. The subject is empty: authorities take the name from the extension
 * (RFC 8555 section 7.4).
 */
function requestCertificate(hostnames: readonly string[]): { readonly request: string; readonly key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const extensions = encodeDer(SEQUENCE, EXTENSION_REQUEST, encodeDer(SET, encodeDer(SEQUENCE, encodeHostNames(hostnames))))
  const body = encodeDer(
    SEQUENCE,
    encodeDer(INTEGER, Buffer.of(0)),
    encodeDer(SEQUENCE),
    publicKey.export({ type: 'spki', format: 'der' }),
    encodeDer(ATTRIBUTES, extensions),
  )
  return {
    request: encodePem('CERTIFICATE REQUEST', signDer(body, privateKey)),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}
