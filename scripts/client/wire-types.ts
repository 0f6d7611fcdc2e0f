/** Writes the types of a contract module, comments included, as plain TypeScript for users of the client, who do not have zod. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'

const root = join(import.meta.dirname, '../..')

type JsonSchema = {
  readonly type?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
}

const INFERRED = /^export type (\w+) = z\.infer<typeof (\w+)>$/gm

/** `module`: a path from the repository's root, e.g. `contract/mailbox.ts`. `names`: the types to write. */
export async function wireTypes(module: string, names: ReadonlySet<string>): Promise<string> {
  const source = readFileSync(join(root, module), 'utf8')
  const exported: Readonly<Record<string, unknown>> = await import(join(root, module))
  const types = [...source.matchAll(INFERRED)].flatMap(([, name = '', schemaName = '']) => {
    if (!names.has(name)) return []
    const schema = exported[schemaName]
    if (!isSchema(schema)) throw new Error(`${module} does not export ${schemaName}, from which it infers ${name}`)
    const json = z.toJSONSchema(schema, { io: 'output' }) as JsonSchema
    return [`${readComment(source, schemaName)}export type ${name} = ${print(json, fieldComments(source, schemaName), '')}\n`]
  })
  if (isRecord(exported.problems))
    types.unshift(
      `export type ProblemCode =\n${Object.keys(exported.problems)
        .map(code => `  | '${code}'`)
        .join('\n')}\n`,
    )
  return types.join('\n')
}

const isSchema = (value: unknown): value is z.ZodMiniType => isRecord(value) && '_zod' in value
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null

/** The one-line comment above a schema, with its line break. */
function readComment(source: string, schemaName: string): string {
  return new RegExp(`((?:^/\\*\\*[^\\n]*\\*/\\n)?)^(?:export )?const ${schemaName} =`, 'm').exec(source)?.[1] ?? ''
}

/** One-line comments above the fields of a schema and of its parts. */
function fieldComments(source: string, schemaName: string): Map<string, string> {
  const definition = new RegExp(`^(?:export )?const ${schemaName} =[\\s\\S]*?(?=^(?:export|const|/\\*\\*) )`, 'm').exec(source)?.[0] ?? ''
  const comments = new Map<string, string>()
  for (const [name] of definition.matchAll(/\b\w+Schema\b/g)) {
    if (name !== schemaName) for (const [field, comment] of fieldComments(source, name)) comments.set(field, comment)
  }
  for (const [, comment = '', field = ''] of definition.matchAll(/^\s+(\/\*\* .* \*\/)\n\s+(\w+): /gm)) comments.set(field, comment)
  return comments
}

function print(schema: JsonSchema, comments: ReadonlyMap<string, string>, indent: string): string {
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives) return alternatives.map(each => print(each, comments, indent)).join(' | ')
  if (schema.enum) return schema.enum.map(value => JSON.stringify(value)).join(' | ')
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.type === 'array' && schema.items) return `Array<${print(schema.items, comments, indent)}>`
  if (schema.type === 'object') return printObject(schema, comments, indent)
  if (schema.type === 'integer') return 'number'
  if (schema.type === 'string' || schema.type === 'number' || schema.type === 'boolean') return schema.type
  throw new Error(`no type for ${JSON.stringify(schema)}`)
}

function printObject({ properties = {}, required = [] }: JsonSchema, comments: ReadonlyMap<string, string>, indent: string): string {
  const inner = `${indent}  `
  const fields = Object.entries(properties).map(([name, schema]) => {
    const comment = comments.get(name)
    const type = print(schema, comments, inner)
    const field = required.includes(name) ? `${name}: ${type}` : `${name}?: ${type} | undefined`
    return `${comment === undefined ? '' : `${inner}${comment}\n`}${inner}${field}\n`
  })
  return `{\n${fields.join('')}${indent}}`
}
