/** A temporary PostgreSQL for tests: a real server in a temporary folder, on loopback, removed when disposed. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import pg from 'pg'
import { freePort } from '../free-port.ts'

export type Postgres = AsyncDisposable & {
  /** A fresh, empty database on the server; its `postgres://` URL. */
  createDatabase(): Promise<string>
  /** Ends every connection to its databases, as a failover or an administrator does. Resolves when the server has closed them. */
  killConnections(): Promise<void>
  stop(): Promise<void>
  /** After `stop`: on the same port, with the same databases. */
  start(): Promise<void>
  /** Another server that follows this one until `select pg_promote()`. */
  startStandby(): Promise<Postgres>
  readonly port: number
  /** Where its Unix socket is. */
  readonly folder: string
}

/** A start takes a second on an idle machine, and up to a hundred times as long under load. */
const START_MS_MAX = 100_000

/** Where `initdb` and `postgres` are: on the PATH, or Debian's newest. `undefined` if this machine has none. */
export function findPostgres(): string | undefined {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [
    process.env.POSTGRES_BIN ?? '',
    ...(process.env.PATH ?? '').split(delimiter),
    ...versions.map(version => join(debian, version, 'bin')),
  ]
  return folders.find(folder => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')))
}

/** With `password` it asks for one. @throws with its output if the server does not start. */
export async function startPostgres(bin: string, password?: string, leaderUrl?: string): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-pg-'))
  const user = serverUser()
  if (user) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, password ?? '-')
  if (user) chownSync(passwordFile, user.uid, user.gid)
  const auth = password === undefined ? ['-A', 'trust'] : ['-A', 'scram-sha-256', `--pwfile=${passwordFile}`]
  const [maker, ...args] = leaderUrl
    ? ['pg_basebackup', '-D', data, '-d', leaderUrl, '-R', '--checkpoint=fast', '--no-sync']
    : ['initdb', '-D', data, '-U', 'postgres', ...auth, '-E', 'UTF8', '--locale=C', '--no-sync']
  execFileSync(join(bin, maker ?? ''), args, { ...user, stdio: 'pipe', cwd: folder })
  const port = await freePort()
  const settings = ['-p', String(port), '-h', '127.0.0.1', '-k', folder, '-c', 'fsync=off', '-c', 'full_page_writes=off']
  const databaseUrl = (database: string) =>
    `postgres://postgres${password === undefined ? '' : `:${password}`}@127.0.0.1:${port}/${database}`
  let server: ChildProcess | undefined
  const start = async () => {
    server = spawn(join(bin, 'postgres'), ['-D', data, ...settings], { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
    await untilReady(server, databaseUrl('postgres'))
  }
  const stop = async () => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, 'exit')
    server.kill('SIGINT')
    await ended
  }
  await start()
  return {
    start,
    stop,
    port,
    folder,
    startStandby: () => startPostgres(bin, password, databaseUrl('postgres')),
    killConnections: () =>
      query(
        databaseUrl('postgres'),
        'select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname is not null and pid <> pg_backend_pid()',
      ),
    async createDatabase() {
      const name = `t${randomBytes(6).toString('hex')}`
      await query(databaseUrl('postgres'), `create database ${name}`)
      return databaseUrl(name)
    },
    async [Symbol.asyncDispose]() {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** PostgreSQL refuses to run as root, so it runs as its own user or as nobody. */
function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { stdio: 'pipe' }).toString())
  try {
    return { uid: id('-u'), gid: id('-g') }
  } catch {
    return { uid: 65_534, gid: 65_534 }
  }
}

async function untilReady(server: ChildProcess, url: string): Promise<void> {
  let said = ''
  server.stderr?.on('data', chunk => {
    said += chunk
  })
  const until = performance.now() + START_MS_MAX
  while (performance.now() < until) {
    if (server.exitCode !== null) break
    try {
      return await query(url, 'select 1')
    } catch {
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  }
  throw new Error(`PostgreSQL did not start: ${said}`)
}

/** Runs one or several statements as the user of the URL. */
export async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
