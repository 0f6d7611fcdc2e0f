/** Debian's HAProxy with the configuration of deploy/haproxy, in front of servers on this machine. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../free-port.ts'

const CONFIGURATION = resolve(import.meta.dirname, '../../../deploy/haproxy/haproxy.cfg')
const START_MS_MAX = 20_000

type Ports = { readonly httpPort: number; readonly smtpPort: number }
/** `httpsPort`: if there is a certificate. */
type Haproxy = AsyncDisposable & Ports & { readonly httpsPort: number }

/** `undefined` if this machine has none. */
export function findHaproxy(): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  return [process.env.HAPROXY_PATH ?? '', ...folders.map(folder => join(folder, 'haproxy'))].find(path => path && existsSync(path))
}

/**
 * Resolves when it listens. The servers may start later, because its health checks notice them. `certificate`: a PEM file with its key, for
 * the line of the configuration that is a comment. `connectionsMax`: instead of what its descriptors allow.
 */
export async function startHaproxy(
  bin: string,
  servers: readonly Ports[],
  certificate?: string,
  connectionsMax?: number,
): Promise<Haproxy> {
  const [httpPort, smtpPort, httpsPort] = [await freePort(), await freePort(), await freePort()]
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-haproxy-'))
  const file = join(folder, 'haproxy.cfg')
  const tls = certificate === undefined ? '# ' : `bind 127.0.0.1:${httpsPort} ssl crt ${certificate} `
  const sample = readFileSync(CONFIGURATION, 'utf8').replace('# bind :443 ssl crt /etc/haproxy/mayfly.pem ', tls)
  const limited = connectionsMax === undefined ? sample : sample.replace('global\n', `global\n    maxconn ${connectionsMax}\n`)
  await writeFile(file, localised(limited, { httpPort, smtpPort }, servers))
  const checked = spawnSync(bin, ['-c', '-f', file], { encoding: 'utf8' })
  if (checked.status !== 0) throw new Error(`HAProxy refuses its configuration: ${checked.stderr}`)
  const child = spawn(bin, ['-db', '-f', file], { stdio: 'ignore' })
  const exited = once(child, 'exit')
  await untilListening(httpPort)
  return {
    httpPort,
    smtpPort,
    httpsPort,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The same configuration with addresses of this machine. */
function localised(text: string, { httpPort, smtpPort }: Ports, servers: readonly Ports[]): string {
  const lines = text.replace('bind :25\n', `bind 127.0.0.1:${smtpPort}\n`).replace('bind :80\n', `bind 127.0.0.1:${httpPort}\n`).split('\n')
  const own = (port: 'httpPort' | 'smtpPort') =>
    servers.map((server, n) => `    server s${n} 127.0.0.1:${server[port]} check${port === 'smtpPort' ? ` port ${server.httpPort}` : ''}`)
  return lines
    .flatMap(line => {
      if (/^ +server one .*:2525/.test(line)) return own('smtpPort')
      if (/^ +server one .*:8080/.test(line)) return own('httpPort')
      return /^ +server /.test(line) ? [] : [line]
    })
    .join('\n')
}

async function untilListening(port: number): Promise<void> {
  const until = performance.now() + START_MS_MAX
  while (performance.now() < until) {
    const isThere = await fetch(`http://127.0.0.1:${port}/healthz`).then(
      () => true,
      () => false,
    )
    if (isThere) return
    await sleep(50)
  }
  throw new Error('HAProxy did not start')
}
