/** Sample calls of each operation. Their bodies, and all examples by schema, are in schema-examples.json: openapi.test.ts checks each. */
import type { Route } from '#contract/route.ts'
import examples from './schema-examples.json' with { type: 'json' }

export const schemaExamples: Readonly<Record<string, unknown>> = examples

/** Values of path parameters and required query parameters in samples: their own, or those of an environment variable. */
const parameterValues: Readonly<Record<string, string>> = { index: '0', slug: 'why-use-temporary-email', action: 'generate_email' }

/** Variables of the environment with an id, by what stands before it in a path. */
const ID_NAMES: Readonly<Record<string, string>> = {
  'api-keys': 'API_KEY_ID',
  attachments: 'ATTACHMENT_CAPABILITY',
  mailboxes: 'MAILBOX_ID',
  messages: 'MESSAGE_ID',
  passkeys: 'PASSKEY_ID',
  push: 'SUBSCRIPTION_ID',
  sessions: 'SESSION_ID',
  webhooks: 'WEBHOOK_ID',
}

type CodeSample = { readonly lang: 'Shell' | 'TypeScript' | 'Python'; readonly label: string; readonly source: string }
type SampledOperation = {
  readonly operationId: string
  readonly route: Route
  readonly bodyName: string | undefined
  readonly publicUrl: string
}

/** The environment variable with the credential for an operation. */
const CREDENTIALS: Partial<Record<NonNullable<Route['auth']>, string>> = {
  mailbox: 'MAILBOX_TOKEN',
  api: 'MAYFLY_API_KEY',
  optional: 'MAYFLY_API_KEY',
  session: 'SESSION_COOKIE',
}

/** Operations that the npm client has a method for. All others are shown with `fetch`. */
const WITH_CLIENT: Readonly<Record<string, string>> = {
  createMailbox: 'const mailbox = await mayfly.createMailbox({ lifetimeSeconds: 300 })\nconsole.log(mailbox.address)',
  createMailboxes: 'const mailboxes = await mayfly.createMailboxes(20, { lifetimeSeconds: 300 })\nconsole.log(mailboxes.length)',
  listMailboxes: 'for await (const { id, email } of mayfly.listMailboxes()) console.log(id, email)',
  destroyMailboxById: 'await mayfly.deleteMailbox(MAILBOX_ID)',
  destroyMailboxes: 'await mayfly.deleteAllMailboxes()',
  readMailbox: 'const mailbox = await mayfly.openMailbox(MAILBOX_TOKEN)\nconsole.log(mailbox.expiresAt)',
  destroyMailbox: 'const mailbox = await mayfly.openMailbox(MAILBOX_TOKEN)\nawait mailbox.delete()',
  listMessages: 'const mailbox = await mayfly.openMailbox(MAILBOX_TOKEN)\nconsole.log(await mailbox.listMessages())',
  readMessage: 'const mailbox = await mayfly.openMailbox(MAILBOX_TOKEN)\nconsole.log((await mailbox.readMessage(MESSAGE_ID)).text)',
  deleteMessage: 'const mailbox = await mayfly.openMailbox(MAILBOX_TOKEN)\nawait mailbox.deleteMessage(MESSAGE_ID)',
  waitForMessage: 'const mailbox = await mayfly.openMailbox(MAILBOX_TOKEN)\nconsole.log((await mailbox.waitForMessage()).codes)',
  streamEvents:
    'const mailbox = await mayfly.openMailbox(MAILBOX_TOKEN)\nfor await (const message of mailbox.messages()) console.log(message.subject)',
}

/**
 * Sample calls of each operation in several languages: `x-codeSamples`, as Redoc, Scalar and others show them. They run as they are, with
 * credentials and ids in environment variables.
 */
export function codeSamples(operation: SampledOperation): CodeSample[] {
  return [
    { lang: 'Shell', label: 'curl', source: curl(operation) },
    { lang: 'TypeScript', label: operation.operationId in WITH_CLIENT ? 'mayfly-client' : 'fetch', source: typescript(operation) },
    { lang: 'Python', label: 'urllib', source: python(operation) },
  ]
}

function curl({ route, bodyName, publicUrl }: SampledOperation): string {
  const credential = requiredCredential(route)
  const url = sampleUrl(route, publicUrl, name => `$${name}`)
  const quote = url.includes('$') ? '"' : "'"
  const options = [route.response === 'events' ? '-N ' : '', route.method === 'GET' ? '' : `-X ${route.method} `].join('')
  return [
    `curl ${options}${quote}${url}${quote}`,
    ...(credential === undefined ? [] : [route.auth === 'session' ? `-b "$${credential}"` : `-H "Authorization: Bearer $${credential}"`]),
    ...(bodyName === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d '${spacedJson(schemaExamples[bodyName])}'`]),
  ].join(' \\\n  ')
}

function typescript(operation: SampledOperation): string {
  const [imports, code] = WITH_CLIENT[operation.operationId] === undefined ? ['', withFetch(operation)] : [CLIENT, withClient(operation)]
  const variables = [...new Set(code.match(/\b(?:[A-Z]+_)+[A-Z]+\b/g))].map(name => `${name} = ''`)
  if (variables.length === 0) return imports === '' ? code : `${imports}\n\n${code}`
  return `import { env } from 'node:process'\n${imports}\n\nconst { ${variables.join(', ')} } = env\n${code}`.replace('\n\n\n', '\n\n')
}

const CLIENT = "import { Mayfly } from 'mayfly-client'"

function withClient({ operationId, route, publicUrl }: SampledOperation): string {
  const apiKey = route.auth === 'mailbox' ? '' : ', apiKey: MAYFLY_API_KEY'
  return `const mayfly = new Mayfly({ url: '${publicUrl}'${apiKey} })\n${WITH_CLIENT[operationId]}`
}

function withFetch({ route, bodyName, publicUrl }: SampledOperation): string {
  const credential = requiredCredential(route)
  const headers = [
    ...(credential === undefined
      ? []
      : [route.auth === 'session' ? `cookie: ${credential}` : `authorization: \`Bearer \${${credential}}\``]),
    ...(bodyName === undefined ? [] : [`'content-type': 'application/json'`]),
  ]
  const options = [
    ...(route.method === 'GET' ? [] : [`method: '${route.method}'`]),
    ...(headers.length === 0 ? [] : [`headers: { ${headers.join(', ')} }`]),
    ...(bodyName === undefined ? [] : [`body: JSON.stringify(${spacedJson(schemaExamples[bodyName])})`]),
  ]
  const filled = sampleUrl(route, publicUrl, name => `\${${name}}`)
  const url = filled.includes('${') ? `\`${filled}\`` : `'${filled}'`
  const call = options.length === 0 ? url : `${url}, {\n${options.map(option => `  ${option},\n`).join('')}}`
  const body = route.response === 'bytes' ? 'await response.arrayBuffer()' : 'await response.text()'
  return `const response = await fetch(${call})\nconsole.log(response.status, ${body})`
}

/** With the standard library only, so that it needs no installation. */
function python({ route, bodyName, publicUrl }: SampledOperation): string {
  const credential = requiredCredential(route)
  const url = sampleUrl(route, publicUrl, name => `{os.environ['${name}']}`)
  const headers = [
    ...(credential === undefined
      ? []
      : [route.auth === 'session' ? `"Cookie": os.environ["${credential}"]` : `"Authorization": f"Bearer {os.environ['${credential}']}"`]),
    ...(bodyName === undefined ? [] : [`"Content-Type": "application/json"`]),
  ]
  const options = [
    `${url.includes('{') ? 'f' : ''}"${url}"`,
    ...(route.method === 'GET' ? [] : [`method="${route.method}"`]),
    ...(headers.length === 0 ? [] : [`headers={${headers.join(', ')}}`]),
    ...(bodyName === undefined ? [] : [`data=json.dumps(${spacedJson(schemaExamples[bodyName])}).encode()`]),
  ]
  const imports = [...(bodyName === undefined ? [] : ['json']), ...(options.join().includes('os.environ') ? ['os'] : [])]
  const read = {
    events: 'for line in response:\n        print(line.decode(), end="")',
    bytes: 'print(response.status, len(response.read()))',
    message: 'print(response.status, len(response.read()))',
  }
  return [
    ...imports.map(name => `import ${name}\n`),
    'from urllib.request import Request, urlopen\n\n',
    options.length === 1
      ? `request = Request(${options[0]})\n`
      : `request = Request(\n${options.map(option => `    ${option},\n`).join('')})\n`,
    'with urlopen(request) as response:\n    ',
    (typeof route.response === 'string' && read[route.response as keyof typeof read]) || 'print(response.status, response.read().decode())',
  ].join('')
}

/** On one line, as people write it. */
function spacedJson(value: unknown): string {
  return JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ')
}

function requiredCredential({ auth }: Route): string | undefined {
  return auth && CREDENTIALS[auth]
}

/** `variable`: writes a variable of the environment into the URL. */
function sampleUrl({ path, query }: Route, publicUrl: string, variable: (name: string) => string): string {
  const filled = path.replace(/([a-z-]+)\/:([a-z]+)/g, (_, what: string, name: string) => {
    const idName = ID_NAMES[what] ?? 'ID'
    return `${what}/${parameterValues[name] ?? variable(idName)}`
  })
  const required = query && 'action' in query.shape ? `?action=${parameterValues.action}` : ''
  return `${publicUrl}${filled}${required}`
}
