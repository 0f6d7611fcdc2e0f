/**
 * Leaves code out of the bundle that our client never runs: of the MCP SDK a validator for forms that a server may send to a person (Ajv),
 * schemas of zod 3, experimental tasks, values that contain themselves, generating JSON Schema, which happens here at build time, and
 * formats of text that no message has; of the manifest all but the version. Together they are larger than the rest of the package.
 */
import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'
import { type ToolName, toolInputs } from '../../client/mcp/schemas.ts'
import { toolSchemas } from '../../client/mcp/tool-schemas.ts'

const LEFT_OUT = [
  /@modelcontextprotocol\/sdk\/.*\/validation\/ajv-provider\.js$/,
  /@modelcontextprotocol\/sdk\/.*\/experimental\/tasks\/(?:server|helpers)\.js$/,
  /\/zod-to-json-schema\/dist\/esm\/index\.js$/,
  /\/zod\/v3\/index\.js$/,
  /\/zod\/v4\/core\/(?:to-json-schema|json-schema-processors|json-schema-generator)\.js$/,
]

/** Names used from the two modules that re-export others. */
const REEXPORTED = ['zodToJsonSchema', 'object']

/** Every schema of a text has a method for each format, and so would bring all of them along. */
const STRING_SCHEMA = /\/zod\/v4\/classic\/schemas\.js$/
const FORMATS_KEPT = new Set(['email', 'url'])
const FORMAT_METHOD = /^ {4}(\w+)\(params\) \{\n {8}return this\.check\((?:core\._|iso\.)\w+\([^\n]*\)\);\n {4}\},\n/gm

/** Values that contain themselves, which no message of JSON does. */
const WITHOUT_CYCLES = [
  'export class $ZodCyclicError extends Error {}',
  'export const isBackEdge = () => false',
  'export const isRecursiveSchema = () => false',
  'export const memoizer = () => undefined',
].join('\n')

const EXPORTED = /^export (?:async )?(?:const|class|function) (\w+)/gm

export function bundledSdk(): Plugin {
  return {
    name: 'bundled-sdk',
    enforce: 'pre',
    load(id) {
      if (id.endsWith('/client/mcp/tool-schemas.ts')) return writtenSchemas()
      if (id.endsWith('/client/package.json')) return JSON.stringify({ version: JSON.parse(readFileSync(id, 'utf8')).version })
      if (id.endsWith('/zod/v4/core/memoizer.js')) return WITHOUT_CYCLES
      if (STRING_SCHEMA.test(id)) return withoutFormats(readFileSync(id, 'utf8'))
      if (!LEFT_OUT.some(path => path.test(id))) return undefined
      const names = [...readFileSync(id, 'utf8').matchAll(EXPORTED)].map(match => match[1] ?? '')
      const missing = `export const missing = name => function () { throw new Error(name + ' is not bundled') }`
      return [missing, ...[...names, ...REEXPORTED].map(name => `export const ${name} = missing('${name}')`)].join('\n')
    },
  }
}

function withoutFormats(source: string): string {
  const shorter = source.replaceAll(FORMAT_METHOD, (method, name) => (FORMATS_KEPT.has(name) ? method : ''))
  if (shorter.includes('this.check(core._jwt(')) throw new Error('zod writes the formats of a text in another way: change FORMAT_METHOD')
  return shorter
}

function writtenSchemas(): string {
  const written = Object.fromEntries(Object.keys(toolInputs).map(name => [name, toolSchemas(name as ToolName)]))
  return `const written = ${JSON.stringify(written)}\nexport const toolSchemas = name => written[name]`
}
