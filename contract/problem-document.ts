/** What a refused request is answered with (RFC 9457). Apart from the codes, which threads that check nothing load too. */
import * as z from 'zod/mini'
import { type ProblemCode, problems } from './problems.ts'

export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  code: z.enum(Object.keys(problems) as [ProblemCode, ...ProblemCode[]]),
  detail: z.optional(z.string()),
  /** Whole seconds until a retry makes sense; the same number as the `Retry-After` header. */
  retryAfterSeconds: z.optional(z.number()),
  /** For `invalid_request`: which field, and why, in plain English. */
  errors: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
})
export type Problem = z.infer<typeof problemSchema>
