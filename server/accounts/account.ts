import type { Session } from '#contract/account.ts'

export type Account = { readonly id: string; readonly email: string }
/** `setCookies`: whole `Set-Cookie` values for the response. */
export type WithCookies<T> = T & { readonly setCookies: readonly string[] }
export type SignedIn = { readonly account: Account; readonly session: Session; readonly sessionId: string }
