import { AppError } from '#server/errors.ts'
import type { Auth, AuthParts } from './auth.ts'
import { emailKey } from './email-key.ts'

/** better-auth, loaded by the first request that needs it: half a second and some 50 MB that most visitors never cause. */
export class AuthLibrary {
  readonly #parts: AuthParts
  #loading: Promise<Auth> | undefined

  constructor(parts: AuthParts) {
    this.#parts = parts
  }

  async load(): Promise<Auth> {
    this.#loading ??= import('./auth.ts').then(({ createAuth }) => createAuth(this.#parts))
    return this.#loading
  }

  /** Its verbs on users, sessions and credentials. */
  async records() {
    return (await (await this.load()).$context).internalAdapter
  }

  /** The account of this person, under whatever tag or spelling it was made. */
  async findByKey(email: string) {
    const { adapter } = await (await this.load()).$context
    return adapter.findOne<{ id: string; email: string; emailVerified: boolean }>({
      model: 'user',
      where: [{ field: 'emailKey', value: emailKey(email) }],
    })
  }

  /** Resolves when nothing is being loaded any more. */
  async settled(): Promise<void> {
    await this.#loading
  }
}

/** The code of a refusal of better-auth's; `undefined` for anything else. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error && 'body' in error)) return undefined
  const { body } = error
  return typeof body === 'object' && body && 'code' in body ? String(body.code) : undefined
}

/** What is a refusal of better-auth's stays one; a fault of ours or the database's must not pass as a wrong password. */
export function failureOf(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error
  return codeOf(error) === undefined ? new AppError('unavailable', { cause: error }) : undefined
}
