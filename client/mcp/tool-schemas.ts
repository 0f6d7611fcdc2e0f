/** The tools' schemas as JSON Schema. In the npm package they are already written out: scripts/client/bundled-sdk.ts. */
import type { Tool } from '@modelcontextprotocol/server'
import * as z from 'zod/mini'
import { type ToolName, toolInputs, toolOutputs } from './schemas.ts'

/** JSON Schema of a tool, as the protocol wants it. */
export function toolSchemas(name: ToolName): { inputSchema: JsonSchema; outputSchema: JsonSchema } {
  return { inputSchema: jsonSchema(toolInputs[name], 'input'), outputSchema: jsonSchema(toolOutputs[name], 'output') }
}

type JsonSchema = Tool['inputSchema']

function jsonSchema(schema: z.ZodMiniType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, target: 'draft-7' })
  return json as JsonSchema
}
