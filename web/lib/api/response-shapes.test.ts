/**
 * What the browser checks by hand, against the contract's own schemas: with every field, with the needed ones alone, without each, and with
 * each of another type.
 */
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import * as account from '#contract/account.ts'
import * as mail from '#contract/mailbox.ts'
import * as push from '#contract/notifications.ts'
import { problemSchema } from '#contract/route.ts'
import * as site from '#contract/site.ts'
import type { Shape } from '../shape.ts'
import * as pageReplies from './page-replies.ts'
import * as firstReplies from './response-shapes.ts'

const replies = { ...firstReplies, ...pageReplies }

const pairs: Record<string, [schema: z.ZodMiniType, shape: Shape<unknown>]> = {
  mailbox: [mail.mailboxSchema, replies.mailbox],
  mailboxCreated: [mail.mailboxCreatedSchema, replies.mailboxCreated],
  messageList: [mail.messageListSchema, replies.messageList],
  message: [mail.messageSchema, replies.message],
  attachmentLink: [z.partial(mail.attachmentLinkSchema), replies.attachmentLink],
  mailboxEvent: [mail.mailboxEventSchema, replies.mailboxEvent],
  streamEvent: [mail.streamEventSchema, replies.streamEvent],
  blogViewsList: [site.blogViewsListSchema, replies.blogViewsList],
  siteConfig: [z.omit(site.configReplySchema, { build: true }), replies.siteConfig],
  challenge: [site.challengeSchema, replies.challenge],
  session: [account.sessionSchema, replies.session],
  proMailboxes: [account.proMailboxesSchema, replies.proMailboxes],
  apiKeys: [account.apiKeysSchema, replies.apiKeys],
  apiKeyCreated: [account.apiKeyCreatedSchema, replies.apiKeyCreated],
  pushKey: [push.pushKeySchema, replies.pushKey],
  pushSubscribed: [push.pushSubscribedSchema, replies.pushSubscribed],
  problem: [problemSchema, replies.problem],
}

/** JSON Schema is the one description of a schema that a test may read without knowing the library's insides. */
type Described = {
  type?: string
  properties?: Record<string, Described>
  required?: string[]
  items?: Described
  enum?: unknown[]
  const?: unknown
  anyOf?: Described[]
  oneOf?: Described[]
}

/** Every alternative of a schema once, with all fields or only the needed ones. */
function samples(schema: Described, isWhole: boolean): unknown[] {
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives) return alternatives.flatMap(alternative => samples(alternative, isWhole))
  if (schema.const !== undefined) return [schema.const]
  if (schema.enum) return schema.enum
  if (schema.type === 'array') return [samples(schema.items ?? {}, isWhole).slice(0, 3)]
  if (schema.type === 'object') return objects(schema, isWhole)
  return [
    schema.type === 'number' || schema.type === 'integer' ? 1 : schema.type === 'boolean' ? true : schema.type === 'null' ? null : 'a@a',
  ]
}

function objects({ properties = {}, required = [] }: Described, isWhole: boolean): object[] {
  const keys = Object.keys(properties).filter(key => isWhole || required.includes(key))
  const choices = keys.map(key => samples(properties[key] ?? {}, isWhole))
  const count = Math.max(1, ...choices.map(choice => choice.length))
  return Array.from({ length: count }, (_, at) =>
    Object.fromEntries(keys.map((key, index) => [key, choices[index]?.[at % (choices[index]?.length ?? 1)]])),
  )
}

/** Each sample with one field left out, or of another type, at any depth. */
function* spoilt(value: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    const copy = (change: (copied: Record<string, unknown>) => void) => {
      const copied = structuredClone(value) as Record<string, unknown>
      change(copied)
      return copied
    }
    if (!Array.isArray(value)) yield copy(copied => delete copied[key])
    // The page checks that an address is text, not its characters: it shows no text as HTML.
    for (const wrong of [12, 'x@x', null, {}, []]) {
      yield copy(copied => {
        copied[key] = wrong
      })
    }
    for (const bad of spoilt(inner)) {
      yield copy(copied => {
        copied[key] = bad
      })
    }
  }
}

describe.each(Object.entries(pairs))('%s', (name, [schema, shape]) => {
  const described = z.toJSONSchema(schema, { io: 'output' }) as Described
  const whole = [...samples(described, true), ...samples(described, false)]

  test('is accepted as the contract defines it', () => {
    expect(whole.length).toBeGreaterThan(0)
    for (const sample of whole) {
      expect(z.safeParse(schema, sample).success, JSON.stringify(sample)).toBe(true)
      expect(shape(sample), JSON.stringify(sample)).toBe(true)
    }
  })

  test('is refused if the contract refuses it', () => {
    let refused = 0
    for (const sample of whole) {
      for (const bad of spoilt(sample)) {
        const isRight = z.safeParse(schema, bad).success
        // Of problems a newer server may have more than this page knows.
        if (name === 'problem' && !isRight && typeof (bad as { code?: unknown }).code === 'string') continue
        if (!isRight) refused++
        expect(shape(bad), JSON.stringify(bad)).toBe(isRight)
      }
    }
    expect(refused).toBeGreaterThan(0)
  })
})
