/** Routes of the operator's page. They need a session cookie and the second factor; an API key does not work. Everyone else gets 404. */
import {
  accountFoundSchema,
  accountSchema,
  addBlockSchema,
  addressSchema,
  auditSchema,
  blockSchema,
  blocksSchema,
  changeSettingsSchema,
  checksSchema,
  contactMessageSchema,
  enrolmentSchema,
  enrolSchema,
  messagesSchema,
  operatorMailSchema,
  operatorSessionSchema,
  overviewSchema,
  recoveryCodesSchema,
  replySchema,
  reportSchema,
  secondFactorSchema,
} from '../operator.ts'
import { routes } from '../routes.ts'
import type { Route } from './route.ts'

const operator = { auth: 'operator', ownPagesOnly: true } as const
const signedIn = { auth: 'session', ownPagesOnly: true } as const

export const readOperatorSession = {
  ...signedIn,
  method: 'GET',
  path: routes.operatorSession,
  status: 200,
  response: operatorSessionSchema,
  problems: ['not_found'],
} as const satisfies Route

export const enrolSecondFactor = {
  ...signedIn,
  method: 'POST',
  path: routes.operatorEnrol,
  body: enrolSchema,
  status: 200,
  response: enrolmentSchema,
  problems: ['not_found', 'credentials_wrong', 'rate_limited'],
} as const satisfies Route

export const confirmSecondFactor = {
  ...signedIn,
  method: 'POST',
  path: routes.operatorConfirm,
  body: secondFactorSchema,
  status: 200,
  response: recoveryCodesSchema,
  problems: ['not_found', 'second_factor_wrong', 'rate_limited'],
} as const satisfies Route

export const passSecondFactor = {
  ...signedIn,
  method: 'POST',
  path: routes.operatorVerify,
  body: secondFactorSchema,
  status: 204,
  problems: ['not_found', 'second_factor_wrong', 'rate_limited'],
} as const satisfies Route

export const readOverview = {
  ...operator,
  method: 'GET',
  path: routes.operatorOverview,
  status: 200,
  response: overviewSchema,
} as const satisfies Route

export const changeSettings = {
  ...operator,
  method: 'POST',
  path: routes.operatorSettings,
  body: changeSettingsSchema,
  status: 204,
} as const satisfies Route

export const listBlocks = {
  ...operator,
  method: 'GET',
  path: routes.operatorBlocks,
  status: 200,
  response: blocksSchema,
} as const satisfies Route

export const addBlock = {
  ...operator,
  method: 'POST',
  path: routes.operatorBlocks,
  body: addBlockSchema,
  status: 201,
  response: blockSchema,
} as const satisfies Route

export const removeBlock = { ...operator, method: 'DELETE', path: routes.operatorBlock, status: 204 } as const satisfies Route

export const destroyAddress = {
  ...operator,
  method: 'POST',
  path: routes.operatorDestroyAddress,
  body: addressSchema,
  status: 204,
} as const satisfies Route

export const findAccount = {
  ...operator,
  method: 'POST',
  path: routes.operatorFindAccount,
  body: accountSchema,
  status: 200,
  response: accountFoundSchema,
} as const satisfies Route

export const suspendAccount = {
  ...operator,
  method: 'POST',
  path: routes.operatorSuspend,
  body: accountSchema,
  status: 204,
} as const satisfies Route

export const resumeAccount = {
  ...operator,
  method: 'POST',
  path: routes.operatorResume,
  body: accountSchema,
  status: 204,
} as const satisfies Route

export const destroyAccount = {
  ...operator,
  method: 'POST',
  path: routes.operatorDestroyAccount,
  body: accountSchema,
  status: 204,
} as const satisfies Route

export const listOperatorMessages = {
  ...operator,
  method: 'GET',
  path: routes.operatorMessages,
  status: 200,
  response: messagesSchema,
} as const satisfies Route

export const readContactMessage = {
  ...operator,
  method: 'GET',
  path: routes.operatorContactMessage,
  status: 200,
  response: contactMessageSchema,
} as const satisfies Route

export const readOperatorMail = {
  ...operator,
  method: 'GET',
  path: routes.operatorMail,
  status: 200,
  response: operatorMailSchema,
} as const satisfies Route

export const readAbuseReport = {
  ...operator,
  method: 'GET',
  path: routes.operatorReport,
  status: 200,
  response: reportSchema,
} as const satisfies Route

export const closeAbuseReport = { ...operator, method: 'POST', path: routes.operatorCloseReport, status: 204 } as const satisfies Route

export const sendReply = {
  ...operator,
  method: 'POST',
  path: routes.operatorReplies,
  body: replySchema,
  status: 202,
} as const satisfies Route

/** Takes seconds, because the server sends a mail to itself. */
export const readChecks = {
  ...operator,
  method: 'GET',
  path: routes.operatorChecks,
  status: 200,
  response: checksSchema,
  problems: ['rate_limited'],
} as const satisfies Route

export const readAuditLog = {
  ...operator,
  method: 'GET',
  path: routes.operatorAudit,
  status: 200,
  response: auditSchema,
} as const satisfies Route
