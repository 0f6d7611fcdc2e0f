/** What an attacker finds in a copy of the data folder that includes the secret. */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const LOG_HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
/** Shorter values such as `en` are found everywhere. */
const VALUE_BYTES_MIN = 14
/** Long enough to tell a value from all others, and short enough to be on one page. */
const PIECE_BYTES = 32
/** Splits a long value into pieces, because a page may keep only some of it. */
const PIECES_MAX = 24

const DATABASES = ['mail.db', 'site.db'] as const

/** Everything but the ballast. Files that disappear meanwhile were being removed. */
export function copyFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  // The database before its log, so that what a checkpoint moves meanwhile is found twice instead of missed.
  const isWanted = (file: string) => file !== 'ballast' && statSync(join(from, file)).isFile()
  for (const name of readdirSync(from).filter(isWanted)) cpSync(join(from, name), join(to, name))
}

/** Every text and blob of every row, in hexadecimal pieces, by table and column. */
export function valuesIn(folder: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const name of DATABASES) {
    using db = new DatabaseSync(join(folder, name))
    for (const { tbl } of db.prepare("select name as tbl from sqlite_schema where type = 'table'").all()) {
      for (const row of db.prepare(`select * from "${tbl}"`).iterate()) {
        for (const [column, value] of Object.entries(row)) {
          for (const piece of splitIntoPieces(value)) found.set(piece, `${name} ${tbl}.${column}`)
        }
      }
    }
  }
  return found
}

function splitIntoPieces(value: unknown): string[] {
  if (typeof value !== 'string' && !(value instanceof Uint8Array)) return []
  const bytes = Buffer.from(value as string)
  if (bytes.length < VALUE_BYTES_MIN) return []
  const step = Math.max(PIECE_BYTES, Math.ceil(bytes.length / PIECES_MAX))
  const pieces: string[] = []
  for (let at = 0; at < bytes.length; at += step) {
    const piece = bytes.subarray(at, at + PIECE_BYTES)
    if (piece.length >= VALUE_BYTES_MIN) pieces.push(piece.toString('latin1'))
  }
  return pieces
}

/** The files of a folder as text with one character per byte. */
export function readAll(folder: string): { name: string; text: string }[] {
  return readdirSync(folder).map(name => ({ name, text: readFileSync(join(folder, name), 'latin1') }))
}

/**
 * The states that the disk can have if the power fails while the log is being written: the database with any whole number of transactions
 * of its log. SQLite ignores an incomplete transaction, so there are no other states.
 */
export function* replays(copy: string, name: (typeof DATABASES)[number], into: string): Generator<string> {
  const log = readFileSync(join(copy, `${name}-wal`), { flag: 'a+' })
  for (const end of [0, ...commitsIn(log)]) {
    rmSync(into, { recursive: true, force: true })
    copyFolder(copy, into)
    rmSync(join(into, `${name}-shm`), { force: true })
    writeFileSync(join(into, `${name}-wal`), log.subarray(0, end))
    yield into
  }
}

function commitsIn(log: Buffer): number[] {
  if (log.length < LOG_HEADER_BYTES) return []
  const frameBytes = FRAME_HEADER_BYTES + log.readUInt32BE(8)
  const ends: number[] = []
  for (let at = LOG_HEADER_BYTES; at + frameBytes <= log.length; at += frameBytes) {
    if (log.readUInt32BE(at + 4) !== 0) ends.push(at + frameBytes)
  }
  return ends
}
