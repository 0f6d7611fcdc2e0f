/** Sample calls of each operation in several languages: `x-codeSamples`, as Redoc, Scalar and others show them. */
import type { Route } from '#contract/route.ts'
import { parameterExamples, schemaExamples } from './examples.ts'

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
}

/** Operations that the npm client has a method for. All others are shown with `fetch`. */
const WITH_CLIENT: Readonly<Record<string, string>> = {
  createMailbox: 'const mailbox = await mayfly.createMailbox({ lifetimeSeconds: 300 })\nconsole.log(mailbox.address)',
  listMailboxes: 'for await (const { id, email } of mayfly.listMailboxes()) console.log(id, email)',
  destroyMailboxById: "await mayfly.deleteMailbox('ID')",
  destroyMailboxes: 'await mayfly.deleteAllMailboxes()',
  readMailbox: "const mailbox = await mayfly.openMailbox('MAILBOX_TOKEN')\nconsole.log(mailbox.expiresAt)",
  destroyMailbox: "const mailbox = await mayfly.openMailbox('MAILBOX_TOKEN')\nawait mailbox.delete()",
  listMessages: "const mailbox = await mayfly.openMailbox('MAILBOX_TOKEN')\nconsole.log(await mailbox.listMessages())",
  readMessage: "const mailbox = await mayfly.openMailbox('MAILBOX_TOKEN')\nconsole.log((await mailbox.readMessage('ID')).text)",
  removeMessage: "const mailbox = await mayfly.openMailbox('MAILBOX_TOKEN')\nawait mailbox.deleteMessage('ID')",
  waitForMessage: "const mailbox = await mayfly.createMailbox()\nconst { codes } = await mailbox.waitForMessage({ from: 'shop.example' })",
  streamEvents:
    'const mailbox = await mayfly.createMailbox()\nfor await (const message of mailbox.messages()) console.log(message.subject)',
}

export function codeSamples(operation: SampledOperation): CodeSample[] {
  return [
    { lang: 'Shell', label: 'curl', source: curl(operation) },
    { lang: 'TypeScript', label: operation.operationId in WITH_CLIENT ? 'mayfly-client' : 'fetch', source: typescript(operation) },
    { lang: 'Python', label: 'httpx', source: python(operation) },
  ]
}

function curl({ route, bodyName, publicUrl }: SampledOperation): string {
  const credential = requiredCredential(route)
  return [
    `curl ${route.method === 'GET' ? '' : `-X ${route.method} `}'${sampleUrl(route, publicUrl)}'`,
    ...(credential === undefined ? [] : [`-H "Authorization: Bearer $${credential}"`]),
    ...(route.auth === 'session' ? [`-b "$SESSION_COOKIE"`] : []),
    ...(bodyName === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(schemaExamples[bodyName])}'`]),
  ].join(' \\\n  ')
}

function typescript({ operationId, route, bodyName, publicUrl }: SampledOperation): string {
  const withClient = WITH_CLIENT[operationId]
  if (withClient !== undefined) {
    const apiKey = route.auth === 'mailbox' ? '' : ", apiKey: 'MAYFLY_API_KEY'"
    return `import { Mayfly } from 'mayfly-client'\n\nconst mayfly = new Mayfly({ url: '${publicUrl}'${apiKey} })\n${withClient}`
  }
  const credential = requiredCredential(route)
  const headers = [
    ...(credential === undefined ? [] : [`authorization: 'Bearer ${credential}'`]),
    ...(bodyName === undefined ? [] : [`'content-type': 'application/json'`]),
  ]
  const options = [
    ...(route.method === 'GET' ? [] : [`method: '${route.method}'`]),
    ...(headers.length === 0 ? [] : [`headers: { ${headers.join(', ')} }`]),
    ...(bodyName === undefined ? [] : [`body: JSON.stringify(${JSON.stringify(schemaExamples[bodyName])})`]),
  ]
  const url = `'${sampleUrl(route, publicUrl)}'`
  return `const response = await fetch(${options.length === 0 ? url : `${url}, {\n${options.map(option => `  ${option},\n`).join('')}}`})`
}

function python({ route, bodyName, publicUrl }: SampledOperation): string {
  const credential = requiredCredential(route)
  const options = [
    `"${sampleUrl(route, publicUrl)}"`,
    ...(credential === undefined ? [] : [`headers={"Authorization": f"Bearer {os.environ['${credential}']}"}`]),
    ...(bodyName === undefined ? [] : [`json=${JSON.stringify(schemaExamples[bodyName])}`]),
    ...(route.response === 'events' || route.path.endsWith('/wait') ? ['timeout=60'] : []),
  ]
  const imports = credential === undefined ? 'import httpx' : 'import os\n\nimport httpx'
  return `${imports}\n\nresponse = httpx.${route.method.toLowerCase()}(\n${options.map(option => `    ${option},\n`).join('')})`
}

function requiredCredential({ auth }: Route): string | undefined {
  return auth && CREDENTIALS[auth]
}

function sampleUrl({ path, query }: Route, publicUrl: string): string {
  const filled = path.replace(/:([a-zA-Z]+)/g, (_, name: string) => String(parameterExamples[name] ?? 'ID'))
  const required = query && 'action' in query.shape ? `?action=${parameterExamples.action}` : ''
  return `${publicUrl}${filled}${required}`
}
