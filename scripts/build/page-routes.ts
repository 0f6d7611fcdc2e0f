/**
 * Vite plugin: writes the routes that pages call as plain objects with checks of web/lib/shape.ts, so that browsers load neither the
 * contract nor zod. Without it they would work too, and load both.
 */
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import type * as pageRoute from '#web/lib/api/page-route.ts'
import type { Shape } from '#web/lib/shape.ts'

const LIB = join(resolve(import.meta.dirname, '../..'), 'web/lib')
/** Imported like the routes, which fill its `schemas`: Vite bundles its configuration, and what that imports is another instance. */
const PAGE_ROUTE = pathToFileURL(join(LIB, 'api/page-route.ts')).href

type Exported = Shape<unknown> | (pageRoute.PageRoute & Partial<pageRoute.Replying<unknown>>)

export const pageRoutes: Plugin = {
  name: 'mayfly:page-routes',
  enforce: 'pre',
  load: {
    filter: { id: /\/web\/lib\/api\/\w+-routes\.ts$/ },
    handler: async id => ({ code: await printRoutes(await import(pathToFileURL(id).href), '../shape.ts'), moduleType: 'js', map: null }),
  },
}

/** `shapes`: the specifier by which the printed module imports web/lib/shape.ts. */
export async function printRoutes(exported: Readonly<Record<string, Exported>>, shapes: string): Promise<string> {
  const print = printer(await import(PAGE_ROUTE))
  const lines = Object.entries(exported).map(([name, value]) => `export const ${name} = ${printExport(value, print.shape)}`)
  return [`import * as is from ${JSON.stringify(shapes)}`, ...print.parts, ...lines].join('\n')
}

function printExport(value: Exported, printShape: (shape: Shape<unknown>) => string): string {
  if (typeof value === 'function') return printShape(value)
  const { method, path, isStream, needsSession, reply } = value
  const fields = [`path: ${JSON.stringify(path)}`]
  if (method !== 'GET') fields.push(`method: ${JSON.stringify(method)}`)
  if (isStream) fields.push('isStream: true')
  if (needsSession) fields.push('needsSession: true')
  if (reply) fields.push(`reply: ${printShape(reply)}`)
  return `{ ${fields.join(', ')} }`
}

/** `parts` collects what shapes are made of, each once. */
function printer({ derive, schemas }: typeof pageRoute) {
  const names = new Map<string, string>()
  const parts: string[] = []
  const part = (code: string) => {
    const known = names.get(code)
    if (known !== undefined) return known
    const name = `part${parts.length}`
    parts.push(`const ${name} = ${code}`)
    names.set(code, name)
    return name
  }
  const shapes: Parameters<typeof pageRoute.derive<string>>[1] = {
    text: 'is.text',
    number: 'is.number',
    flag: 'is.flag',
    object: fields => part(`is.object({ ${Object.entries(fields).map(([name, shape]) => `${JSON.stringify(name)}: ${shape}`)} })`),
    list: item => `is.list(${item})`,
    record: item => `is.record(${item})`,
    optional: inner => `is.optional(${inner})`,
    orNull: inner => `is.orNull(${inner})`,
    oneOf: (...values) => part(`is.oneOf(${values.map(value => JSON.stringify(value))})`),
    either: (...alternatives) => part(`is.either(${alternatives})`),
  }
  const shape = (of: Shape<unknown>) => {
    const schema = schemas.get(of)
    if (!schema) throw new Error('A shape that shapeOf did not make')
    return derive(schema, shapes)
  }
  return { parts, shape }
}
