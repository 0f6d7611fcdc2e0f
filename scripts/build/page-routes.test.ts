/**
 * What browsers get of the contract, against its schemas: each reply with every field, with the needed ones alone, without each, and with
 * each of another type.
 */
import { join, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { type PageRoute, type Replying, schemas } from '#web/lib/api/page-route.ts'
import type { Shape } from '#web/lib/shape.ts'
import { printRoutes } from './page-routes.ts'

const LIB = join(resolve(import.meta.dirname, '../..'), 'web/lib')
const SUBJECTS = ['account', 'mailbox', 'message', 'operator', 'site'] as const

type Exported = Shape<unknown> | (PageRoute & Partial<Replying<unknown>>)
type Routes = Readonly<Record<string, Exported>>

/** As a browser runs it. */
async function printed(routes: Routes): Promise<Routes> {
  const code = await printRoutes(routes, `file://${join(LIB, 'shape.ts')}`)
  return await import(`data:text/javascript,${encodeURIComponent(code)}`)
}

const shapeIn = (exported: Exported | undefined) => (typeof exported === 'function' ? exported : exported?.reply)

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

/** Long enough, and of every pattern that a reply has: pages check that a text is one. */
const TEXT = 'someone@somewhere.test'
const OTHER_TEXT = 'another@somewhere.test'

/** Every alternative of a schema once, with all fields or only the needed ones. */
function samples(schema: Described, isWhole: boolean): unknown[] {
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives) return alternatives.flatMap(alternative => samples(alternative, isWhole))
  if (schema.const !== undefined) return [schema.const]
  if (schema.enum) return schema.enum
  if (schema.type === 'array') return [samples(schema.items ?? {}, isWhole).slice(0, 3)]
  if (schema.type === 'object') return objects(schema, isWhole)
  return [
    schema.type === 'number' || schema.type === 'integer' ? 1 : schema.type === 'boolean' ? true : schema.type === 'null' ? null : TEXT,
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
    for (const wrong of [12, OTHER_TEXT, null, {}, []]) {
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

describe.each(SUBJECTS)('the routes of %s', async subject => {
  const source: Routes = await import(join(LIB, `api/${subject}-routes.ts`))
  const built = await printed(source)

  test('have the method and path of the contract', () => {
    expect(Object.keys(built).sort()).toEqual(Object.keys(source).sort())
    for (const [name, route] of Object.entries(source)) {
      if (typeof route === 'function') continue
      const { method = 'GET', path, isStream = false } = built[name] as PageRoute
      expect({ method, path, isStream }, name).toEqual({
        method: route.contract?.method,
        path: route.contract?.path,
        isStream: typeof route.contract?.response === 'string',
      })
    }
  })

  describe.each(Object.entries(source).filter(([, exported]) => shapeIn(exported)))('%s', (name, exported) => {
    const derivedFrom = shapeIn(exported)
    const shape = shapeIn(built[name])
    const schema = derivedFrom && schemas.get(derivedFrom)
    if (!shape || !schema) throw new Error(`${name} has no check`)
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
          // What zod fills in is missing.
          const isRight = isDeepStrictEqual(z.safeParse(schema, bad).data, bad)
          if (!isRight) refused++
          expect(shape(bad), JSON.stringify(bad)).toBe(isRight)
        }
      }
      expect(refused).toBeGreaterThan(0)
    })
  })
})
