import { AppError } from '#server/errors.ts'
import type { BetterAuth, BetterAuthDeps } from './better-auth.ts'

/** Loads better-auth at the first request that needs it: half a second and 50 MB, which most visits never need. */
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

  /** Resolves when nothing is being loaded. */
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

/** `undefined` for a refusal by better-auth. Other errors are rethrown, so that a failing database does not look like a wrong password. */
export function unexpectedError(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error
  return refusalCode(error) === undefined ? new AppError('unavailable', { cause: error }) : undefined
}
