/** Everything but mail and accounts: configuration, bot check, contact form, blog views, abuse reports. Schemas first, then routes. */
import * as z from 'zod/mini'
import { LANGUAGES } from './languages.ts'
import { CONTACT_MESSAGE_CHARS, CONTACT_SUBJECT_CHARS, EMAIL_CHARS_MAX, NAME_CHARS } from './limits.ts'
import { get, post } from './route.ts'
import { routes } from './routes.ts'
import { EMAIL_LOCAL_PART, MULTIPLE_LINES, ONE_LINE } from './text-patterns.ts'

const botCheckActionSchema = z.enum(['generate_email', 'signup', 'contact', 'report'])
export type BotCheckAction = z.infer<typeof botCheckActionSchema>

const challengeQuerySchema = z.strictObject({ action: botCheckActionSchema })

/** A proof of work. Only its shape is checked here: it is signed and goes back to the server unchanged. */
export const challengeSchema = z.looseObject({
  parameters: z.looseObject({
    algorithm: z.string(),
    nonce: z.string(),
    salt: z.string(),
    cost: z.number(),
    keyLength: z.number(),
    keyPrefix: z.string(),
  }),
  signature: z.string(),
})
export type Challenge = z.infer<typeof challengeSchema>

export type Solution = { readonly counter: number; readonly derivedKey: string }

export const siteConfigSchema = z.object({
  siteName: z.string(),
  domains: z.array(z.string()),
  lifetimeSeconds: z.number(),
  messageBytesMax: z.number(),
  /** Messages in one mailbox. Their bytes: `quotaBytes` of limits.ts. */
  messagesMax: z.number(),
  supportEmail: z.string(),
  /** For how long messages to the operator are kept. */
  contactDays: z.number(),
  /** Empty for no link. */
  partnerUrl: z.string(),
  /** Who runs the service; empty if not configured. */
  operatorName: z.string(),
  sourceUrl: z.optional(z.string()),
  /** The server checks SPF, DKIM and DMARC, so a verdict on the sender will follow. */
  authenticatesMail: z.boolean(),
  botCheck: z.discriminatedUnion('provider', [
    z.object({ provider: z.literal('off') }),
    z.object({ provider: z.literal('pow') }),
    z.object({ provider: z.literal('recaptcha'), siteKey: z.string(), scriptUrl: z.string() }),
  ]),
})
export type SiteConfig = z.infer<typeof siteConfigSchema>

/** `GET /api/config`: the same, and the running build for operators. `commit` is set when it runs from a clone. */
export const configReplySchema = z.extend(siteConfigSchema, { build: z.object({ version: z.string(), commit: z.optional(z.string()) }) })

/** What can be wrong with the contact form. The browser shows its text by the same key. */
export const contactErrorKeys = [
  'nameShort',
  'nameLong',
  'nameControls',
  'emailInvalid',
  'emailLong',
  'subjectShort',
  'subjectLong',
  'subjectControls',
  'messageShort',
  'messageLong',
  'messageControls',
] as const

const bounded = ({ min, max }: { readonly min: number; readonly max: number }, sound: RegExp, field: 'name' | 'subject' | 'message') => {
  const errorKey = (problem: 'Short' | 'Long' | 'Controls'): (typeof contactErrorKeys)[number] => `${field}${problem}`
  return z
    .string()
    .check(z.trim(), z.minLength(min, errorKey('Short')), z.maxLength(max, errorKey('Long')), z.regex(sound, errorKey('Controls')))
}

/** `POST /api/contact` without the bot check. Issue messages are `contactErrorKeys`. */
export const contactFormSchema = z.strictObject({
  name: bounded(NAME_CHARS, ONE_LINE, 'name'),
  email: z
    .string()
    .check(z.trim(), z.maxLength(EMAIL_CHARS_MAX, 'emailLong'), z.email('emailInvalid'), z.regex(EMAIL_LOCAL_PART, 'emailInvalid')),
  subject: bounded(CONTACT_SUBJECT_CHARS, ONE_LINE, 'subject'),
  message: bounded(CONTACT_MESSAGE_CHARS, MULTIPLE_LINES, 'message'),
})
export type ContactForm = z.infer<typeof contactFormSchema>

/** `POST /api/contact`. `language` is that of the page, so that the operator can answer in it. */
export const contactRequestSchema = z.extend(contactFormSchema, {
  botCheck: z.optional(z.string().check(z.maxLength(8192))),
  language: z.optional(z.enum(LANGUAGES)),
})

export const blogViewsSchema = z.object({ slug: z.string(), views: z.number() })
export type BlogViews = z.infer<typeof blogViewsSchema>
export const blogViewsListSchema = z.object({ posts: z.array(blogViewsSchema) })

export const ABUSE_KINDS = ['spam', 'phishing', 'harassment', 'illegal', 'other'] as const
const REPORT_CHARS_MAX = 5000

/** `address`: the address or domain of this service that is being abused. `email`: where to send an answer, if wanted. */
export const abuseReportSchema = z.strictObject({
  kind: z.enum(ABUSE_KINDS),
  address: z.string().check(z.trim(), z.minLength(3), z.maxLength(320), z.regex(ONE_LINE)),
  message: z.string().check(z.trim(), z.minLength(CONTACT_MESSAGE_CHARS.min), z.maxLength(REPORT_CHARS_MAX), z.regex(MULTIPLE_LINES)),
  email: z.optional(z.string().check(z.trim(), z.maxLength(EMAIL_CHARS_MAX), z.email(), z.regex(EMAIL_LOCAL_PART))),
})
export type AbuseReport = z.infer<typeof abuseReportSchema>

export const abuseReportRequestSchema = z.extend(abuseReportSchema, { botCheck: z.optional(z.string().check(z.maxLength(8192))) })

export const readConfig = get(routes.config, { response: configReplySchema })

/** 404 on a deployment without proof of work. */
export const readChallenge = get(routes.botCheckChallenge, {
  ownPagesOnly: true,
  query: challengeQuerySchema,
  response: challengeSchema,
  problems: ['not_found', 'rate_limited'],
})

export const sendContact = post(routes.contact, {
  ownPagesOnly: true,
  body: contactRequestSchema,
  status: 202,
  problems: ['bot_check_failed', 'rate_limited'],
})

/** Anyone can report that an address of this service is used for spam, phishing or other abuse. */
export const reportAbuse = post(routes.reports, {
  ownPagesOnly: true,
  body: abuseReportRequestSchema,
  status: 202,
  problems: ['bot_check_failed', 'rate_limited'],
})

export const listBlogViews = get(routes.blogViews, { response: blogViewsListSchema })
export const readBlogViews = get(routes.blogViewsOf, { response: blogViewsSchema, problems: ['not_found'] })

export const countBlogView = post(routes.blogViewsOf, {
  ownPagesOnly: true,
  response: blogViewsSchema,
  problems: ['not_found', 'rate_limited'],
})
