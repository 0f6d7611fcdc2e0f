import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import type { Ready } from './smtp-process-server.ts'

/** The SMTP server in its own process, for tests of a whole process. */
export class SmtpProcess implements AsyncDisposable {
  readonly #child: ChildProcess
  readonly ready: Promise<Ready>

  /** `descriptorsMax`: set with util-linux's prlimit. */
  constructor({ descriptorsMax }: { readonly descriptorsMax: number }) {
    const program = resolve(import.meta.dirname, 'smtp-process-server.ts')
    this.#child = spawn('prlimit', [`--nofile=${descriptorsMax}`, process.execPath, program], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    const { promise, resolve: found, reject } = Promise.withResolvers<Ready>()
    this.#child.once('message', (ready: Ready) => found(ready))
    this.#child.once('exit', code => reject(new Error(`the server ended with ${code}`)))
    this.ready = promise
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const exited = once(this.#child, 'exit')
    this.#child.disconnect()
    const [code] = await exited
    // Also when it logged what was not announced, which it printed.
    if (code !== 0) throw new Error(`the server ended with ${code}`)
  }
}
