/** The API's own description, made from the routes that also check the requests. */
import type { OpenAPIV3_1 } from 'openapi-types'
import * as accountRoutes from '#contract/api/account-routes.ts'
import * as mailboxRoutes from '#contract/api/mailbox-routes.ts'
import * as operatorRoutes from '#contract/api/operator-routes.ts'
import { type Route, routeProblems } from '#contract/api/route.ts'
import * as siteRoutes from '#contract/api/site-routes.ts'
import { problemSchema } from '#contract/problem-document.ts'
import { problems } from '#contract/problems.ts'
import { sessionCookieName } from '#server/accounts/session-cookie.ts'
import type { BoundRoute } from '../routes/define-route.ts'
import { namedSchemas, queryProperties, schemaReference } from './schemas.ts'

export type ApiDocument = OpenAPIV3_1.Document

/** The export's name is the operation's name. */
const OPERATION_IDS = new Map<Route, string>(
  [mailboxRoutes, accountRoutes, siteRoutes, operatorRoutes].flatMap(group => Object.entries(group)).map(([name, route]) => [route, name]),
)

const TAGS = [
  { name: 'Mailboxes', description: 'Create, read and destroy an address.' },
  { name: 'Messages', description: 'List, wait for, read and remove mail.' },
  { name: 'Account', description: 'Accounts, sessions, API keys and Pro addresses; used by our own pages.' },
  { name: 'Site', description: 'Configuration, bot check, contact form and blog.' },
  { name: 'Operator', description: 'Figures and actions of the operator; used by our own page, after a second factor.' },
]

export function openApiDocument(routes: readonly BoundRoute[], publicUrl: string): ApiDocument {
  const paths: Record<string, OpenAPIV3_1.PathItemObject> = {}
  for (const bound of routes) {
    const { method, path } = bound.route
    const template = path.replace(/:([a-zA-Z]+)/g, '{$1}')
    paths[template] = { ...paths[template], [method.toLowerCase()]: operation(bound) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Mayfly',
      version: '1',
      description: 'Create an address, wait for its mail, read it. Errors are RFC 9457 problem documents with a stable `code`.',
    },
    servers: [{ url: publicUrl }],
    tags: TAGS,
    paths,
    components: { schemas: namedSchemas() as Record<string, OpenAPIV3_1.SchemaObject>, securitySchemes: securitySchemes(publicUrl) },
  }
}

function securitySchemes(publicUrl: string): Record<string, OpenAPIV3_1.SecuritySchemeObject> {
  return {
    mailboxToken: { type: 'http', scheme: 'bearer', description: 'The `token` of the mailbox.' },
    apiKey: {
      type: 'http',
      scheme: 'bearer',
      description: 'An API key of an account (`mfk_…`), or an API token of the deployment (`mft_…`).',
    },
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: sessionCookieName(publicUrl),
      description: 'Set by `signIn`; writes are taken from our own pages only.',
    },
  }
}

function operation({ route, docs }: BoundRoute): OpenAPIV3_1.OperationObject {
  const operationId = OPERATION_IDS.get(route)
  if (operationId === undefined) throw new TypeError(`${route.method} ${route.path} is not exported by contract/api/`)
  const parameters = [...pathParameters(route), ...queryParameters(route)]
  return {
    operationId,
    tags: [docs.tag],
    summary: docs.summary,
    ...(docs.description === undefined ? {} : { description: docs.description }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body ? { requestBody: { required: true, content: { 'application/json': { schema: schemaReference(route.body) } } } } : {}),
    security: securityRequirements(route),
    responses: { ...success(route, docs.noContentWhen), ...failures(route) },
  }
}

function securityRequirements({ auth }: Route): OpenAPIV3_1.SecurityRequirementObject[] {
  if (auth === 'mailbox') return [{ mailboxToken: [] }]
  if (auth === 'api') return [{ apiKey: [] }]
  if (auth === 'session' || auth === 'operator') return [{ session: [] }]
  return auth === 'optional' ? [{}, { apiKey: [] }, { session: [] }] : []
}

function pathParameters({ path }: Route): OpenAPIV3_1.ParameterObject[] {
  return [...path.matchAll(/:([a-zA-Z]+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: name === 'index' ? { type: 'integer', minimum: 0 } : { type: 'string' },
  }))
}

function queryParameters({ query, response }: Route): OpenAPIV3_1.ParameterObject[] {
  const resume = { name: 'Last-Event-ID', in: 'header', required: false, schema: { type: 'string' as const } }
  const asked = query ? queryProperties(query) : []
  return [...asked.map(([name, schema, required]) => ({ name, in: 'query', required, schema })), ...(response === 'events' ? [resume] : [])]
}

function success({ status, response }: Route, noContentWhen: string | undefined): OpenAPIV3_1.ResponsesObject {
  const file = { description: 'Part of the file, as `Range` asked for', content: responseContent(response) }
  const isFile = response === 'bytes' || response === 'message'
  return {
    [status]: {
      description: response === undefined ? 'Done' : 'The result',
      ...(response === undefined ? {} : { content: responseContent(response) }),
    },
    ...(noContentWhen === undefined ? {} : { 204: { description: noContentWhen } }),
    ...(isFile ? { 206: file, 416: { description: 'The file has no such range' } } : {}),
  }
}

function responseContent(response: Route['response']): Record<string, OpenAPIV3_1.MediaTypeObject> {
  if (response === undefined) return {}
  if (response === 'bytes') return { 'application/octet-stream': {} }
  if (response === 'message') return { 'message/rfc822': {} }
  if (response === 'events') return { 'text/event-stream': { schema: { type: 'string' } } }
  return { 'application/json': { schema: schemaReference(response) } }
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
