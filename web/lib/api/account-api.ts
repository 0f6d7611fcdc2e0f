/** Account endpoints: one function each. Each parses the response and throws `ProblemError`. */
import type { AccountSession, ApiKey, Credentials, Session } from '#contract/account.ts'
import type { Language } from '#contract/languages.ts'
import type { MailboxCreated } from '#contract/mailbox.ts'
import type { Webhook } from '#contract/notifications.ts'
import { pathTo, routes } from '#contract/routes.ts'
import * as replies from './page-replies.ts'
import { request, send } from './request.ts'

const post = (path: string, json?: unknown) => send(path, json === undefined ? { method: 'POST' } : { method: 'POST', json })

/** Who is signed in by this browser's cookie. Also extends the session. */
export async function readSession(): Promise<Session | null> {
  return (await request(routes.authSession, replies.session)).session
}

/** Sends a confirmation link. `account_exists` if the address is registered. */
export async function signUp(body: Credentials & { language: Language; botCheck: string | undefined }): Promise<void> {
  await post(routes.authSignUp, body)
}

/** `credentials_wrong`, or `email_not_confirmed` after mailing a new link. */
export async function signIn(body: Credentials): Promise<Session | null> {
  return (await request(routes.authSignIn, replies.session, { method: 'POST', json: body })).session
}

export async function signOut(): Promise<void> {
  await post(routes.authSignOut)
}

export async function signOutEverywhere(): Promise<void> {
  await post(routes.authSignOutEverywhere)
}

/** Where the account is signed in, newest first. */
export async function listSessions(): Promise<AccountSession[]> {
  return (await request(routes.accountSessions, replies.accountSessions)).sessions
}

export async function endSession(id: string): Promise<void> {
  await send(pathTo(routes.accountSession, { id }), { method: 'DELETE' })
}

export async function confirmEmail(token: string, password: string): Promise<void> {
  await post(routes.authConfirm, { token, password })
}

export async function forgotPassword(email: string, language: Language): Promise<void> {
  await post(routes.authForgotPassword, { email, language })
}

export async function resetPassword(token: string, password: string, destroyMailboxes: boolean): Promise<void> {
  await post(routes.authResetPassword, { token, password, destroyMailboxes })
}

export async function deleteAccount(password: string): Promise<void> {
  await post(routes.authDeleteAccount, { password })
}

/** The live addresses of the account with their tokens. */
export async function listProMailboxes(): Promise<MailboxCreated[]> {
  return (await request(routes.accountMailboxes, replies.proMailboxes)).mailboxes
}

export async function listApiKeys(): Promise<ApiKey[]> {
  return (await request(routes.accountApiKeys, replies.apiKeys)).keys
}

/** The only response that contains `key`. */
export function createApiKey(name: string): Promise<ApiKey & { key: string }> {
  return request(routes.accountApiKeys, replies.apiKeyCreated, { method: 'POST', json: { name } })
}

export async function revokeApiKey(id: string): Promise<void> {
  await send(pathTo(routes.accountApiKey, { id }), { method: 'DELETE' })
}

/** Those that the account's API keys created. */
export async function listWebhooks(): Promise<Webhook[]> {
  return (await request(routes.accountWebhooks, replies.webhooks)).webhooks
}

export async function removeWebhook(id: string): Promise<void> {
  await send(pathTo(routes.accountWebhook, { id }), { method: 'DELETE' })
}
