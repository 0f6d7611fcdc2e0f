/** PgBouncer in front of a PostgreSQL, in a folder and with a user of its own, since it does not run as root. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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

/** Where it is, if this machine has it. */
export const findPgbouncer = () => process.env.PGBOUNCER_PATH

export async function startPgbouncer(mode: 'session' | 'transaction', upstreamPort: number): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-pgbouncer-'))
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  const settings = [
    '[databases]',
    `* = user=postgres host=127.0.0.1 port=${upstreamPort}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${mode}`,
    // Each test has a database of its own, and PostgreSQL takes a hundred connections.
    'server_idle_timeout = 1',
  ]
  writeFileSync(file, settings.join('\n'))
  // A server that this process has tested leaves a strict umask behind.
  for (const path of [folder, file]) chmodSync(path, 0o755)
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  let pooler: ChildProcess | undefined
  const start = async () => {
    const child = spawn(findPgbouncer() ?? 'pgbouncer', ['-q', file], { ...user, stdio: 'ignore' })
    pooler = child
    for (let attempt = 0; ; attempt++) {
      try {
        return await query(`postgres://postgres@127.0.0.1:${port}/postgres`, 'select 1')
      } catch (error) {
        if (attempt > 400 || child.exitCode !== null) throw error
        await sleep(50)
      }
    }
  }
  const stop = async () => {
    if (!pooler || pooler.exitCode !== null || pooler.signalCode !== null) return
    const ended = once(pooler, 'exit')
    pooler.kill('SIGTERM')
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
