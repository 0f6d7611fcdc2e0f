/**
 * Leaves code out of the bundle that our client never runs: of the MCP SDK a validator for forms that a server may send to a person (Ajv),
 * schemas of zod 3, experimental tasks, values that contain themselves, generating JSON Schema, which happens here at build time, and
 * formats of text that no message has, requests to an agent, tasks, and code that zod writes at run time, which pages with a CSP refuse;
 * of the manifest all but the version. Together they are larger than the rest of the package.
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

const SDK_CLASS = /@modelcontextprotocol\/sdk\/dist\/esm\/(?:server\/index|shared\/protocol)\.js$/

/** Methods of the SDK with which a server asks its agent, and those of tasks: this server only answers. */
const METHODS_LEFT_OUT =
  'ping createMessage elicitInput createElicitationCompletionNotifier listRoots sendLoggingMessage sendResourceUpdated ' +
  'sendResourceListChanged sendToolListChanged sendPromptListChanged requestStream request getTask getTaskResult listTasks cancelTask ' +
  '_enqueueTaskMessage _clearTaskQueue _waitForTaskUpdate requestTaskStore'

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
      if (SDK_CLASS.test(id)) return withoutRequests(readFileSync(id, 'utf8'))
      if (!LEFT_OUT.some(path => path.test(id))) return undefined
      const names = [...readFileSync(id, 'utf8').matchAll(EXPORTED)].map(match => match[1] ?? '')
      const missing = `export const missing = name => function () { throw new Error(name + ' is not bundled') }`
      return [missing, ...[...names, ...REEXPORTED].map(name => `export const ${name} = missing('${name}')`)].join('\n')
    },
  }
}

function withoutFormats(source: string): string {
  const interpreted = source.replaceAll('core.$ZodObjectJIT', 'core.$ZodObject')
  const shorter = interpreted.replaceAll(FORMAT_METHOD, (method, name) => (FORMATS_KEPT.has(name) ? method : ''))
  if (shorter.includes('this.check(core._jwt(')) throw new Error('zod writes the formats of a text in another way: change FORMAT_METHOD')
  return shorter
}

function withoutRequests(source: string): string {
  const names = METHODS_LEFT_OUT.split(' ').join('|')
  const method = new RegExp(`^ {4}(?:async )?\\*?(?:${names})\\([^\\n]*\\{\\n[\\s\\S]*?^ {4}\\}\\n`, 'gm')
  // Without a store there are no tasks, and the minifier drops what depends on one.
  return source
    .replaceAll(method, '')
    .replaceAll(/^ +this\.(?:_taskStore|_taskMessageQueue) = .*\n/gm, '')
    .replaceAll(/\bthis\.(?:_taskStore|_taskMessageQueue)\b/g, 'undefined')
}

function writtenSchemas(): string {
  const written = Object.fromEntries(Object.keys(toolInputs).map(name => [name, toolSchemas(name as ToolName)]))
  return `const written = ${JSON.stringify(written)}\nexport const toolSchemas = name => written[name]`
}
