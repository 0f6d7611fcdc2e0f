/** Runs commands as a terminal does: one line, in its own process group. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { saidBy } from '#test/harness/said-by.ts'

export type Command = AsyncDisposable & {
  readonly line: string
  /** All output so far, both streams. */
  output(): string
  /** Resolves to the match as soon as the output has one; fails if the command ends before, or takes too long. */
  match(pattern: RegExp, timeoutMs: number): Promise<RegExpExecArray>
  /** Like Ctrl-C: SIGINT to every process of the group. */
  interrupt(): void
  /** Like `kill PID`: a signal to the process that was started. */
  kill(signal: 'SIGTERM' | 'SIGKILL'): void
  /** Exit code, or the name of the signal that ended it. */
  ended(timeoutMs: number): Promise<number | string>
  /** All output of it and the processes it started, when none of them can write any more. */
  wholeOutput(timeoutMs: number): Promise<string>
}

type Options = { readonly folder: string; readonly env: Record<string, string | undefined> }

/** With `exec` the shell becomes the command, so that `kill` reaches npm itself. */
export function run(line: string, { folder, env }: Options): Command {
  const child = spawn('/bin/sh', ['-c', `exec ${line}`], { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = saidBy(child.stdout, child.stderr)
  const [exit, close] = [once(child, 'exit'), once(child, 'close')]
  return {
    line,
    output,
    match: (pattern, timeoutMs) => waitForMatch(child, () => pattern.exec(output()), { what: `${line}: ${pattern}`, timeoutMs }),
    interrupt: () => signalGroup(child, 'SIGINT'),
    kill: signal => void child.kill(signal),
    async ended(timeoutMs) {
      await Promise.race([exit, failAfter(timeoutMs, `${line} did not end`)])
      return child.exitCode ?? child.signalCode ?? ''
    },
    async wholeOutput(timeoutMs) {
      await Promise.race([close, failAfter(timeoutMs, `the output of ${line} did not end`)])
      return output()
    },
    async [Symbol.asyncDispose]() {
      signalGroup(child, 'SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await exit
    },
  }
}

type Wait = { readonly what: string; readonly timeoutMs: number }

async function waitForMatch(child: ChildProcess, find: () => RegExpExecArray | null, { what, timeoutMs }: Wait) {
  const until = performance.now() + timeoutMs
  while (performance.now() < until) {
    const hasEnded = child.exitCode !== null || child.signalCode !== null
    const found = find()
    if (found) return found
    if (hasEnded) throw new Error(`ended with ${child.exitCode ?? child.signalCode} before it wrote what was expected: ${what}`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  throw new Error(`not written within ${timeoutMs / 1000} s: ${what}`)
}

function failAfter(timeoutMs: number, message: string): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`${message} within ${timeoutMs / 1000} s`)), timeoutMs).unref()
  })
}

/** The group may have ended already. */
function signalGroup(child: ChildProcess, signal: 'SIGINT' | 'SIGKILL'): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
