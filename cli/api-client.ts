/** Calls the HTTP API from outside, and parses responses by the schemas of contract/. */
import * as z from 'zod/mini'
import {
  attachmentLinkSchema,
  type MailboxCreated,
  type Message,
  type MessageSummary,
  mailboxCreatedSchema,
  messageListSchema,
  messageSchema,
} from '#contract/mailbox.ts'
import { pathTo, routes } from '#contract/routes.ts'

export class ApiClient {
  readonly #site: string
  #token = ''

  /** `site`: e.g. http://127.0.0.1:8080, without a trailing slash. */
  constructor(site: string) {
    this.#site = site
  }

  /** A new anonymous mailbox; later calls use it. */
  async createMailbox(): Promise<MailboxCreated> {
    const created = mailboxCreatedSchema.parse(await this.#json('POST', routes.mailboxes, '{}'))
    this.#token = created.token
    return created
  }

  async listMessages(): Promise<MessageSummary[]> {
    return messageListSchema.parse(await this.#json('GET', routes.messages)).messages
  }

  async readMessage(id: string): Promise<Message> {
    return messageSchema.parse(await this.#json('GET', pathTo(routes.message, { id })))
  }

  async readRaw(id: string): Promise<Buffer> {
    return await this.#bytes(pathTo(routes.raw, { id }))
  }

  async removeMessage(id: string): Promise<void> {
    await this.#call('DELETE', pathTo(routes.message, { id }))
  }

  /** As browsers download it: by a link that works for a minute and contains no token. */
  async readAttachment(id: string, index: number): Promise<Buffer> {
    const link = attachmentLinkSchema.parse(await this.#json('POST', pathTo(routes.attachmentLink, { id, index })))
    return await this.#bytes(new URL(link.url, this.#site).pathname)
  }

  async #json(method: string, path: string, body?: string): Promise<unknown> {
    const response = await this.#call(method, path, body)
    return z.unknown().parse(await response.json())
  }

  async #bytes(path: string): Promise<Buffer> {
    return Buffer.from(await (await this.#call('GET', path)).arrayBuffer())
  }

  async #call(method: string, path: string, body?: string): Promise<Response> {
    const response = await fetch(this.#site + path, {
      method,
      headers: {
        ...(this.#token && { authorization: `Bearer ${this.#token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body }),
    })
    if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${(await response.text()).slice(0, 300)}`)
    return response
  }
}
