/** Finds a Mayfly, and runs its `npm start` as a child process. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { MayflyError } from '../errors.ts'
import type { StartOptions } from '../options.ts'

const START_MS_MAX = 120_000
/** The server itself gives up after 9 s. */
const STOP_MS_MAX = 15_000
/** How much of the server's output is shown if it does not start; the end says why. */
const OUTPUT_CHARS_MAX = 4_000

type ServerProcess = { url: string; apiKey: string; smtp: { host: string; port: number }; stop: () => Promise<void> }

export async function startServerProcess({ home, env = {}, timeoutMs = START_MS_MAX }: StartOptions): Promise<ServerProcess> {
  const cwd = findHome(home)
  const dataDir = await mkdtemp(join(tmpdir(), 'mayfly-'))
  const apiKey = `mft_${randomBytes(32).toString('base64url')}`
  const child = spawn(nodePath(), [START_SCRIPT], {
    cwd,
    // Nothing is sent over this channel: the start script ends when it closes, so it never outlives this process, not even after SIGKILL.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...inherited(),
      HOST: '127.0.0.1',
      HTTP_PORT: '0',
      SMTP_PORT: '0',
      LOG_LEVEL: 'warn',
      BOT_CHECK: 'off',
      // For webhooks that a test receives on this machine.
      WEBHOOK_ALLOW_PRIVATE: '127.0.0.1',
      API_TOKENS: `client:${createHash('sha256').update(apiKey).digest('hex')}`,
      ...env,
      DATA_DIR: dataDir,
    },
  })
  const stop = async () => {
    await end(child)
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    const { httpPort, smtpPort } = await readPorts(child, timeoutMs)
    release(child)
    return { url: `http://127.0.0.1:${httpPort}`, apiKey, smtp: { host: '127.0.0.1', port: smtpPort }, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Settings of another server in the same shell must not reach this one. */
function inherited(): Record<string, string | undefined> {
  const names = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'LANG', 'CI']
  return Object.fromEntries(names.map(name => [name, process.env[name]]))
}

/** Lets this process end when it has nothing else to do; the server ends with it. */
function release(child: ChildProcess): void {
  child.unref()
  // Bun has no such method, and does not need it.
  if (child.channel && 'unref' in child.channel) child.channel.unref()
  for (const stream of [child.stdout, child.stderr]) if (stream instanceof Socket) stream.unref()
}

/** Under Bun and Deno, `process.execPath` is not Node, which the server needs. */
const nodePath = (): string => ('bun' in process.versions || 'deno' in process.versions ? 'node' : process.execPath)

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.ref()
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX)
  await exited
  clearTimeout(timer)
}

const READY = /"site":"http:[^"]*:(\d+)",.*"mail":"[^"]*:(\d+)"/

/** Waits for the line that the server prints when it is ready. */
function readPorts(child: ChildProcess, timeoutMs: number): Promise<{ httpPort: number; smtpPort: number }> {
  return new Promise((resolve, reject) => {
    let output = ''
    const fail = (reason: string, cause?: unknown) => {
      clearTimeout(timer)
      reject(new MayflyError('not_started', `Mayfly did not start: ${reason}\n${output.slice(-OUTPUT_CHARS_MAX)}`.trimEnd(), { cause }))
    }
    const timer = setTimeout(() => fail(`it was not ready after ${timeoutMs / 1000} s`), timeoutMs)
    child.once('error', error => fail(error.message, error))
    child.once('exit', code => fail(`it ended with code ${code}`))
    const onOutput = (chunk: Buffer) => {
      output = `${output}${chunk}`.slice(-10 * OUTPUT_CHARS_MAX)
      const [, httpPort, smtpPort] = READY.exec(output)?.map(Number) ?? []
      if (!httpPort || !smtpPort) return
      clearTimeout(timer)
      resolve({ httpPort, smtpPort })
    }
    child.stdout?.on('data', onOutput)
    child.stderr?.on('data', onOutput)
  })
}

/** The script of `npm start`. */
const START_SCRIPT = 'scripts/start.mjs'

/** The folder passed in, `MAYFLY_HOME`, the checkout that this code is in, or a package called `mayfly`, in this order. */
function findHome(folder: string | undefined): string {
  const explicit = folder ?? (process.env.MAYFLY_HOME || undefined)
  if (explicit !== undefined) {
    if (isHome(explicit)) return resolve(explicit)
    throw new MayflyError('not_started', `${resolve(explicit)} is no folder of Mayfly: it has no ${START_SCRIPT}`)
  }
  const from = process.cwd()
  const found = ancestors(from).find(isHome) ?? installedPackage(from)
  if (found !== undefined) return found
  throw new MayflyError(
    'not_started',
    'There is no Mayfly to start. Install the package mayfly or name a checkout in MAYFLY_HOME, or run one elsewhere and use new Mayfly({ url }).',
  )
}

const isHome = (folder: string): boolean => existsSync(join(folder, START_SCRIPT)) && packageName(folder) === 'mayfly'

function packageName(folder: string): unknown {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).name
  } catch {
    return undefined
  }
}

function ancestors(folder: string): string[] {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [folder, ...ancestors(parent)]
}

function installedPackage(from: string): string | undefined {
  try {
    const folder = dirname(createRequire(join(from, 'x.js')).resolve('mayfly/package.json'))
    return isHome(folder) ? folder : undefined
  } catch {
    return undefined
  }
}
