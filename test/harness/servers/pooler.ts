/** A pooler in front of a PostgreSQL, in a folder and with a user of its own, since none runs as root. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../free-port.ts'
import { query } from './postgres.ts'

export type Pooler = AsyncDisposable & {
  readonly port: number
  stop(): Promise<void>
  /** After `stop`: on the same port. */
  start(): Promise<void>
}

/** `upstream`: ports of the PostgreSQL that takes writes, and of those that follow it. */
type Place = { readonly folder: string; readonly port: number; readonly upstream: readonly number[] }
type Kind = {
  readonly path: string | undefined
  readonly args: readonly string[]
  /** It ends at once, whoever is connected. */
  readonly signal: NodeJS.Signals
  readonly settings: (place: Place) => readonly string[]
}

const pgbouncer = (mode: string): Kind => ({
  path: process.env.PGBOUNCER_PATH,
  args: ['-q'],
  signal: 'SIGTERM',
  settings: ({ port, upstream }) => [
    '[databases]',
    `* = user=postgres host=127.0.0.1 port=${upstream[0]}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${mode}`,
    // Each test has a database of its own, and PostgreSQL takes a hundred connections.
    'server_idle_timeout = 1',
  ],
})

const pgpool: Kind = {
  path: process.env.PGPOOL_PATH,
  args: ['-n', '-f'],
  signal: 'SIGINT',
  settings: ({ folder, port, upstream }) => [
    "listen_addresses = '127.0.0.1'",
    `port = ${port}`,
    // It ignores those that its version does not know.
    ...['socket_dir', 'unix_socket_directories', 'pcp_socket_dir', 'wd_ipc_socket_dir', 'logdir'].map(name => `${name} = '${folder}'`),
    "pcp_listen_addresses = ''",
    `pid_file_name = '${join(folder, 'pid')}'`,
    "sr_check_user = 'postgres'",
    ...upstream.flatMap((at, i) => [`backend_hostname${i} = '127.0.0.1'`, `backend_port${i} = ${at}`]),
    // The two that docs/scaling.md asks for.
    "backend_clustering_mode = 'streaming_replication'",
    'load_balance_mode = off',
    // Each test has a database of its own, and PostgreSQL takes a hundred connections.
    'max_pool = 1',
    'connection_life_time = 1',
  ],
}

const POOLERS = {
  'PgBouncer in session mode': pgbouncer('session'),
  'PgBouncer in transaction mode': pgbouncer('transaction'),
  'Pgpool-II': pgpool,
}

export const poolerNames = Object.keys(POOLERS) as (keyof typeof POOLERS)[]

/** Whether this machine has it. */
export const hasPooler = (name: keyof typeof POOLERS) => POOLERS[name].path !== undefined

export async function startPooler(name: keyof typeof POOLERS, ...upstream: readonly number[]): Promise<Pooler> {
  const { path, args, signal, settings } = POOLERS[name]
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-pooler-'))
  const port = await freePort()
  const file = join(folder, 'settings')
  writeFileSync(file, settings({ folder, port, upstream }).join('\n'))
  // A server that this process has tested leaves a strict umask behind.
  for (const at of [folder, file]) chmodSync(at, 0o755)
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined
  if (user) chownSync(folder, user.uid, user.gid)
  let pooler: ChildProcess | undefined
  const start = async () => {
    const child = spawn(path ?? '', [...args, file], { ...user, cwd: folder, stdio: 'ignore' })
    pooler = child
    for (let attempt = 0; ; attempt++) {
      try {
        return await query(`postgres://postgres@127.0.0.1:${port}/postgres`, 'select 1')
      } catch (error) {
        if (attempt > 1000 || child.exitCode !== null) throw error
        await sleep(50)
      }
    }
  }
  const stop = async () => {
    if (!pooler || pooler.exitCode !== null || pooler.signalCode !== null) return
    const ended = once(pooler, 'exit')
    pooler.kill(signal)
    await ended
  }
  await start()
  return {
    port,
    start,
    stop,
    async [Symbol.asyncDispose]() {
      await stop()
      rmSync(folder, { recursive: true })
    },
  }
}
