/** The real server as its own process: for browser tests, crash tests and benches. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { spawnServer } from '../../../scripts/server-process.mjs'
import { HeardLog } from '../heard-log.ts'
import { serverBuilt } from './build-server.ts'

/** A busy machine takes ten times as long as a quiet one. It is less than a test may take, so that what the server said is told. */
const START_MS_MAX = 50_000
const base = { PATH: process.env.PATH, HTTP_PORT: '0', SMTP_PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'warn' }

export type RunningServer = AsyncDisposable & {
  readonly httpPort: number
  readonly smtpPort: number
  readonly pid: number
  readonly dataDir: string
  /** Checked when the server ends, however that happens. */
  readonly heardLog: HeardLog
  /** All output so far, both streams. */
  output(): string
  /** Sends SIGTERM and waits; resolves to the exit code. Rejects if something was logged that was not announced. */
  stop(): Promise<number | null>
  /** Sends SIGKILL, as after a power cut or by the kernel's OOM killer. */
  kill9(): Promise<void>
}

type StartServerProcessOptions = {
  readonly env?: Readonly<Record<string, string>>
  /** Kept by the caller, e.g. to restart with the same mail. By default a temporary folder that `stop` removes. */
  readonly dataDir?: string
  /** Runs the server instead of this Node, e.g. this Node in a network namespace. */
  readonly node?: string
  /** Warnings and errors in the log that the test provokes; any other fails it. */
  readonly allowLog?: readonly RegExp[]
}

/** Starts the server as `npm start` does, on free ports of 127.0.0.1, with only PATH from this process' environment. */
export async function startServerProcess(options: StartServerProcessOptions = {}): Promise<RunningServer> {
  const { env = {}, dataDir: given, node = process.execPath, allowLog } = options
  const dataDir = given ?? (await mkdtemp(join(tmpdir(), 'mayfly-')))
  await serverBuilt()
  const child = spawnServer(node, { env: { ...base, DATA_DIR: dataDir, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  // Not 'exit': its last lines may still be on their way then.
  const exited = once(child, 'close')
  const removeFolder = async () => {
    if (given === undefined) await rm(dataDir, { recursive: true, force: true })
  }
  const heardLog = new HeardLog(allowLog)
  let output = ''
  child.stderr?.on('data', chunk => {
    output += chunk
  })
  const ports = await readPorts(child, line => {
    output += `${line}\n`
    heardLog.write(line)
  }).catch(async error => {
    child.kill('SIGKILL')
    await exited
    await removeFolder()
    throw new Error(`the server did not start: ${error.message}\n${output}`)
  })

  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    await exited
  }
  const stop = async () => {
    await end('SIGTERM')
    await removeFolder()
    heardLog.check()
    return child.exitCode
  }
  return {
    ...ports,
    pid: child.pid ?? 0,
    dataDir,
    heardLog,
    output: () => output,
    stop,
    async kill9() {
      await end('SIGKILL')
      heardLog.check()
    },
    async [Symbol.asyncDispose]() {
      await stop()
    },
  }
}

/** Reads the line that server/main.ts prints when it is ready. */
function readPorts(child: ChildProcess, onLine: (line: string) => void): Promise<{ httpPort: number; smtpPort: number }> {
  return new Promise((resolvePorts, reject) => {
    const timer = setTimeout(() => reject(new Error(`not ready after ${START_MS_MAX} ms`)), START_MS_MAX)
    child.once('exit', code => reject(new Error(`ended with code ${code}`)))
    if (!child.stdout) throw new TypeError('stdout is a pipe')
    createInterface({ input: child.stdout }).on('line', line => {
      onLine(line)
      const [, httpPort, smtpPort] = /"site":"http:[^"]*:(\d+)",.*"mail":"[^"]*:(\d+)"/.exec(line)?.map(Number) ?? []
      if (!httpPort || !smtpPort) return
      clearTimeout(timer)
      resolvePorts({ httpPort, smtpPort })
    })
  })
}
