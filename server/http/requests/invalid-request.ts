import type * as z from 'zod/mini'
import type { Problem } from '#contract/route.ts'
import { AppError } from '#server/errors.ts'

type Errors = NonNullable<Problem['errors']>

/** More would not help, and the client would control the length of the response. */
const ERRORS_MAX = 10
const PATH_CHARS_MAX = 100

/** `invalid_request` with the names of the wrong fields. Messages are ours; paths come from the request, shortened. */
export class InvalidRequest extends AppError {
  readonly errors: Errors

  constructor(errors: Errors) {
    super('invalid_request')
    this.errors = errors.slice(0, ERRORS_MAX).map(({ path, message }) => ({ path: path.slice(0, PATH_CHARS_MAX), message }))
  }

  static fromIssues(issues: readonly z.core.$ZodIssue[]): InvalidRequest {
    return new InvalidRequest(issues.flatMap(describe))
  }
}

/** For an unknown field, the field is named, not the object around it. */
function describe(issue: z.core.$ZodIssue): Errors {
  const path = issue.path.map(String)
  if (issue.code !== 'unrecognized_keys') return [{ path: path.join('.'), message: issueMessage(issue) }]
  return issue.keys.map(key => ({ path: [...path, key].join('.'), message: 'is not a field of this request' }))
}

/** zod/mini has no messages of its own: "Invalid input" unless the schema has one. */
function issueMessage(issue: z.core.$ZodIssue): string {
  if (issue.message && issue.message !== 'Invalid input') return issue.message
  switch (issue.code) {
    case 'invalid_type':
      return `must be a ${issue.expected}`
    case 'too_small':
      return `must be at least ${issue.minimum}${issue.origin === 'string' ? ' characters' : ''}`
    case 'too_big':
      return `must be at most ${issue.maximum}${issue.origin === 'string' ? ' characters' : ''}`
    default:
      return 'is not valid'
  }
}
