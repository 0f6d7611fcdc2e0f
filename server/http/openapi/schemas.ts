/** The schemas of the API, by the names that generated clients use. */
import * as z from 'zod/mini'
import * as account from '#contract/account.ts'
import * as mailbox from '#contract/mailbox.ts'
import * as push from '#contract/notifications.ts'
import * as webhook from '#contract/notifications.ts'
import { problemSchema } from '#contract/route.ts'
import * as report from '#contract/site.ts'
import * as site from '#contract/site.ts'

const registry = z.registry<{ id: string }>()

/** As `components.schemas` of the document. */
export const componentSchemas: Readonly<Record<string, z.ZodMiniType>> = {
  AbuseReport: report.abuseReportRequestSchema,
  ApiMailbox: mailbox.apiMailboxSchema,
  ApiMailboxList: mailbox.apiMailboxesSchema,
  ApiKey: account.apiKeySchema,
  ApiKeyCreated: account.apiKeyCreatedSchema,
  ApiKeyList: account.apiKeysSchema,
  Attachment: mailbox.attachmentSchema,
  AttachmentLink: mailbox.attachmentLinkSchema,
  Authentication: mailbox.authenticationSchema,
  BlogViews: site.blogViewsSchema,
  BlogViewsList: site.blogViewsListSchema,
  Challenge: site.challengeSchema,
  ConfirmEmail: account.confirmSchema,
  ConfirmationLink: mailbox.confirmationLinkSchema,
  Contact: site.contactRequestSchema,
  CreateApiKey: account.createApiKeySchema,
  CreateMailboxes: mailbox.createMailboxesSchema,
  CreateMailbox: mailbox.createMailboxSchema,
  DeleteAccount: account.deleteAccountSchema,
  ForgotPassword: account.forgotPasswordSchema,
  Mailbox: mailbox.mailboxSchema,
  MailboxCreated: mailbox.mailboxCreatedSchema,
  MailboxesCreated: mailbox.mailboxesCreatedSchema,
  MailboxesDestroyed: mailbox.mailboxesDestroyedSchema,
  MailboxEvent: mailbox.mailboxEventSchema,
  StreamEvent: mailbox.streamEventSchema,
  MailAddress: mailbox.mailAddressSchema,
  Message: mailbox.messageSchema,
  MessageList: mailbox.messageListSchema,
  MessageSummary: mailbox.messageSummarySchema,
  Problem: problemSchema,
  ProMailboxList: account.proMailboxesSchema,
  PushKey: push.pushKeySchema,
  PushSubscribed: push.pushSubscribedSchema,
  PushSubscription: push.pushSubscriptionSchema,
  ResetPassword: account.resetPasswordSchema,
  Session: account.sessionSchema,
  SignIn: account.signInSchema,
  SignUp: account.signUpSchema,
  CreateWebhook: webhook.createWebhookSchema,
  Webhook: webhook.webhookSchema,
  WebhookCreated: webhook.webhookCreatedSchema,
  WebhookList: webhook.webhooksSchema,
  WebhookTested: webhook.webhookTestedSchema,
  SiteConfig: site.configReplySchema,
}
for (const [id, schema] of Object.entries(componentSchemas)) registry.add(schema, { id })

type JsonSchema = Readonly<Record<string, unknown>>

/** As `components.schemas` of an OpenAPI 3.1 document, whose dialect is JSON Schema 2020-12. */
export function namedSchemas(domains: readonly string[]): Record<string, JsonSchema> {
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    uri: id => `#/components/schemas/${id}`,
    // Only known at run time: the domains of this deployment.
    override({ jsonSchema, path }) {
      if (path.at(-2) === 'properties' && path.at(-1) === 'domain' && jsonSchema.maxLength !== undefined) jsonSchema.enum = [...domains]
    },
  })
  return Object.fromEntries(Object.entries(schemas).map(([name, { $schema: _, $id: __, id: ___, ...schema }]) => [name, schema]))
}

/** @throws TypeError for a schema without a name. */
export function schemaName(schema: z.ZodMiniType): string {
  const name = registry.get(schema)?.id
  if (name === undefined) throw new TypeError('a schema of the API has no name in server/http/openapi/schemas.ts: give it one')
  return name
}

/** @throws TypeError for a schema without a name. */
export function schemaReference(schema: z.ZodMiniType): { $ref: string } {
  return { $ref: `#/components/schemas/${schemaName(schema)}` }
}

/** The JSON schema of each property of a query schema. */
export function queryProperties(schema: z.ZodMiniObject): [name: string, schema: JsonSchema, isRequired: boolean][] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'output' })
  return Object.entries(properties).map(([name, property]) => [name, property as JsonSchema, required.includes(name)])
}
