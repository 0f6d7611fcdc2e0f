import { AppError } from '#server/errors.ts'
import type { BetterAuth, BetterAuthDeps } from './better-auth.ts'

/** better-auth, loaded by the first request that needs it: half a second and some 50 MB that most visitors never cause. */
export class LazyBetterAuth {
  readonly #deps: BetterAuthDeps
  #loading: Promise<BetterAuth> | undefined

  constructor(deps: BetterAuthDeps) {
    this.#deps = deps
  }

  async load(): Promise<BetterAuth> {
    this.#loading ??= import('./better-auth.ts').then(({ createBetterAuth }) => createBetterAuth(this.#deps))
    return this.#loading
  }

  /** Resolves when nothing is being loaded any more. */
  async settled(): Promise<void> {
    await this.#loading
  }
}

/** The code of a refusal by better-auth; `undefined` for any other error. */
function refusalCode(error: unknown): string | undefined {
  if (!(error instanceof Error && 'body' in error)) return undefined
  const { body } = error
  return typeof body === 'object' && body && 'code' in body ? String(body.code) : undefined
}

/** `undefined` for a refusal by better-auth. A fault of ours or of the database must not look like a wrong password. */
export function unexpectedError(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error
  return refusalCode(error) === undefined ? new AppError('unavailable', { cause: error }) : undefined
}
