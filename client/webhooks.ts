/** Webhooks of an API key, an API token or one mailbox, and the check of the requests that they send. */
import * as z from 'zod/mini'
import {
  createMailboxWebhook,
  createWebhook,
  listMailboxWebhooks,
  listWebhooks,
  removeMailboxWebhook,
  removeWebhook,
  rotateMailboxWebhook,
  rotateWebhook,
  testMailboxWebhook,
  testWebhook,
  type Webhook,
  type WebhookCreated,
  type WebhookEventBody,
  type WebhookTested,
  webhookEventSchema,
} from '../contract/notifications.ts'
import { type Api, patiently } from './api.ts'
import { checkId, checkText } from './check-options.ts'
import { ignoring, MayflyError } from './errors.ts'

const ROUTES = {
  key: { create: createWebhook, list: listWebhooks, remove: removeWebhook, test: testWebhook, rotate: rotateWebhook },
  mailbox: {
    create: createMailboxWebhook,
    list: listMailboxWebhooks,
    remove: removeMailboxWebhook,
    test: testMailboxWebhook,
    rotate: rotateMailboxWebhook,
  },
} as const

/** A creation, test or rotation is not tried again: a lost response may have had its effect. */
export class Webhooks {
  readonly #api: Api
  readonly #token: string | undefined
  readonly #routes: (typeof ROUTES)['key' | 'mailbox']

  /** @internal */
  constructor(api: Api, token: string | undefined, of: 'key' | 'mailbox') {
    this.#api = api
    this.#token = token
    this.#routes = ROUTES[of]
  }

  /** Only its result has the `secret` that `verifyWebhook` needs. */
  create(url: string): Promise<WebhookCreated> {
    checkText('webhooks.create', 'url', url)
    return this.#api.call(this.#routes.create, { body: { url }, token: this.#token })
  }

  async list(): Promise<Webhook[]> {
    return (await patiently({}, limits => this.#api.call(this.#routes.list, { token: this.#token, ...limits }))).webhooks
  }

  /** No error if it is already gone. */
  async delete(id: string): Promise<void> {
    const call = this.#of('delete', id)
    await ignoring(
      'not_found',
      patiently({}, limits => this.#api.send(this.#routes.remove, { ...call, ...limits })),
    )
  }

  /** Sends an event of the type `webhook.test` at once. */
  test(id: string): Promise<WebhookTested> {
    return this.#api.call(this.#routes.test, this.#of('test', id))
  }

  /** A new secret. For 24 hours requests are signed with the old one too. */
  rotate(id: string): Promise<WebhookCreated> {
    return this.#api.call(this.#routes.rotate, this.#of('rotate', id))
  }

  #of(call: string, id: string) {
    checkId(`webhooks.${call}`, id)
    return { params: { id }, token: this.#token }
  }
}

export type WebhookEvent = WebhookEventBody & {
  /** The same for every attempt to deliver this event. */
  readonly id: string
}

/** Takes the headers of Fetch, or of a request of Node. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

const AGE_SECONDS_MAX = 300
/** standardwebhooks.com asks for at least that many bytes. */
const KEY_BYTES_MIN = 24

/**
 * Checks signature and age of a request that a webhook sent, and parses it. `body`: the bytes as they came, as text. Throws `MayflyError`
 * `webhook_invalid`. See standardwebhooks.com.
 */
export async function verifyWebhook(secret: string, { headers, body }: { headers: WebhookHeaders; body: string }): Promise<WebhookEvent> {
  const given = headers instanceof Headers ? [...headers] : Object.entries(headers)
  const header = (wanted: string) => String(given.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '')
  const [id, timestamp] = [header('webhook-id'), header('webhook-timestamp')]
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp || Number.NaN)) <= AGE_SECONDS_MAX))
    throw invalid('its time is not of the last five minutes')
  const key = decode(String(secret).replace('whsec_', ''))
  if (key.length < KEY_BYTES_MIN) throw invalid('the secret to check it with is none of a webhook (whsec_…)')
  const hmac = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  for (const signature of header('webhook-signature').split(' ')) {
    if (signature.startsWith('v1,') && (await crypto.subtle.verify('HMAC', hmac, decode(signature.slice(3)), signed))) {
      const event = z.safeParse(webhookEventSchema, parseJson(body))
      if (!event.success) throw invalid('its body is no event of Mayfly')
      return { id, ...event.data }
    }
  }
  throw invalid('its signature was made with another secret')
}

/** `undefined` for what is no JSON, which is no event either. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Nothing for what is no base64: it then verifies nothing. */
function decode(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), character => character.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}

const invalid = (reason: string) => new MayflyError('webhook_invalid', `This is no request of the webhook: ${reason}`)
