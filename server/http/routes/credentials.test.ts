/** No token, key, id or secret opens what another kind is for, with whatever prefix and in whatever case it is sent. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { apiKeyCreatedSchema } from '#contract/account.ts'
import { attachmentLinkSchema, mailboxCreatedSchema } from '#contract/mailbox.ts'
import { webhookCreatedSchema } from '#contract/notifications.ts'
import { pathTo } from '#contract/path-to.ts'
import { routes } from '#contract/routes.ts'
import { createApiToken } from '#server/accounts/api-credentials.ts'
import type { Answer } from '#test/harness/clients/visitor.ts'
import { bearer, startTestServer } from '#test/harness/mayfly/start-test-server.ts'
import { untilEnd } from '#test/harness/until-end.ts'

const PREFIXES = ['mfk_', 'mft_', 'whsec_', 'msg_', 'v1,', 'Bearer ', 'null', '----', '____'] as const
const { token: apiToken, sha256 } = createApiToken()

type Kind = 'mailbox token' | 'API key' | 'API token' | 'webhook' | 'webhook secret' | 'mailbox' | 'message' | 'download'

const server = await untilEnd(startTestServer({ env: { API_TOKENS: `ci:${sha256}`, WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' } }))
const pro = await server.signedIn('ada@sender.test')
const { key } = parsed(apiKeyCreatedSchema, await pro.post(routes.accountApiKeys, { name: 'a key' }))
const byKey = server.visitor(bearer(key))
const mailbox = parsed(mailboxCreatedSchema, await byKey.post(routes.mailboxes, {}))
const webhook = parsed(webhookCreatedSchema, await byKey.post(routes.webhooks, { url: 'http://127.0.0.1:1/' }))
await server.deliver(mailbox.email)
const message = await server.firstId(mailbox.token)
const owner = server.visitor(bearer(mailbox.token))
const link = parsed(attachmentLinkSchema, await owner.post(pathTo(routes.attachmentLink, { id: message, index: '0' })))
const values = new Map<Kind, string>([
  ['mailbox token', mailbox.token],
  ['API key', key],
  ['API token', apiToken],
  ['webhook', webhook.id],
  ['webhook secret', webhook.secret],
  ['mailbox', mailbox.id ?? ''],
  ['message', message],
  ['download', link.url.split('/').at(-1) ?? ''],
])

function parsed<Value>(schema: { parse(value: unknown): Value }, { status, text }: Answer): Value {
  expect(status, text).toBeOneOf([200, 201])
  return schema.parse(JSON.parse(text))
}

const valueFor = (kind: Kind) => values.get(kind) ?? expect.fail(`no ${kind}`)
const asked = (path: string, credential: string, method = 'GET') => fetch(server.url(path), { method, headers: bearer(credential) })
const named = (id: string) => encodeURIComponent(id)

/** Where each kind opens something, and which kinds do. Nothing is changed by the right one. */
const DOORS: readonly { readonly opens: readonly Kind[]; readonly ask: (value: string) => Promise<Response> }[] = [
  { opens: ['mailbox token'], ask: value => asked(routes.mailbox, value) },
  { opens: ['API key', 'API token'], ask: value => asked(routes.mailboxes, value) },
  { opens: ['message'], ask: value => asked(`/api/mailbox/messages/${named(value)}`, valueFor('mailbox token')) },
  { opens: ['webhook'], ask: value => asked(`/api/webhooks/${named(value)}/rotate`, valueFor('API key'), 'POST') },
  { opens: ['download'], ask: value => fetch(server.url(`/api/attachments/${named(value)}`)) },
]

/** Each letter in upper or lower case, as `bits` has it. */
const recased = (text: string, bits: number) =>
  [...text].map((letter, i) => ((bits >> (i % 30)) & 1 ? letter.toUpperCase() : letter.toLowerCase())).join('')

test('each opens its own door and no other', async () => {
  for (const door of DOORS) for (const [kind, value] of values) expect((await door.ask(value)).ok, kind).toBe(door.opens.includes(kind))
})

test('with another prefix, another case, or the prefix of another kind it opens nothing', async () => {
  const kinds = fc.constantFrom<Kind>(
    'mailbox token',
    'API key',
    'API token',
    'webhook',
    'webhook secret',
    'mailbox',
    'message',
    'download',
  )
  const disguise = fc.record({
    kind: kinds,
    prefix: fc.constantFrom(...PREFIXES),
    bits: fc.nat(),
    how: fc.constantFrom('before', 'instead', 'case', 'padded'),
    door: fc.constantFrom(...DOORS),
  })
  const right = new Set(values.values())
  await fc.assert(
    fc.asyncProperty(disguise, async ({ kind, prefix, bits, how, door }) => {
      const value = valueFor(kind)
      const written = recased(prefix, bits)
      const sent = {
        before: written + value,
        instead: written + value.replace(/^(?:mf[kt]_|whsec_)/, '').slice(bits % 5),
        case: recased(value.slice(0, 6), bits) + value.slice(6),
        // As long as a mailbox token, and as an API key.
        padded: (written + value.replace(/[^\w-]/g, '')).padEnd(64, 'A').slice(0, bits % 2 ? 64 : 47),
      }[how]
      fc.pre(!right.has(sent))
      // A key may rotate sixty webhooks a minute.
      server.advance(1000)
      const reply = await door.ask(sent)
      expect(reply.status, sent).toBeOneOf([400, 401, 404])
      await reply.body?.cancel()
    }),
    { numRuns: 300 },
  )
})
