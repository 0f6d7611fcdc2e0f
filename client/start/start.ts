/** A server of one's own, for tests that want none to be there: a child process on free ports with a temporary folder. */
import { asyncDispose } from '../dispose.ts'
import { Mayfly } from '../mayfly.ts'
import type { StartOptions } from '../options.ts'

export class StartedMayfly extends Mayfly implements AsyncDisposable {
  /** Where the application under test sends its mail. */
  readonly smtp: { readonly host: string; readonly port: number }
  /** What `new Mayfly` needs in another process. */
  readonly apiKey: string
  readonly #stop: () => Promise<void>

  /** @internal */
  constructor({
    smtp,
    stop,
    ...options
  }: { url: string; apiKey: string; smtp: { host: string; port: number }; stop: () => Promise<void> }) {
    super(options)
    this.smtp = smtp
    this.apiKey = options.apiKey
    this.#stop = stop
  }

  /** Ends the server and removes its folder. */
  stop(): Promise<void> {
    return this.#stop()
  }

  async [asyncDispose](): Promise<void> {
    await this.stop()
  }
}

/** Node, Bun and Deno only: a browser can start no process. The server ends with this process, whatever ends it. */
export async function start(options: StartOptions = {}): Promise<StartedMayfly> {
  // Loaded on demand, so that the rest of the client runs where there are no processes.
  const { startServerProcess } = await import('./server-process.ts')
  return new StartedMayfly(await startServerProcess(options))
}
