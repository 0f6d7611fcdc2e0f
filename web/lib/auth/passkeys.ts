/** Creates and uses passkeys with the browser's own dialog. What speaks with it is loaded at the first press. */
import type { AccountProof } from '#contract/account.ts'
import type { Language } from '#contract/languages.ts'
import type { MailboxCreated } from '#contract/mailbox.ts'
import type { Passkey, UsedPasskey } from '#contract/passkeys.ts'
import * as routes from '../api/account-routes.ts'
import { ProblemError, request } from '../api/request.ts'
import { track } from '../browser/analytics.ts'
import { authStore } from './auth.tsx'

/** Browsers have passkeys on https and at localhost, and for names only: not at an IP address. Call it after hydration. */
export const hasPasskeys = () => typeof PublicKeyCredential === 'function' && !/^[\d.]+$|:/.test(location.hostname)

const library = () => import('@simplewebauthn/browser')

/** Throws `ProblemError`, as all below: `passkey_closed` if the visitor closed the browser's dialog, or waited too long. */
export async function askForPasskey(): Promise<UsedPasskey> {
  const [{ startAuthentication }, optionsJSON] = await Promise.all([library(), request(routes.startPasskeyUse, {})])
  return await explained(() => startAuthentication({ optionsJSON }))
}

export async function signInWithPasskey(): Promise<void> {
  const passkey = await askForPasskey()
  authStore.set((await request(routes.signInWithPasskey, { json: { passkey } })).session)
  track('login', { method: 'passkey' })
}

/** Fetches what speaks with the browser's dialog, before it is needed. */
export const preparePasskeys = () => void library().catch(() => undefined)

/**
 * `mailboxToken`: of a live address to keep. Resolves to it once it is kept, without it if it had ended, and to when that was asked: after
 * the browser's dialog, which may take a minute.
 */
export async function signUpWithPasskey(
  email: string,
  botCheck: string | undefined,
  language: Language,
  mailboxToken?: string,
): Promise<{ mailbox: MailboxCreated | undefined; askedAtMs: number }> {
  const json = { email, ...(botCheck !== undefined && { botCheck }) }
  const [{ startRegistration }, optionsJSON] = await Promise.all([library(), request(routes.startPasskeySignUp, { json })])
  const passkey = await explained(() => startRegistration({ optionsJSON }))
  const askedAtMs = performance.now()
  const { mailbox } = await request(routes.signUpWithPasskey, { json: { passkey, language, ...(mailboxToken && { mailboxToken }) } })
  return { mailbox, askedAtMs }
}

export async function addPasskey(proof: AccountProof): Promise<Passkey> {
  const [{ startRegistration }, optionsJSON] = await Promise.all([library(), request(routes.startAddingPasskey, { json: proof })])
  const passkey = await explained(() => startRegistration({ optionsJSON }))
  return await request(routes.addPasskey, { json: { passkey } })
}

/** Names of errors in WebAuthn Level 3, section 5.1: the device has a passkey of the account already; the page is at another host. */
const DIALOG_ENDINGS: Readonly<Record<string, 'passkey_known' | 'passkeys_unavailable'>> = {
  InvalidStateError: 'passkey_known',
  SecurityError: 'passkeys_unavailable',
}

async function explained<T>(dialog: () => Promise<T>): Promise<T> {
  try {
    return await dialog()
  } catch (cause) {
    const name = cause instanceof Error ? cause.name : ''
    throw new ProblemError(DIALOG_ENDINGS[name] ?? 'passkey_closed', { cause })
  }
}
