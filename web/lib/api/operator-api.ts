/** Endpoints of the operator's page: one function each. Each parses the response and throws `ProblemError`. */
import type * as z from 'zod/mini'
import {
  type AddBlock,
  type AuditEntries,
  accountFoundSchema,
  auditSchema,
  blocksSchema,
  type ChangeDomain,
  type ChangeSettings,
  checksSchema,
  contactMessageSchema,
  domainsSchema,
  enrolmentSchema,
  messagesSchema,
  type OperatorBlock,
  type OperatorChecks,
  type OperatorDomain,
  type OperatorMessages,
  type OperatorOverview,
  type OperatorReply,
  type OperatorSession,
  operatorMailSchema,
  operatorSessionSchema,
  overviewSchema,
  recoveryCodesSchema,
  reportSchema,
} from '#contract/operator.ts'
import { pathTo, routes } from '#contract/routes.ts'
import { ProblemError, send } from './request.ts'

/** Responses are parsed by the schemas in contract/, which is fine here because this page is never the first one a visitor loads. */
async function request<T>(path: string, schema: z.ZodMiniType<T>, options: Parameters<typeof send>[1] = {}): Promise<T> {
  const response = await send(path, options)
  const parsed = schema.safeParse(await response.json())
  if (!parsed.success) throw new ProblemError('unreadable_reply', { status: response.status, cause: parsed.error })
  return parsed.data
}

const post = (json: unknown) => ({ method: 'POST', json }) as const

/** `not_found` for an account that is not an operator. */
export const readOperatorSession = (): Promise<OperatorSession> => request(routes.operatorSession, operatorSessionSchema)
export const enrolSecondFactor = (password: string) => request(routes.operatorEnrol, enrolmentSchema, post({ password }))
export const confirmSecondFactor = async (code: string) =>
  (await request(routes.operatorConfirm, recoveryCodesSchema, post({ code }))).recoveryCodes
export const passSecondFactor = (code: string) => send(routes.operatorVerify, post({ code }))

export const readOverview = (): Promise<OperatorOverview> => request(routes.operatorOverview, overviewSchema)
export const changeSettings = (changes: ChangeSettings) => send(routes.operatorSettings, post(changes))

export const listBlocks = async (): Promise<OperatorBlock[]> => (await request(routes.operatorBlocks, blocksSchema)).blocks
export const addBlock = (block: AddBlock) => send(routes.operatorBlocks, post(block))
export const removeBlock = (id: number) => send(pathTo(routes.operatorBlock, { id }), { method: 'DELETE' })

export const listDomains = async (): Promise<OperatorDomain[]> => (await request(routes.operatorDomains, domainsSchema)).domains
export const addDomain = (name: string) => send(routes.operatorDomains, post({ name }))
export const changeDomain = (name: string, change: ChangeDomain) => send(pathTo(routes.operatorDomain, { name }), post(change))
/** `isNow`: although addresses live there. */
export const removeDomain = (name: string, isNow: boolean) =>
  send(`${pathTo(routes.operatorDomain, { name })}${isNow ? '?now=1' : ''}`, { method: 'DELETE' })

export const destroyAddress = (address: string) => send(routes.operatorDestroyAddress, post({ address }))
export const findAccount = (email: string) => request(routes.operatorFindAccount, accountFoundSchema, post({ email }))
export const suspendAccount = (email: string) => send(routes.operatorSuspend, post({ email }))
export const resumeAccount = (email: string) => send(routes.operatorResume, post({ email }))
export const destroyAccount = (email: string) => send(routes.operatorDestroyAccount, post({ email }))

export const listMessages = (): Promise<OperatorMessages> => request(routes.operatorMessages, messagesSchema)
export const closeReport = (id: number) => send(pathTo(routes.operatorCloseReport, { id }), { method: 'POST' })
export const sendReply = (reply: OperatorReply) => send(routes.operatorReplies, post(reply))
/** Takes some seconds. */
export const readChecks = async (): Promise<OperatorChecks['findings']> => (await request(routes.operatorChecks, checksSchema)).findings
export const readAuditLog = async (): Promise<AuditEntries> => (await request(routes.operatorAudit, auditSchema)).entries

/** Text and sender of a message of any kind. */
export async function readMessage(about: OperatorReply['about'], id: number): Promise<{ from: string; subject: string; text: string }> {
  if (about === 'contact') {
    const { name, email, subject, message } = await request(pathTo(routes.operatorContactMessage, { id }), contactMessageSchema)
    return { from: `${name} <${email}>`, subject, text: message }
  }
  if (about === 'mail') {
    const { from, subject, text } = await request(pathTo(routes.operatorMail, { id }), operatorMailSchema)
    return { from, subject, text }
  }
  const { email, address, message } = await request(pathTo(routes.operatorReport, { id }), reportSchema)
  return { from: email ?? '', subject: address, text: message }
}
