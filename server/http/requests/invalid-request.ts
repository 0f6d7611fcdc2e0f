import type * as z from 'zod/mini'
import type { Problem } from '#contract/problem-document.ts'
import { AppError } from '#server/errors.ts'

type Errors = NonNullable<Problem['errors']>

/** More would help nobody and let a stranger choose the length of our response. */
const ERRORS_MAX = 10
const PATH_CHARS_MAX = 100

/** `invalid_request` that names the fields. Messages are ours; paths are the request's own, shortened. */
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

/** A field that nobody asked for is named itself, not the object it stands in. */
function describe(issue: z.core.$ZodIssue): Errors {
  const path = issue.path.map(String)
  if (issue.code !== 'unrecognized_keys') return [{ path: path.join('.'), message: issueMessage(issue) }]
  return issue.keys.map(key => ({ path: [...path, key].join('.'), message: 'is not a field of this request' }))
}

/** zod/mini carries no texts of its own: "Invalid input" unless the schema brings one. */
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
