/**
 * Leaves code out of the bundle that our client never runs: of the MCP SDK a validator for forms that a server may send to a person (Ajv),
 * of zod the generation of JSON Schema, which happens here at build time, of the manifest all but the version.
 */
import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'
import { type ToolName, toolInputs } from '../../client/mcp/schemas.ts'
import { toolSchemas } from '../../client/mcp/tool-schemas.ts'

const SDK_VALIDATOR = '/@modelcontextprotocol/server/dist/shimsNode.mjs'
const WITHOUT_VALIDATOR = `export { default as process } from 'node:process'\nexport class DefaultJsonSchemaValidator {}`

const JSON_SCHEMA = /\/zod\/v4\/core\/(?:to-json-schema|json-schema-processors|json-schema-generator)\.js$/
const EXPORTED = /^export (?:async )?(?:const|class|function) (\w+)/gm

export function bundledSdk(): Plugin {
  return {
    name: 'bundled-sdk',
    enforce: 'pre',
    load(id) {
      if (id.endsWith('/client/mcp/tool-schemas.ts')) return writtenSchemas()
      if (id.endsWith('/client/package.json')) return JSON.stringify({ version: JSON.parse(readFileSync(id, 'utf8')).version })
      if (id.endsWith(SDK_VALIDATOR)) return WITHOUT_VALIDATOR
      return JSON_SCHEMA.test(id) ? withoutCode(readFileSync(id, 'utf8')) : undefined
    },
  }
}

/** The same names, as functions that say what is missing. */
function withoutCode(source: string): string {
  const missing = `const missing = name => function () { throw new Error(name + ' is not bundled') }`
  const names = [...source.matchAll(EXPORTED)].map(match => match[1] ?? '')
  return [missing, ...names.map(name => `export const ${name} = /*@__PURE__*/ missing('${name}')`)].join('\n')
}

function writtenSchemas(): string {
  const written = Object.fromEntries(Object.keys(toolInputs).map(name => [name, toolSchemas(name as ToolName)]))
  return `const written = ${JSON.stringify(written)}\nexport const toolSchemas = name => written[name]`
}
