/** The OpenAPI document, generated from the same routes that check requests. */
import type { OpenAPIV3_1 } from 'openapi-types'
import * as z from 'zod/mini'
import * as account from '#contract/account.ts'
import * as mailbox from '#contract/mailbox.ts'
import { streamEventSchema } from '#contract/mailbox.ts'
import * as notifications from '#contract/notifications.ts'
import * as passkeys from '#contract/passkeys.ts'
import { problems } from '#contract/problems.ts'
import { problemSchema, type Route, routeProblems, statusOf } from '#contract/route.ts'
import * as site from '#contract/site.ts'
import { sessionCookieName } from '#server/accounts/sessions.ts'
import type { MailDomains } from '#server/mail/addresses/mail-domains.ts'
import type { Config } from '#server/platform/config/config.ts'
import { IDEMPOTENCY_KEY } from '../requests/input.ts'
import type { BoundRoute } from '../routes/define-route.ts'
import descriptions from './descriptions.json' with { type: 'json' }
import { codeSamples, schemaExamples } from './examples.ts'

/** The schemas of the API, by the names that generated clients use. */
const registry = z.registry<{ id: string }>()

/** The schemas that the document has under `components.schemas`. */
const componentSchemas: Readonly<Record<string, z.ZodMiniType>> = {
  AbuseReport: site.abuseReportRequestSchema,
  AccountProof: account.accountProofSchema,
  AccountSession: account.accountSessionSchema,
  AccountSessionList: account.accountSessionsSchema,
  AddPasskey: account.addPasskeySchema,
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
  ForgotPassword: account.forgotPasswordSchema,
  Mailbox: mailbox.mailboxSchema,
  MailboxCreated: mailbox.mailboxCreatedSchema,
  MailboxesCreated: mailbox.mailboxesCreatedSchema,
  MailboxesDestroyed: mailbox.mailboxesDestroyedSchema,
  StreamEvent: mailbox.streamEventSchema,
  KeepMailbox: account.keepMailboxSchema,
  MailAddress: mailbox.mailAddressSchema,
  MailWarning: mailbox.mailWarningSchema,
  Message: mailbox.messageSchema,
  MessageList: mailbox.messageListSchema,
  MessageSummary: mailbox.messageSummarySchema,
  NewPasskey: passkeys.newPasskeySchema,
  Passkey: passkeys.passkeySchema,
  PasskeyCreation: passkeys.passkeyCreationSchema,
  PasskeyList: passkeys.passkeysSchema,
  PasskeyRequest: passkeys.passkeyRequestSchema,
  PlannedFailure: mailbox.plannedFailureSchema,
  Problem: problemSchema,
  ProMailboxList: account.proMailboxesSchema,
  PushKey: notifications.pushKeySchema,
  PushSubscribed: notifications.pushSubscribedSchema,
  PushSubscription: notifications.pushSubscriptionSchema,
  ResetPassword: account.resetPasswordSchema,
  ChangePassword: account.changePasswordSchema,
  Session: account.sessionSchema,
  SignIn: account.signInSchema,
  SignInWithPasskey: account.signInWithPasskeySchema,
  SignUp: account.signUpSchema,
  SignedUp: account.signedUpSchema,
  SignUpWithPasskey: account.signUpWithPasskeySchema,
  StartPasskeySignUp: account.startPasskeySignUpSchema,
  UsedPasskey: passkeys.usedPasskeySchema,
  CreateWebhook: notifications.createWebhookSchema,
  Webhook: notifications.webhookSchema,
  WebhookCreated: notifications.webhookCreatedSchema,
  WebhookList: notifications.webhooksSchema,
  WebhookTested: notifications.webhookTestedSchema,
  SiteConfig: site.configReplySchema,
}
for (const [id, schema] of Object.entries(componentSchemas)) registry.add(schema, { id })
// Generators make a type of each alternative, and would number those without a name.
const EVENTS = ['MessageEvent', 'RemovedEvent', 'ExtendedEvent', 'ExpiredEvent', 'DeliveryEvent', 'ChangedEvent', 'ReconnectEvent']
nameAlternatives(mailbox.streamEventSchema, EVENTS)
nameAlternatives(site.siteConfigSchema.shape.botCheck, ['NoBotCheck', 'ProofOfWork', 'Recaptcha'])
nameAlternatives(account.accountProofSchema, ['PasswordProof', 'PasskeyProof'])
nameAlternatives(account.confirmSchema, ['ConfirmByPassword', 'ConfirmByPasskey'])

function nameAlternatives({ def: { options } }: z.ZodMiniUnion<readonly z.ZodMiniType[]>, names: readonly string[]): void {
  for (const [index, option] of options.entries()) registry.add(option, { id: names[index] ?? '' })
}

type JsonSchema = Readonly<Record<string, unknown>>

/** The form of `components.schemas` in OpenAPI 3.1, whose dialect is JSON Schema 2020-12. */
function namedSchemas(domains: readonly string[]): Record<string, JsonSchema> {
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    uri: id => `#/components/schemas/${id}`,
    override({ zodSchema: { _zod }, jsonSchema, path }) {
      // Only known at run time: the domains of this deployment.
      if (path.at(-2) === 'properties' && path.at(-1) === 'domain' && jsonSchema.maxLength !== undefined) jsonSchema.enum = [...domains]
      // Several generators take no two patterns of one value. The second only bounds the length of a local part.
      if (jsonSchema.allOf?.every(({ pattern }) => pattern !== undefined)) {
        jsonSchema.pattern = jsonSchema.allOf[0]?.pattern ?? ''
        delete jsonSchema.allOf
      }
      // All of our alternatives exclude each other.
      if (_zod.def.type === 'union' && jsonSchema.anyOf) {
        jsonSchema.oneOf = jsonSchema.anyOf
        delete jsonSchema.anyOf
      }
      if ('discriminator' in _zod.def) jsonSchema.discriminator = discriminatorOf(_zod.def as z.core.$ZodDiscriminatedUnionDef)
    },
  })
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _, $id: __, id: ___, ...schema }]) => [name, withDescriptions(name, schema)]),
  )
}

/** Which alternative each value means. */
function discriminatorOf({ options, discriminator }: z.core.$ZodDiscriminatedUnionDef): OpenAPIV3_1.DiscriminatorObject {
  const mapping = options.flatMap(option => {
    const reference = schemaReference(option as z.ZodMiniType).$ref
    return [...(option._zod.propValues?.[discriminator] ?? [])].map(value => [String(value), reference])
  })
  return { propertyName: discriminator, mapping: Object.fromEntries(mapping) }
}

function withDescriptions(name: string, schema: JsonSchema): JsonSchema {
  const { properties } = schema
  if (typeof properties !== 'object' || properties === null) return schema
  const fields = Object.entries(properties).map(([field, type]) => [field, { ...type, description: describeField(name, field) }])
  return { ...schema, properties: Object.fromEntries(fields) }
}

/** @throws TypeError for a schema without a name. */
function schemaName(schema: z.ZodMiniType): string {
  const name = registry.get(schema)?.id
  if (name === undefined) throw new TypeError('a schema of the API has no name in server/http/openapi/openapi.ts: give it one')
  return name
}

/** @throws TypeError for a schema without a name. */
const schemaReference = (schema: z.ZodMiniType): { $ref: string } => ({ $ref: `#/components/schemas/${schemaName(schema)}` })

/** The JSON schema of each property of a query schema. */
function queryProperties(schema: z.ZodMiniObject): [name: string, schema: JsonSchema, isRequired: boolean][] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'output' })
  return Object.entries(properties).map(([name, property]) => [name, property as JsonSchema, required.includes(name)])
}

export type ApiDocument = OpenAPIV3_1.Document

/** The name of the export is the operation's id. */
const OPERATION_IDS = new Map<Route, string>(
  [mailbox, notifications, account, site].flatMap(group => Object.entries(group)).map(([name, route]) => [route, name]),
)

const TAGS = [
  { name: 'Account', description: 'Accounts, sessions, passkeys, API keys and Pro addresses; used by our own pages.' },
  { name: 'Mailboxes', description: 'Create, read and destroy an address.' },
  { name: 'Messages', description: 'List, wait for, read and remove mail.' },
  { name: 'Push', description: 'Notify browsers of new mail while no page is open (Web Push).' },
  { name: 'Site', description: 'Configuration, bot check, contact form and blog.' },
  { name: 'Webhooks', description: 'Be told of new mail by a signed request.' },
]

export function openApiDocument(
  routesByTag: Readonly<Record<string, readonly BoundRoute[]>>,
  { publicUrl }: Config,
  { offered, supportEmail }: MailDomains,
): ApiDocument {
  const paths: Record<string, OpenAPIV3_1.PathItemObject> = {}
  for (const [tag, routes] of Object.entries(routesByTag)) {
    for (const bound of routes) {
      const { method, path } = bound.route
      const template = path.replace(/:([a-zA-Z]+)/g, '{$1}')
      paths[template] = { ...paths[template], [method.toLowerCase()]: operation(tag, bound, publicUrl) }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Mayfly',
      version: '1',
      description: DESCRIPTION,
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
      contact: { name: 'The operator of this server', url: `${publicUrl}/contact`, email: supportEmail },
    },
    servers: [{ url: publicUrl }],
    tags: TAGS,
    paths,
    components: { schemas: namedSchemas(offered) as Record<string, OpenAPIV3_1.SchemaObject>, securitySchemes: securitySchemes(publicUrl) },
  }
}

const DESCRIPTION = `Create an address, wait for its mail, read it. Errors are RFC 9457 problem documents with a stable \`code\`.

**What changes and what does not.** Fields, routes, codes and optional parameters are added at any time, so ignore what you do not know. Nothing is
renamed or removed, and no type changes, before a release has marked it as \`deprecated\` here, named its successor, and sent the headers \`Deprecation\`
(RFC 9745) and \`Sunset\` (RFC 8594) with it for at least six months.`

/** No scheme bears the name of a schema, since generators make a type of both. */
function securitySchemes(publicUrl: string): Record<string, OpenAPIV3_1.SecuritySchemeObject> {
  return {
    mailboxToken: { type: 'http', scheme: 'bearer', description: 'The `token` of the mailbox.' },
    apiCredential: {
      type: 'http',
      scheme: 'bearer',
      description: 'An API key of an account (`mfk_…`), or an API token of the deployment (`mft_…`).',
    },
    sessionCookie: {
      type: 'apiKey',
      in: 'cookie',
      name: sessionCookieName(publicUrl),
      description: 'Set by `signIn`; writes are taken from our own pages only.',
    },
  }
}

function operation(tag: string, { route }: BoundRoute, publicUrl: string): OpenAPIV3_1.OperationObject {
  const operationId = OPERATION_IDS.get(route)
  if (operationId === undefined) throw new TypeError(`${route.method} ${route.path} is not exported by contract/`)
  const { summary, description = `${summary}.`, noContentWhen } = describeOperation(operationId)
  const parameters = [...pathParameters(route), ...queryParameters(route)]
  const bodyName = route.body && schemaName(route.body)
  const samples = codeSamples({ operationId, route, bodyName, publicUrl })
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body ? { requestBody: { required: true, content: { 'application/json': jsonContent(route.body) } } } : {}),
    security: securityRequirements(route),
    responses: { ...success(route, noContentWhen), ...failures(route) },
    ...{ 'x-codeSamples': samples },
  }
}

function securityRequirements({ auth }: Route): OpenAPIV3_1.SecurityRequirementObject[] {
  if (auth === 'mailbox') return [{ mailboxToken: [] }]
  if (auth === 'api') return [{ apiCredential: [] }]
  if (auth === 'session') return [{ sessionCookie: [] }]
  return auth === 'optional' ? [{}, { apiCredential: [] }, { sessionCookie: [] }] : []
}

function pathParameters({ path }: Route): OpenAPIV3_1.ParameterObject[] {
  return [...path.matchAll(/:([a-zA-Z]+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: describeParameter(name),
    schema: name === 'index' ? { type: 'integer', minimum: 0 } : { type: 'string' },
  }))
}

function queryParameters({ query, response, idempotent }: Route): OpenAPIV3_1.ParameterObject[] {
  const resume = {
    name: 'Last-Event-ID',
    in: 'header',
    required: false,
    description: describeParameter('Last-Event-ID'),
    schema: { type: 'string' as const },
  }
  const onceOnly = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: describeParameter('Idempotency-Key'),
    schema: { type: 'string' as const, pattern: IDEMPOTENCY_KEY.source },
  }
  const asked = query ? queryProperties(query) : []
  return [
    ...asked.map(([name, schema, required]) => ({ name, in: 'query', required, description: describeParameter(name), schema })),
    ...(response === 'events' ? [resume] : []),
    ...(idempotent ? [onceOnly] : []),
  ]
}

function success(route: Route, noContentWhen: string | undefined): OpenAPIV3_1.ResponsesObject {
  const { response } = route
  const file = { description: 'Part of the file, as `Range` asked for', content: responseContent(response) }
  const isFile = response === 'bytes' || response === 'message'
  return {
    [statusOf(route)]: {
      description: response === undefined ? 'Done' : 'The result',
      ...(response === undefined ? {} : { content: responseContent(response) }),
    },
    ...(noContentWhen === undefined ? {} : { 204: { description: noContentWhen } }),
    ...(isFile ? { 206: file, 416: { description: 'The file has no such range' } } : {}),
  }
}

/** One event of a stream, as in OpenAPI 3.2. Older tools take the `schema` of an event stream as that of each event. */
const SERVER_SENT_EVENT: Readonly<Record<string, unknown>> = {
  type: 'object',
  required: ['event', 'data'],
  properties: {
    event: { type: 'string', enum: ['message', 'removed', 'extended', 'delivery', 'changed', 'expired', 'reconnect'] },
    id: { type: 'string', description: 'The cursor after the event; send the last one as `Last-Event-ID`.' },
    retry: { type: 'integer', minimum: 0, description: 'Milliseconds after which to connect again.' },
    data: { type: 'string', contentMediaType: 'application/json', contentSchema: schemaReference(streamEventSchema) },
  },
}

/** OpenAPI 3.1 needs no schema for bytes, but without one generators return nothing, or a text. */
const BINARY: OpenAPIV3_1.MediaTypeObject = { schema: { type: 'string', format: 'binary' } }

function responseContent(response: Route['response']): Record<string, OpenAPIV3_1.MediaTypeObject> {
  if (response === undefined) return {}
  if (response === 'bytes') return { 'application/octet-stream': BINARY }
  if (response === 'message') return { 'message/rfc822': BINARY }
  if (response === 'events') return { 'text/event-stream': { schema: SERVER_SENT_EVENT } }
  return { 'application/json': jsonContent(response) }
}

function jsonContent(schema: z.ZodMiniType): OpenAPIV3_1.MediaTypeObject {
  const example = schemaExamples[schemaName(schema)]
  return { schema: schemaReference(schema), ...(example === undefined ? {} : { example }) }
}

function failures(route: Route): OpenAPIV3_1.ResponsesObject {
  const byStatus = Map.groupBy(routeProblems(route), code => problems[code])
  const content = { 'application/problem+json': { schema: schemaReference(problemSchema) } }
  const header = (description: string) => ({ description, schema: { type: 'string' as const } })
  const headers = {
    401: { 'WWW-Authenticate': header('How to send credentials') },
    429: {
      'Retry-After': header('Seconds to wait'),
      RateLimit: header('The limit that was hit'),
      'RateLimit-Policy': header('Its attempts and window'),
    },
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map(code => `\`${code}\``).join(', '),
        content,
        ...(status === 401 || status === 429 ? { headers: headers[status] } : {}),
      },
    ]),
  )
}

/** A name means the same in every schema but those that stand there as `Schema.field`, and the same in every path, query and header. */
const { fields, parameters }: Readonly<Record<'fields' | 'parameters', Readonly<Record<string, string>>>> = descriptions
/** `noContentWhen`: when it returns 204 instead of its usual response. */
type About = { readonly summary: string; readonly description?: string; readonly noContentWhen?: string }
const operations: Readonly<Record<string, About>> = descriptions.operations

/** @throws TypeError for an operation without a summary. */
function describeOperation(id: string): About {
  const about = operations[id]
  if (about === undefined) throw new TypeError(`${id} has no summary in server/http/openapi/descriptions.json`)
  return about
}

/** @throws TypeError for a field without a description. */
function describeField(schema: string, field: string): string {
  const description = fields[`${schema}.${field}`] ?? fields[field]
  if (description === undefined) throw new TypeError(`${schema}.${field} has no description in server/http/openapi/descriptions.json`)
  return description
}

/** @throws TypeError for a parameter without a description. */
function describeParameter(name: string): string {
  const description = parameters[name]
  if (description === undefined) throw new TypeError(`the parameter ${name} has no description in server/http/openapi/descriptions.json`)
  return description
}
