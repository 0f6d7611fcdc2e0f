/** Pebble, the ACME test server of Let's Encrypt, on loopback. It is as strict as the real one. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { selfSign } from '#server/platform/certificates/self-signed.ts'
import { saidBy } from '#test/harness/said-by.ts'
import { freePort } from '../free-port.ts'

/** `npm test` prints where it is. */
const PEBBLE = process.env.PEBBLE_PATH ?? 'pebble'

type PebbleOptions = {
  /** The port for challenges: the HTTP port of the server under test. */
  readonly httpPort: number
  /** Its resolver. */
  readonly dns: string
  /** Validity of the certificates that it issues. */
  readonly validitySeconds?: number
  /** The percentage of valid nonces that it rejects, as authorities may do. */
  readonly nonceRejectPercent?: number
}

export type Pebble = AsyncDisposable & {
  readonly directoryUrl: string
  /** For NODE_EXTRA_CA_CERTS: the authority that the server must trust to connect to it. */
  readonly caFile: string
  readonly ca: string
  /** PEM: the root that a browser must trust to accept its certificates. */
  readonly root: string
  readonly tls: { readonly cert: string; readonly key: string }
}

export async function startPebble({ httpPort, dns, validitySeconds = 86_400, nonceRejectPercent = 5 }: PebbleOptions): Promise<Pebble> {
  const folder = await mkdtemp(join(tmpdir(), 'pebble-'))
  const [port, managementPort] = [await freePort(), await freePort()]
  const tls = selfSign('localhost', Date.now())
  const [caFile, keyFile, configFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem'), join(folder, 'config.json')]
  const config = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${managementPort}`,
    certificate: caFile,
    privateKey: keyFile,
    httpPort,
    tlsPort: 1,
    ocspResponderURL: '',
    externalAccountBindingRequired: false,
    certificateValidityPeriod: validitySeconds,
  }
  await Promise.all([writeFile(caFile, tls.cert), writeFile(keyFile, tls.key), writeFile(configFile, JSON.stringify({ pebble: config }))])
  const env = { PATH: process.env.PATH, PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: String(nonceRejectPercent) }
  const child = spawn(PEBBLE, ['-config', configFile, '-dnsserver', dns], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const said = saidBy(child.stdout, child.stderr)
  const exited = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGTERM')
    await exited
    await rm(folder, { recursive: true, force: true })
  }
  const root = await rootOf(managementPort, tls.cert, () => (child.exitCode === null ? undefined : said())).catch(async error => {
    await stop()
    throw error
  })
  return {
    directoryUrl: `https://localhost:${port}/dir`,
    caFile,
    ca: tls.cert,
    root,
    tls,
    [Symbol.asyncDispose]: stop,
  }
}

async function rootOf(port: number, ca: string, failure: () => string | undefined): Promise<string> {
  for (let tries = 0; tries < 200; tries++) {
    const said = failure()
    if (said !== undefined) throw new Error(said)
    const found = await get(port, ca).catch(() => undefined)
    if (found) return found
    await sleep(50)
  }
  throw new Error('Pebble did not answer')
}

function get(port: number, ca: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path: '/roots/0', ca, servername: 'localhost' }, response =>
      text(response).then(resolve, reject),
    )
    asked.once('error', reject).end()
  })
}
