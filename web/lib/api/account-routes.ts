/** What the pages of an account call. */
import * as account from '#contract/account.ts'
import { listAccountWebhooks, removeAccountWebhook } from '#contract/notifications.ts'
import { pageRoute } from './page-route.ts'

/** Extends the session too. */
export const readSession = pageRoute(account.readSession)
export const signUp = pageRoute(account.signUp)
export const signIn = pageRoute(account.signIn)
export const signOut = pageRoute(account.signOut)
export const signOutEverywhere = pageRoute(account.signOutEverywhere)
export const listSessions = pageRoute(account.listSessions)
export const endSession = pageRoute(account.endSession)
export const confirmEmail = pageRoute(account.confirmEmail)
export const forgotPassword = pageRoute(account.forgotPassword)
export const resetPassword = pageRoute(account.resetPassword)
export const changePassword = pageRoute(account.changePassword)
export const deleteAccount = pageRoute(account.deleteAccount)
export const startPasskeyUse = pageRoute(account.startPasskeyUse)
export const signInWithPasskey = pageRoute(account.signInWithPasskey)
export const startPasskeySignUp = pageRoute(account.startPasskeySignUp)
export const signUpWithPasskey = pageRoute(account.signUpWithPasskey)

export const listPasskeys = pageRoute(account.listPasskeys)
export const startAddingPasskey = pageRoute(account.startAddingPasskey)
export const addPasskey = pageRoute(account.addPasskey)
export const removePasskey = pageRoute(account.removePasskey)
export const listProMailboxes = pageRoute(account.listProMailboxes)
export const keepMailbox = pageRoute(account.keepMailbox)
export const listApiKeys = pageRoute(account.listApiKeys)
export const createApiKey = pageRoute(account.createApiKey)
export const revokeApiKey = pageRoute(account.revokeApiKey)
export const listWebhooks = pageRoute(listAccountWebhooks)
export const removeWebhook = pageRoute(removeAccountWebhook)
