/**
 * Routes of the contract as pages call them. The contract's schemas need zod, which is too large for a first visit, so replies are checked
 * by ../shape.ts, with checks that are derived from the schemas. Browsers load the derived checks alone (scripts/build/page-routes.ts).
 */
import type * as z from 'zod/mini'
import type { Route } from '#contract/route.ts'
import { either, flag, list, number, object, oneOf, optional, orNull, record, type Shape, text } from '../shape.ts'

export type PageRoute<R extends Route = Route> = {
  /** The built site leaves out `GET`, which `fetch` uses without one. */
  readonly method?: R['method']
  readonly path: R['path']
  /** The response is read as it comes, for as long as that takes. */
  readonly isStream?: boolean
  /** The server refuses it without a session. */
  readonly needsSession?: boolean
  /** Tells the compiler what the route takes. Browsers do not get it. */
  readonly contract?: R
}
export type Replying<T> = { readonly reply: Shape<T> }

export function pageRoute<const R extends Route, S extends z.ZodMiniType>(route: R & { response: S }): PageRoute<R> & Replying<z.output<S>>
export function pageRoute<const R extends Route>(route: R): PageRoute<R>
export function pageRoute(contract: Route): PageRoute & Partial<Replying<unknown>> {
  const { method, path, response, auth } = contract
  const needsSession = auth === 'session' || auth === 'operator'
  if (typeof response === 'object') return { method, path, contract, needsSession, reply: shapeOf(response) }
  return { method, path, contract, needsSession, isStream: response !== undefined }
}

/** What a shape was derived from, for the build. */
export const schemas = new WeakMap<Shape<unknown>, z.ZodMiniType>()

export function shapeOf<S extends z.ZodMiniType>(schema: S): Shape<z.output<S>> {
  const derived = derive<Shape<unknown>>(schema, { text, number, flag, object, list, record, optional, orNull, oneOf, either })
  const shape: Shape<z.output<S>> = (value): value is z.output<S> => derived(value)
  schemas.set(shape, schema)
  return shape
}

/** The functions of ../shape.ts, or others that take the same: the build has some that print. */
type Shapes<T> = {
  readonly text: T
  readonly number: T
  readonly flag: T
  object(fields: Readonly<Record<string, T>>): T
  list(item: T): T
  record(item: T): T
  optional(inner: T): T
  orNull(inner: T): T
  oneOf(...values: string[]): T
  either(...alternatives: T[]): T
}

/** Checks types and fields. Patterns and ranges are for what the server receives: a page shows no text as HTML. */
export function derive<T>(schema: z.core.$ZodType, shapes: Shapes<T>): T {
  const of = (inner: z.core.$ZodType) => derive(inner, shapes)
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'string':
      return shapes.text
    case 'number':
      return shapes.number
    case 'boolean':
      return shapes.flag
    case 'array':
      return shapes.list(of(def.element))
    case 'object':
      return shapes.object(Object.fromEntries(Object.entries(def.shape).map(([name, field]) => [name, of(field)])))
    case 'record':
      return shapes.record(of(def.valueType))
    // Only what is stored may lack it.
    case 'default':
      return of(def.innerType)
    case 'optional':
      return shapes.optional(of(def.innerType))
    case 'nullable':
      return shapes.orNull(of(def.innerType))
    case 'enum':
      return shapes.oneOf(...Object.values(def.entries).map(String))
    case 'literal':
      return shapes.oneOf(...def.values.map(String))
    case 'union':
      return shapes.either(...def.options.map(of))
    default:
      throw new Error(`Pages cannot check a reply with ${def.type}`)
  }
}
