/** The body of every error response (RFC 9457). In a file of its own because worker threads load the problem codes without it. */
import * as z from 'zod/mini'
import { type ProblemCode, problems } from './problems.ts'

export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  code: z.enum(Object.keys(problems) as [ProblemCode, ...ProblemCode[]]),
  detail: z.optional(z.string()),
  /** Whole seconds until a retry makes sense; the same as the `Retry-After` header. */
  retryAfterSeconds: z.optional(z.number()),
  /** With `invalid_request`: which fields are wrong and why, in plain English. */
  errors: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
})
export type Problem = z.infer<typeof problemSchema>
