/** Why the site database cannot be used, in words that the operator can act on. */

import { version } from '#server/platform/installation/version.ts'
import { StartError } from '#server/platform/start-error.ts'

/** The location of a PostgreSQL, without the password. */
export function describePostgres(databaseUrl: string): string {
  const { hostname, port, pathname } = new URL(databaseUrl)
  return `The database ${decodeURIComponent(pathname.slice(1)) || '(without a name)'} on ${hostname || 'localhost'}:${port || 5432}`
}

export function newerDatabaseError(place: string, writtenBy: string | undefined): StartError {
  const writer = writtenBy === undefined ? 'a newer version' : `version ${writtenBy}`
  return new StartError(
    `${place} was written by ${writer} of this program, and this is version ${version}, which cannot read it. ` +
      'Start that version or a later one, or restore the backup that was made before the upgrade.',
  )
}

/** Turns a driver's error into a sentence with a remedy. */
export function explainDatabaseError(error: unknown, place: string, databaseUrl: string | undefined): StartError {
  if (error instanceof StartError) return error
  const cause = rootCause(error)
  const remedy =
    databaseUrl === undefined ? sqliteProblem(cause) : postgresProblem(cause, decodeURIComponent(new URL(databaseUrl).username))
  return new StartError(`${place} ${remedy ?? `cannot be used: ${cause.message}.`}`, error)
}

type Thrown = Error & { code?: unknown; errcode?: unknown }

/** The innermost error: Kysely and Node wrap it, and a host with two addresses causes one error for each. */
function rootCause(error: unknown): Thrown {
  if (error instanceof AggregateError && error.errors.length > 0) return rootCause(error.errors[0])
  if (!(error instanceof Error)) return new Error(String(error))
  return error.cause instanceof Error ? rootCause(error.cause) : error
}

const FOREIGN = 'holds tables of another program.'

function postgresProblem({ code, message }: Thrown, user: string): string | undefined {
  // The driver closes a connection that does not respond, and the innermost error mentions only the close.
  if (/timeout|terminated unexpectedly/i.test(message))
    return 'does not answer. Start PostgreSQL, open the way to it, or correct DATABASE_URL.'
  if (/SSL|certificate/i.test(message))
    return `cannot be reached as DATABASE_URL asks: ${message}. Correct its sslmode, or the certificate of the server.`
  switch (code) {
    case 'ECONNREFUSED':
    case 'ECONNRESET':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case '57P03': // cannot_connect_now
      return 'does not take connections. Start PostgreSQL, or correct DATABASE_URL.'
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'cannot be found: its host has no address. Correct DATABASE_URL, or the network.'
    case '28P01': // invalid_password
    case '28000': // invalid_authorization_specification
      return `does not let the user "${user}" in: ${message}. Correct the user and the password in DATABASE_URL.`
    case '3D000': // invalid_catalog_name
      return 'does not exist. Create it (createdb), or correct DATABASE_URL.'
    case '42501': // insufficient_privilege
      return `lets the user "${user}" make no tables: ${message}. Make that user its owner, or name another in DATABASE_URL.`
    case '53300': // too_many_connections
      return 'has no connection left. Raise its max_connections, or end other clients.'
    case '42P07': // duplicate_table
      return `${FOREIGN} Name an empty one in DATABASE_URL.`
    default:
      return undefined
  }
}

const SQLITE_FULL = 13

function sqliteProblem({ message, errcode }: Thrown): string | undefined {
  const away = 'Restore it from a backup, or move it away to start with no accounts.'
  if (errcode === SQLITE_FULL) return 'cannot be written: its disk is full. Make room.'
  if (/locked|busy/.test(message)) return 'is being written by another process. Stop that one, or set DATA_DIR to another folder.'
  if (/not a database|malformed|encrypted/.test(message)) return `cannot be used: ${message}. ${away}`
  if (/already exists|duplicate column/.test(message)) return `${FOREIGN} ${away}`
  return undefined
}
