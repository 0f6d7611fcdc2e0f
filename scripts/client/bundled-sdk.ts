/**
 * Leaves code out of the bundle that our client never runs: of the MCP SDK a validator for forms that a server may send to a person (Ajv),
 * schemas of zod 3, experimental tasks, values that contain themselves, generating JSON Schema, which happens here at build time, and
 * methods of schemas that nobody calls, requests to an agent, tasks, and code that zod writes at run time, which pages with a CSP refuse;
 * of the manifest all but the version. Together they are larger than the rest of the package.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { type ToolName, toolInputs } from '../../client/mcp/schemas.ts'
import { toolSchemas } from '../../client/mcp/tool-schemas.ts'

const root = join(import.meta.dirname, '../..')

const LEFT_OUT = [
  /@modelcontextprotocol\/sdk\/.*\/validation\/ajv-provider\.js$/,
  /@modelcontextprotocol\/sdk\/.*\/experimental\/tasks\/(?:server|helpers)\.js$/,
  /\/zod-to-json-schema\/dist\/esm\/index\.js$/,
  /\/zod\/v3\/index\.js$/,
  /\/zod\/v4\/core\/(?:to-json-schema|json-schema-processors|json-schema-generator)\.js$/,
]

/** Names used from the two modules that re-export others. */
const REEXPORTED = ['zodToJsonSchema', 'object']

/** Every schema has each method of its kind, and so would bring all of zod along. */
const CLASSIC_SCHEMAS = /\/zod\/v4\/classic\/schemas\.js$/
const SCHEMA_METHOD = /^ {4}(?:async )?(\w+)(?:\(|: (?:async )?function )[^\n]*\{\n[\s\S]*?^ {4}\},\n/gm
/** Writes the JSON Schema of a kind of schema, which happens at build time. */
const JSON_SCHEMA = /^ {4}inst\._zod\.processJSONSchema = .*;\n/gm
/** Where the SDK calls some of them. */
const SDK_MODULES = ['types.js', 'server/index.js', 'server/stdio.js', 'server/zod-compat.js', 'shared/protocol.js', 'shared/stdio.js']

/** Of these names the SDK calls only methods of arrays, strings and promises, or in schemas that are not used. */
const OF_OTHERS = ['url', 'datetime', 'includes', 'startsWith', 'catch']

/** Values that contain themselves, which no message of JSON does. */
const WITHOUT_CYCLES = [
  'export class $ZodCyclicError extends Error {}',
  'export const isBackEdge = () => false',
  'export const isRecursiveSchema = () => false',
  'export const memoizer = () => undefined',
].join('\n')

const SDK_CLASS = /@modelcontextprotocol\/sdk\/dist\/esm\/(?:server\/index|shared\/protocol)\.js$/

/** Methods of the SDK with which a server asks its agent, changes while it runs, or has tasks: this server only answers. */
const METHODS_LEFT_OUT =
  'ping createMessage elicitInput createElicitationCompletionNotifier listRoots sendLoggingMessage sendResourceUpdated ' +
  'sendResourceListChanged sendToolListChanged sendPromptListChanged requestStream request getTask getTaskResult listTasks cancelTask ' +
  'removeRequestHandler removeNotificationHandler assertCanSetRequestHandler registerCapabilities getClientVersion getClientCapabilities ' +
  'assertCapabilityForMethod assertTaskCapability _setupTimeout _resetTimeout _enqueueTaskMessage _clearTaskQueue _waitForTaskUpdate requestTaskStore'

/** The messages of the protocol: without a mark each schema that extends another stays, used or not. */
const SDK_MESSAGES = /@modelcontextprotocol\/sdk\/dist\/esm\/types\.js$/
const MESSAGE_SCHEMA = /^((?:export )?const \w+Schema = )([\s\S]*?);\n(?=[^\s})])/gm

/** What a server may ask an agent for. This one asks nothing, and nothing else needs these two kinds of schemas. */
const ELICITATION = /ElicitationCapabilitySchema = z\.preprocess\([\s\S]*?\n\}, [\s\S]*?\)\);\n/

const EXPORTED = /^export (?:async )?(?:const|class|function) (\w+)/gm

export function bundledSdk(): Plugin {
  return {
    name: 'bundled-sdk',
    enforce: 'pre',
    load(id) {
      if (id.endsWith('/client/mcp/tool-schemas.ts')) return writtenSchemas()
      if (id.endsWith('/client/package.json')) return JSON.stringify({ version: JSON.parse(readFileSync(id, 'utf8')).version })
      if (id.endsWith('/zod/v4/core/memoizer.js')) return WITHOUT_CYCLES
      if (CLASSIC_SCHEMAS.test(id)) return withoutUnused(readFileSync(id, 'utf8'))
      if (SDK_MESSAGES.test(id))
        return readFileSync(id, 'utf8')
          .replace(ELICITATION, 'ElicitationCapabilitySchema = z.unknown();\n')
          .replaceAll(MESSAGE_SCHEMA, '$1/*@__PURE__*/ (() => $2)();\n')
      if (SDK_CLASS.test(id)) return withoutRequests(readFileSync(id, 'utf8'))
      if (!LEFT_OUT.some(path => path.test(id))) return undefined
      const names = [...readFileSync(id, 'utf8').matchAll(EXPORTED)].map(match => match[1] ?? '')
      const missing = `export const missing = name => function () { throw new Error(name + ' is not bundled') }`
      return [missing, ...[...names, ...REEXPORTED].map(name => `export const ${name} = /*@__PURE__*/ missing('${name}')`)].join('\n')
    },
  }
}

function withoutUnused(source: string): string {
  const sdk = SDK_MODULES.map(name => readFileSync(join(root, 'node_modules/@modelcontextprotocol/sdk/dist/esm', name), 'utf8')).join('\n')
  const called = new Set([...sdk.matchAll(/\.(\w+)\(/g), ...source.matchAll(/\b(?:this|inst)\.(\w+)\(/g)].map(match => match[1] ?? ''))
  for (const name of OF_OTHERS) called.delete(name)
  const shorter = source.replaceAll(JSON_SCHEMA, '').replaceAll(SCHEMA_METHOD, (method, name) => (called.has(name) ? method : ''))
  if (shorter.includes('this.check(core._jwt(')) throw new Error('zod writes its methods in another way: change SCHEMA_METHOD')
  return shorter.replaceAll('core.$ZodObjectJIT', 'core.$ZodObject')
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
