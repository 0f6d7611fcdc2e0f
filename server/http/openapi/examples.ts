/** Example requests and responses by schema name. openapi.test.ts checks each against its schema. */

import { MESSAGE_BYTES_MAX } from '#contract/limits.ts'
import type { Route } from '#contract/route.ts'

const TIME = '2026-03-01T12:00:00.000Z'
const LATER = '2026-03-01T12:10:00.000Z'
const MAILBOX_ID = '3f0c1c5e-6f0b-4c57-9a41-2a0b9b1e7d10'
const MESSAGE_ID = 'kJ9xQm2vTz8bY4nR6sW1cA'
const TOKEN = 'Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4'
const KEY = 'mfk_K7gNU3sdo-OL0wNhqoVWhr3g6s1xYv72ol_pe_Unols'
const PUSH_KEY = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'
const LINK_TOKEN = 'K7gNU3sdo-OL0wNhqoVWhr3g6s1xYv72ol_pe_Unols'

const mailbox = { email: 'river.stone.4k2m9x@mayfly.example', expiresAt: LATER, secondsLeft: 600, lifetimeSeconds: 600 }
const created = { ...mailbox, id: MAILBOX_ID, token: TOKEN }
const attachment = { index: 0, filename: 'terms.pdf', size: 48_213, contentType: 'application/pdf', inline: false }
const authentication = {
  spf: 'pass',
  dkim: 'pass',
  dmarc: 'pass',
  arc: 'none',
  policy: 'reject',
  policyDomain: 'shop.example',
  domain: 'shop.example',
  domainBy: 'dkim',
}
const sender = { name: 'Shop', address: 'hello@shop.example' }
const summary = {
  id: MESSAGE_ID,
  cursor: '1',
  subject: 'Your code is 481516',
  from: sender,
  envelopeTo: ['river.stone.4k2m9x+orders@mayfly.example'],
  receivedAt: TIME,
  preview: 'Welcome! Your code is 481516.',
  size: 51_442,
  attachments: [attachment],
  attachmentCount: 1,
  codes: ['481516'],
  parseStatus: 'ok',
  authentication,
  verdict: 'vouched',
  verdictReason: 'signed',
}
const link = { url: 'https://shop.example/confirm?t=8c1f', label: 'Confirm your address' }
const key = { id: MAILBOX_ID, name: 'CI', prefix: KEY.slice(0, 12), createdAt: TIME }
const views = { slug: 'why-use-temporary-email', views: 12 }
const webhook = { id: MAILBOX_ID, url: 'https://ci.example/hooks/mail', createdAt: TIME, failures: 0 }
const credentials = { email: 'ada@example.com', password: 'correct horse' }

const passkeyHead = { id: 'Y3JlZGVudGlhbA', rawId: 'Y3JlZGVudGlhbA', type: 'public-key' }
const newPasskey = { ...passkeyHead, response: { clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0', attestationObject: 'o2NmbXQ' } }
const usedPasskey = {
  ...passkeyHead,
  response: { clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0', authenticatorData: 'SZYN5YgO', signature: 'MEUCIQ', userHandle: 'YWRh' },
}
const passkey = { id: MAILBOX_ID, device: 'Firefox · Linux', createdAt: TIME }
const passkeyWait = { challenge: LINK_TOKEN, timeout: 300_000 }

export const schemaExamples: Readonly<Record<string, unknown>> = {
  AccountProof: { password: credentials.password },
  AccountSessionList: { sessions: [{ id: MAILBOX_ID, device: 'Firefox · Linux', createdAt: TIME, expiresAt: LATER, isCurrent: true }] },
  AbuseReport: { kind: 'spam', address: mailbox.email, message: 'It signs up for our service every minute.', email: 'abuse@shop.example' },
  AddPasskey: { passkey: newPasskey },
  ApiKeyCreated: { ...key, key: KEY },
  ApiKeyList: { keys: [key] },
  ApiMailboxList: { mailboxes: [{ ...mailbox, id: MAILBOX_ID, createdAt: TIME }] },
  AttachmentLink: { url: '/api/attachments/c2VhbGVk', expiresAt: LATER },
  BlogViews: views,
  BlogViewsList: { posts: [views] },
  Challenge: {
    parameters: { algorithm: 'PBKDF2/SHA-256', nonce: '9f', salt: '5d', cost: 1000, keyLength: 32, keyPrefix: '00' },
    signature: 'b7e2',
  },
  ConfirmEmail: { token: LINK_TOKEN, password: credentials.password },
  Contact: { name: 'Ada', email: credentials.email, subject: 'A question', message: 'How long does an address live?', language: 'en' },
  CreateApiKey: { name: 'CI' },
  CreateMailbox: { lifetimeSeconds: 300 },
  CreateMailboxes: { count: 20, lifetimeSeconds: 300 },
  ForgotPassword: { email: credentials.email, language: 'en' },
  KeepMailbox: { token: created.token },
  Mailbox: mailbox,
  MailboxCreated: created,
  MailboxesCreated: { mailboxes: [created] },
  MailboxesDestroyed: { destroyed: 20 },
  Message: {
    ...summary,
    envelopeFrom: 'bounce@shop.example',
    to: [{ name: '', address: mailbox.email }],
    cc: [],
    replyTo: [],
    date: TIME,
    text: 'Welcome! Your code is 481516.\n',
    headers: [{ name: 'Subject', value: summary.subject }],
    links: [link],
    allLinks: [{ url: link.url, text: link.label }],
    warnings: [{ kind: 'date_missing', detail: '', rule: 'RFC 5322 3.6.1', remedy: 'Add Date: every mail has one.' }],
  },
  MessageList: { messages: [summary], cursor: '1' },
  Passkey: passkey,
  PasskeyCreation: {
    rp: { id: 'mayfly.example', name: 'Mayfly' },
    user: { id: 'YWRh', name: credentials.email, displayName: credentials.email },
    ...passkeyWait,
    pubKeyCredParams: [{ type: 'public-key', alg: -8 }],
    excludeCredentials: [],
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    attestation: 'none',
  },
  PasskeyList: { passkeys: [passkey] },
  PasskeyRequest: { rpId: 'mayfly.example', ...passkeyWait, userVerification: 'required' },
  PlannedFailure: { stage: 'rcpt', reply: '450 4.2.1', attempts: 2 },
  ProMailboxList: { mailboxes: [created] },
  ResetPassword: { token: LINK_TOKEN, password: credentials.password },
  ChangePassword: { currentPassword: credentials.password, password: 'battery staple' },
  Session: { session: { email: credentials.email, expiresAt: LATER } },
  SignedUp: { mailbox: { ...created, kept: true } },
  SiteConfig: {
    siteName: 'Mayfly',
    operatorName: 'Example Ltd',
    domains: ['mayfly.example'],
    lifetimeSeconds: 600,
    messageBytesMax: MESSAGE_BYTES_MAX,
    messagesMax: 100,
    supportEmail: 'support@mayfly.example',
    contactDays: 365,
    partnerUrl: 'https://www.privacyguides.org/',
    authenticatesMail: true,
    botCheck: { provider: 'pow' },
    build: { version: '0.1.0' },
  },
  PushKey: { publicKey: PUSH_KEY },
  PushSubscribed: { id: MAILBOX_ID },
  PushSubscription: { endpoint: 'https://fcm.googleapis.com/fcm/send/dZ1x', p256dh: PUSH_KEY, auth: 'BTBZMqHH6r4Tts7J_aSIgg' },
  SignIn: credentials,
  CreateWebhook: { url: webhook.url },
  WebhookCreated: { ...webhook, secret: 'whsec_K7gNU3sdo+OL0wNhqoVWhr3g6s1xYv72ol/pe/Unols=' },
  WebhookList: { webhooks: [webhook] },
  WebhookTested: { delivered: true, status: 204, reason: 'status_204' },
  SignInWithPasskey: { passkey: usedPasskey },
  SignUp: { ...credentials, language: 'en' },
  SignUpWithPasskey: { passkey: newPasskey, language: 'en' },
  StartPasskeySignUp: { email: credentials.email },
}

/** Values of path parameters and required query parameters in samples: their own, or those of an environment variable. */
const parameterValues: Readonly<Record<string, string>> = { index: '0', slug: views.slug, action: 'generate_email' }

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
