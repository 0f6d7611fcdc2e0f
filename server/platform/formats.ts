/** The databases: their files, their formats by number, and why one of them is refused. */
import { version } from './installation.ts'
import { StartError } from './start-error.ts'

/** In the data folder. SQLite's logs beside them have more letters at the end. */
export const DATABASE_FILES = { mail: 'mail.db', site: 'site.db' } as const
/** How to start with nothing. */
export const MOVE_AWAY = `move ${DATABASE_FILES.mail} and ${DATABASE_FILES.site} away`

/** `mail`: `user_version` of its file. `site`: the number of the newest migration of its file or PostgreSQL. `cluster`: of its hashes. */
export type Formats = { readonly mail: number; readonly site: number; readonly cluster: number }

/** The formats of each release, oldest first; the last is this version. Other numbers are of newer versions or unreleased builds. */
const RELEASED_FORMATS: Readonly<Record<string, Formats>> = { '0.1.0': { mail: 8, site: 28, cluster: 2 } }

/** What this version writes. */
export function currentFormats(): Formats {
  const formats = RELEASED_FORMATS[version]
  if (!formats) throw new Error(`server/platform/formats.ts does not say which formats version ${version} writes`)
  return formats
}

/** The site's format by the names of the migrations that it has: the number of the newest. `undefined` without any. */
export function siteFormat(migrations: readonly string[]): number | undefined {
  const newest = Number.parseInt(migrations.toSorted().at(-1) ?? '', 10)
  return Number.isNaN(newest) ? undefined : newest
}

/** `place` starts a sentence. `writtenBy`: the version that it was written by, if it says. */
type Stored = { readonly place: string; readonly format: number; readonly writtenBy: string | undefined }

/** Call it before anything is changed. @throws UnknownFormat for any but those of released versions up to this one. */
export function requireFormat(kind: keyof Formats, stored: Stored): void {
  if (!Object.values(RELEASED_FORMATS).some(formats => formats[kind] === stored.format)) throw new UnknownFormat(kind, stored)
}

export class UnknownFormat extends StartError {
  readonly fact: string
  readonly remedy: string

  constructor(kind: keyof Formats, { place, format, writtenBy }: Stored) {
    const known = currentFormats()[kind]
    const isBetweenReleases = format < known || writtenBy === version
    const writer = isBetweenReleases ? 'a build between two releases' : writtenBy === undefined ? 'a newer version' : `version ${writtenBy}`
    const fact = `${place} is in format ${format}, written by ${writer}, and this is version ${version}, which writes format ${known}.`
    const remedy = isBetweenReleases
      ? 'Start the build that wrote it, or move the data away to start with nothing.'
      : 'Start that version or a later one, or restore the backup that was made before the upgrade.'
    super(`${fact} Nothing was changed. ${remedy}`)
    this.fact = fact
    this.remedy = remedy
  }
}

/**
 * Each database keeps the check (`deriveKeyCheck`) of the secret that it was first opened with. `instead`: how to start without what is in
 * `place`. @throws StartError if it belongs to another secret.
 */
export function requireKey(kept: string | undefined, keyCheck: string | undefined, place: string, instead = MOVE_AWAY): void {
  if (kept === keyCheck) return
  throw new StartError(
    `The secret does not fit ${place}, which was written under another one: every live address would be refused. ` +
      `Put the old one back, as the file "secret" of the data folder or in SECRET; processes that share a database share one secret. To start with nothing instead, ${instead}.`,
  )
}
