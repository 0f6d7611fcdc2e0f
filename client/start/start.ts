/** Starts a server for tests: a child process on free ports with a temporary folder. */
import { checkOptions } from '../check-options.ts'
import { asyncDispose } from '../mailbox.ts'
import { Mayfly } from '../mayfly.ts'
import type { StartOptions } from '../options.ts'

export class StartedMayfly extends Mayfly implements AsyncDisposable {
  /** Where the application under test sends its mail. */
  readonly smtp: { readonly host: string; readonly port: number }
  readonly #apiKey: string
  readonly #stop: () => Promise<void>

  /** @internal */
  constructor({
    smtp,
    stop,
    ...options
  }: { url: string; apiKey: string; smtp: { host: string; port: number }; stop: () => Promise<void> }) {
    super({ url: options.url, apiKey: options.apiKey })
    this.smtp = smtp
    this.#apiKey = options.apiKey
    this.#stop = stop
  }

  /** For `new Mayfly` in another process. */
  get apiKey(): string {
    return this.#apiKey
  }

  /** Stops the server and removes its folder. */
  stop(): Promise<void> {
    return this.#stop()
  }

  async [asyncDispose](): Promise<void> {
    await this.stop()
  }
}

/** Needs Node, Bun or Deno, because browsers cannot start processes. The server ends with this process, however that ends. */
export async function start(options: StartOptions = {}): Promise<StartedMayfly> {
  checkOptions('start', options)
  // Loaded on demand, so that the rest of the client runs in browsers.
  const { startServerProcess } = await import('./server-process.ts')
  return new StartedMayfly(await startServerProcess(options))
}
