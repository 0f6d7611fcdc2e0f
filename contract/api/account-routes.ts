/** Routes of accounts, called by the site's own pages: sign-up, sessions, passwords, Pro addresses, API keys. */
import {
  apiKeyCreatedSchema,
  apiKeysSchema,
  confirmSchema,
  createApiKeySchema,
  deleteAccountSchema,
  forgotPasswordSchema,
  proMailboxesSchema,
  resetPasswordSchema,
  sessionSchema,
  signInSchema,
  signUpSchema,
} from '../account.ts'
import { routes } from '../routes.ts'
import type { Route } from './route.ts'

export const readSession = { method: 'GET', path: routes.authSession, status: 200, response: sessionSchema } as const satisfies Route

export const signUp = {
  method: 'POST',
  path: routes.authSignUp,
  ownPagesOnly: true,
  body: signUpSchema,
  status: 202,
  problems: ['bot_check_failed', 'account_exists', 'email_not_allowed', 'registration_closed', 'rate_limited'],
} as const satisfies Route

export const confirmEmail = {
  method: 'POST',
  path: routes.authConfirm,
  ownPagesOnly: true,
  body: confirmSchema,
  status: 204,
  problems: ['link_expired', 'credentials_wrong', 'rate_limited'],
} as const satisfies Route

export const signIn = {
  method: 'POST',
  path: routes.authSignIn,
  ownPagesOnly: true,
  body: signInSchema,
  status: 200,
  response: sessionSchema,
  problems: ['credentials_wrong', 'email_not_confirmed', 'account_suspended', 'rate_limited'],
} as const satisfies Route

export const signOut = { method: 'POST', path: routes.authSignOut, ownPagesOnly: true, status: 204 } as const satisfies Route

export const signOutEverywhere = {
  method: 'POST',
  path: routes.authSignOutEverywhere,
  auth: 'session',
  ownPagesOnly: true,
  status: 204,
} as const satisfies Route

export const forgotPassword = {
  method: 'POST',
  path: routes.authForgotPassword,
  ownPagesOnly: true,
  body: forgotPasswordSchema,
  status: 202,
  problems: ['rate_limited'],
} as const satisfies Route

export const resetPassword = {
  method: 'POST',
  path: routes.authResetPassword,
  ownPagesOnly: true,
  body: resetPasswordSchema,
  status: 204,
  problems: ['link_expired', 'rate_limited'],
} as const satisfies Route

export const deleteAccount = {
  method: 'POST',
  path: routes.authDeleteAccount,
  auth: 'session',
  ownPagesOnly: true,
  body: deleteAccountSchema,
  status: 204,
  problems: ['credentials_wrong', 'rate_limited'],
} as const satisfies Route

export const listProMailboxes = {
  method: 'GET',
  path: routes.accountMailboxes,
  auth: 'session',
  status: 200,
  response: proMailboxesSchema,
} as const satisfies Route

export const listApiKeys = {
  method: 'GET',
  path: routes.accountApiKeys,
  auth: 'session',
  status: 200,
  response: apiKeysSchema,
} as const satisfies Route

export const createApiKey = {
  method: 'POST',
  path: routes.accountApiKeys,
  auth: 'session',
  ownPagesOnly: true,
  body: createApiKeySchema,
  status: 201,
  response: apiKeyCreatedSchema,
  problems: ['api_keys_max'],
} as const satisfies Route

export const revokeApiKey = {
  method: 'DELETE',
  path: routes.accountApiKey,
  auth: 'session',
  ownPagesOnly: true,
  status: 204,
  problems: ['not_found'],
} as const satisfies Route
