/** Signing in and out, for the pages of an account. */
import type { Confirmation, Credentials } from '#contract/account.ts'
import * as routes from '../api/account-routes.ts'
import { request, send, sendLast } from '../api/request.ts'
import { track } from '../browser/analytics.ts'
import { authStore } from './auth.tsx'

/** Throws `ProblemError`. */
export async function signIn(credentials: Credentials): Promise<void> {
  authStore.set((await request(routes.signIn, { json: credentials })).session)
  track('login', { method: 'email' })
}

/** Confirms a sign-up with its link's token and its password or passkey, which signs in. Throws `ProblemError`. */
export async function confirmSignUp(confirmation: Confirmation): Promise<void> {
  await send(routes.confirmEmail, { json: confirmation })
  await authStore.refresh()
  track('login', { method: 'email' })
}

export const signOut = () => sendLast(routes.signOut, {}).then(forget)
export const signOutEverywhere = () => sendLast(routes.signOutEverywhere, {}).then(forget)

function forget(): void {
  authStore.set(null)
  track('logout')
}
