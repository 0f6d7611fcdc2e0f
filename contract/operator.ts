/** The operator's page: schemas first, then routes. Times are ISO 8601 in UTC. */
import * as z from 'zod/mini'
import { perLanguage } from './languages.ts'
import { EMAIL_CHARS_MAX, NOTICE_CHARS_MAX, PASSWORD_CHARS } from './limits.ts'
import { del, get, post } from './route.ts'
import { routes } from './routes.ts'
import { abuseReportSchema } from './site.ts'

export const REPLY_CHARS_MAX = 10_000

const short = z.string().check(z.minLength(1), z.maxLength(320))
const email = z.string().check(z.trim(), z.maxLength(EMAIL_CHARS_MAX), z.email())

/** `GET /api/operator/session`: which steps a signed-in operator has completed. */
const operatorSessionSchema = z.object({ isEnrolled: z.boolean(), isVerified: z.boolean() })
export type OperatorSession = z.infer<typeof operatorSessionSchema>
const enrolSchema = z.strictObject({ password: z.string().check(z.maxLength(PASSWORD_CHARS.max)) })
/** `url` is the content of the QR code for an authenticator app. */
const enrolmentSchema = z.object({ secret: z.string(), url: z.string() })
/** Six digits, or a recovery code. */
const secondFactorSchema = z.strictObject({ code: z.string().check(z.minLength(6), z.maxLength(40)) })
const recoveryCodesSchema = z.object({ recoveryCodes: z.array(z.string()) })

const domainCountsSchema = z.object({
  addresses: z.number(),
  mails: z.number(),
  /** Mail to addresses that do not live. */
  refusals: z.number(),
  /** Addresses that a site refused, as their visitors said. */
  unwelcome: z.number(),
})
export type DomainCounts = z.infer<typeof domainCountsSchema>

const countsSchema = z.object({
  delivered: z.number(),
  bytes: z.number(),
  addresses: z.number(),
  botCheckFailures: z.number(),
  /** By reason, in words of our own. */
  refused: z.record(z.string(), z.number()),
  /** Mails whose sending server is on a DNS blocklist of the operator, by list. */
  listed: z._default(z.record(z.string(), z.number()), {}),
  /** By our own domains. */
  domains: z._default(z.record(z.string(), domainCountsSchema), {}),
})
const currentSchema = z.object({
  streams: z.number(),
  mailboxes: z.number(),
  memoryBytes: z.number(),
  loopDelayMs: z.number(),
  diskFreeBytes: z.number(),
  /** Outgoing mails that wait for the relay. */
  queue: z.number(),
})
/** Counts of one stretch of time, and what was measured at its end. */
export const statisticsSchema = z.extend(countsSchema, currentSchema.shape)
export type Counts = z.infer<typeof countsSchema>
export type CurrentStatistics = z.infer<typeof currentSchema>

const settingsSchema = z.object({
  isRegistrationOpen: z.boolean(),
  difficulty: z.number(),
  notice: z.nullable(z.object(perLanguage(() => z.string()))),
})
export type OperatorSettings = z.infer<typeof settingsSchema>

const portCertificateSchema = z.object({
  use: z.enum(['mail', 'site']),
  name: z.string(),
  /** `null` until the first one was obtained. */
  validTo: z.nullable(z.string()),
  isSelfSigned: z.boolean(),
  /** Why it could not be obtained, renewed or read the last time. English, as the doctor prints it. */
  problem: z.nullable(z.string()),
  /** When the server tries again by itself. */
  retryAt: z.nullable(z.string()),
})
export type PortCertificate = z.infer<typeof portCertificateSchema>

/** `remedy` is set unless `status` is `ok`. English, as the doctor prints it. */
const checksSchema = z.object({
  findings: z.array(
    z.object({ check: z.string(), status: z.enum(['ok', 'warning', 'failure']), sentence: z.string(), remedy: z.optional(z.string()) }),
  ),
})
export type OperatorChecks = z.infer<typeof checksSchema>

export const operatorLookSchema = z.extend(checksSchema, { at: z.string() })
export type OperatorLook = z.infer<typeof operatorLookSchema>

const overviewSchema = z.object({
  startedAt: z.string(),
  version: z.string(),
  /** The state of now, in the process that answered. Its counts are those of the running minute. */
  now: statisticsSchema,
  /** Counts of the last 24 hours, for all processes together. */
  day: countsSchema,
  /** One point per five minutes, oldest first. */
  points: z.array(z.extend(statisticsSchema, { at: z.string() })),
  /** That of the mail port and, with ACME_EMAIL, that of the site. A proxy's is not known to the server; the doctor looks at it. */
  certificates: z.array(portCertificateSchema),
  /** DNS_BLOCKLISTS, each with the number of mails in the last 24 hours whose sending server it lists. */
  blocklists: z.array(z.object({ list: z.string(), mails: z.number() })),
  settings: settingsSchema,
  /** True if a mail relay is configured, so that the page can send answers. */
  canReply: z.boolean(),
  unread: z.object({ contact: z.number(), mail: z.number(), reports: z.number() }),
  /** The doctor's last look on this page. */
  lastLook: z.nullable(operatorLookSchema),
})
export type OperatorOverview = z.infer<typeof overviewSchema>

const changeSettingsSchema = z.strictObject({
  isRegistrationOpen: z.optional(z.boolean()),
  difficulty: z.optional(z.number()),
  /** `null` removes the notice. */
  notice: z.optional(z.nullable(z.strictObject(perLanguage(() => z.string().check(z.maxLength(NOTICE_CHARS_MAX)))))),
})
export type ChangeSettings = z.infer<typeof changeSettingsSchema>

export const BLOCK_KINDS = ['sender', 'domain', 'network', 'recipient'] as const
const blockKind = z.enum(BLOCK_KINDS)
export type BlockKind = z.infer<typeof blockKind>
/** Without `hours` the block stays until it is removed. */
const addBlockSchema = z.strictObject({
  kind: blockKind,
  value: short,
  hours: z.optional(z.number().check(z.minimum(1), z.maximum(87_600))),
})
export type AddBlock = z.infer<typeof addBlockSchema>
const blockSchema = z.object({ id: z.number(), kind: blockKind, value: z.string(), createdAt: z.string(), endsAt: z.nullable(z.string()) })
export type OperatorBlock = z.infer<typeof blockSchema>
const blocksSchema = z.object({ blocks: z.array(blockSchema) })

/** `offered`: people get addresses there. `paused`: no new ones; the live ones still receive. `retired`: that too ends at a time. */
export const DOMAIN_STATES = ['offered', 'paused', 'retired'] as const
const domainState = z.enum(DOMAIN_STATES)
/** `*.box.example`: each address gets a subdomain. */
const addDomainSchema = z.strictObject({ name: short })
/** `missing`: why mail for it would not arrive yet, so that it is paused; else it is offered. */
const addedDomainSchema = z.object({ missing: z.nullable(z.string()) })
/** `isFirst`: with `offered`, it becomes the default. `endsAt`: with `retired`; without it, the end of the last address. */
const changeDomainSchema = z.strictObject({ state: domainState, isFirst: z.optional(z.boolean()), endsAt: z.optional(z.iso.datetime()) })
export type ChangeDomain = z.infer<typeof changeDomainSchema>
const removeDomainSchema = z.strictObject({
  /** Although addresses live there, which get no more mail. */
  now: z.optional(z.literal('1')),
})
const domainSchema = z.object({
  name: z.string(),
  hasSubdomains: z.boolean(),
  state: domainState,
  /** When a retired domain stops to take mail. */
  endsAt: z.nullable(z.string()),
  /** Until then addresses live there; `null` if none does. */
  livingUntil: z.nullable(z.string()),
  /** The counts of the last 24 hours. */
  counts: domainCountsSchema,
  /** Sites often refuse addresses there. */
  isWorn: z.boolean(),
  /** The day of the public list of disposable domains that names it; `null` if it does not. */
  listedOn: z.nullable(z.string()),
})
export type OperatorDomain = z.infer<typeof domainSchema>
const dnsListsSchema = z.object({
  /** When they were asked. */
  at: z.string(),
  /** The lists that name the domain. */
  naming: z.array(z.string()),
  /** The lists that replied, also that they do not name it. */
  answered: z.array(z.string()),
})
export type DnsLists = z.infer<typeof dnsListsSchema>
/** `dnsLists`: `null` for a domain for trying out, and with `DNS_SERVERS=off`. */
const listedDomainSchema = z.extend(domainSchema, { dnsLists: z.nullable(dnsListsSchema) })
export type ListedDomain = z.infer<typeof listedDomainSchema>
const domainsSchema = z.object({ domains: z.array(listedDomainSchema) })

const addressSchema = z.strictObject({ address: short })
const accountSchema = z.strictObject({ email })
const accountFoundSchema = z.object({ email: z.string(), isSuspended: z.boolean() })
export type AccountFound = z.infer<typeof accountFoundSchema>

const contactHead = z.object({
  id: z.number(),
  receivedAt: z.string(),
  isRead: z.boolean(),
  name: z.string(),
  email: z.string(),
  subject: z.string(),
})
const mailHead = z.object({
  id: z.number(),
  receivedAt: z.string(),
  isRead: z.boolean(),
  /** Empty if it was encrypted under another secret. */
  recipient: z.string(),
  from: z.string(),
  bytes: z.number(),
})
const reportHead = z.object({
  id: z.number(),
  receivedAt: z.string(),
  isRead: z.boolean(),
  isClosed: z.boolean(),
  kind: z.string(),
  address: z.string(),
})
/** The beginning of the message, on one line. */
const excerpt = z.string()
const messagesSchema = z.object({
  contact: z.array(z.extend(contactHead, { excerpt })),
  mail: z.array(mailHead),
  reports: z.array(z.extend(reportHead, { excerpt })),
})
export type OperatorMessages = z.infer<typeof messagesSchema>
const contactMessageSchema = z.extend(contactHead, { message: z.string(), language: z.string() })
const operatorMailSchema = z.object({
  recipient: z.string(),
  /** The sender of the envelope. */
  from: z.string(),
  /** Where an answer goes, which the mail itself chooses. Empty if it names nobody. */
  replyTo: z.string(),
  subject: z.string(),
  /** The mail as plain text, cut at 100,000 characters. */
  text: z.string(),
})
const reportSchema = abuseReportSchema
const replySchema = z.strictObject({
  about: z.enum(['contact', 'mail', 'report']),
  id: z.number(),
  text: z.string().check(z.trim(), z.minLength(1), z.maxLength(REPLY_CHARS_MAX)),
})
export type OperatorReply = z.infer<typeof replySchema>

/** What the audit log names. Entries of other versions may have other names. */
export type AuditAction =
  | `account.${'destroy' | 'resume' | 'suspend'}`
  | 'address.destroy'
  | `block.${'add' | 'remove'}`
  | 'difficulty.set'
  | `domain.${'add' | 'offer' | 'pause' | 'remove' | 'retire'}`
  | `notice.${'clear' | 'set'}`
  | `registration.${'close' | 'open'}`
  | 'reply.send'
  | 'report.close'
  | `second-factor.${'enrol' | 'lock' | 'recovery-code' | 'reset' | 'wrong-code'}`
  | `token.${'create' | 'revoke'}`

const auditSchema = z.object({ entries: z.array(z.object({ at: z.string(), actor: z.string(), action: z.string(), subject: z.string() })) })
export type AuditEntries = z.infer<typeof auditSchema>['entries']

/** They need a session cookie and the second factor; an API key does not work. Everyone else gets 404. */
const operator = { auth: 'operator', ownPagesOnly: true } as const
const signedIn = { auth: 'session', ownPagesOnly: true } as const

export const readOperatorSession = get(routes.operatorSession, { ...signedIn, response: operatorSessionSchema, problems: ['not_found'] })

export const enrolSecondFactor = post(routes.operatorEnrol, {
  ...signedIn,
  body: enrolSchema,
  response: enrolmentSchema,
  problems: ['not_found', 'credentials_wrong', 'rate_limited'],
})

export const confirmSecondFactor = post(routes.operatorConfirm, {
  ...signedIn,
  body: secondFactorSchema,
  response: recoveryCodesSchema,
  problems: ['not_found', 'second_factor_wrong', 'rate_limited'],
})

export const passSecondFactor = post(routes.operatorVerify, {
  ...signedIn,
  body: secondFactorSchema,
  problems: ['not_found', 'second_factor_wrong', 'rate_limited'],
})

export const readOverview = get(routes.operatorOverview, { ...operator, response: overviewSchema })
export const changeSettings = post(routes.operatorSettings, { ...operator, body: changeSettingsSchema })
export const listBlocks = get(routes.operatorBlocks, { ...operator, response: blocksSchema })
export const addBlock = post(routes.operatorBlocks, { ...operator, body: addBlockSchema, status: 201, response: blockSchema })
export const removeBlock = del(routes.operatorBlock, operator)
export const listDomains = get(routes.operatorDomains, { ...operator, response: domainsSchema })
export const addDomain = post(routes.operatorDomains, { ...operator, body: addDomainSchema, status: 201, response: addedDomainSchema })
export const changeDomain = post(routes.operatorDomain, { ...operator, body: changeDomainSchema })
export const removeDomain = del(routes.operatorDomain, { ...operator, query: removeDomainSchema })
export const destroyAddress = post(routes.operatorDestroyAddress, { ...operator, body: addressSchema })
export const findAccount = post(routes.operatorFindAccount, { ...operator, body: accountSchema, response: accountFoundSchema })
export const suspendAccount = post(routes.operatorSuspend, { ...operator, body: accountSchema })
export const resumeAccount = post(routes.operatorResume, { ...operator, body: accountSchema })
export const destroyAccount = post(routes.operatorDestroyAccount, { ...operator, body: accountSchema })
export const listOperatorMessages = get(routes.operatorMessages, { ...operator, response: messagesSchema })
export const readContactMessage = get(routes.operatorContactMessage, { ...operator, response: contactMessageSchema })
export const readOperatorMail = get(routes.operatorMail, { ...operator, response: operatorMailSchema })
export const readAbuseReport = get(routes.operatorReport, { ...operator, response: reportSchema })
export const closeAbuseReport = post(routes.operatorCloseReport, operator)
export const sendReply = post(routes.operatorReplies, { ...operator, body: replySchema, status: 202 })

/** Takes seconds, because the server sends a mail to itself. */
export const readChecks = get(routes.operatorChecks, { ...operator, response: checksSchema, problems: ['rate_limited'] })
export const readAuditLog = get(routes.operatorAudit, { ...operator, response: auditSchema })
