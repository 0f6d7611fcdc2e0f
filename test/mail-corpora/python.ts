/** Compares with Python's email package (python_email.py): subject, sender, and every single part with its name, text and bytes. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import * as z from 'zod/mini'
import { decodeBody } from '#reader/mime/encodings/transfer-encoding.ts'
import { readSender, readSubject } from '#reader/mime/headers/headers.ts'
import { readBody } from '#reader/mime/structure/body.ts'
import { parseMessage } from '#reader/mime/structure/parse.ts'
import type { MailAddress, MimePart } from '#reader/mime/types.ts'
import { Agreement, corpusFiles } from './agreement.ts'
import { corporaFolder } from './corpora-folder.ts'
import { partText, sha256, withLf, withWordsAsNames } from './shown.ts'

const script = resolve(import.meta.dirname, 'python_email.py')
/** Python's versions read some damaged mails differently, and the page states the numbers of this one. */
const VERSION = [3, 11] as const
const isVersion = `import sys, email.policy; sys.exit(sys.version_info[:2] != (${VERSION.join(', ')}))`
export const hasPython = spawnSync('python3', ['-c', isVersion]).status === 0
export const whyNoPython = `needs python3 ${VERSION.join('.')}, whose email package is the second opinion`

const partSchema = z.object({
  type: z.nullable(z.string()),
  name: z.nullable(z.string()),
  sha256: z.nullable(z.string()),
  text: z.nullable(z.string()),
})
const mailSchema = z.object({
  subject: z.nullable(z.string()),
  from: z.nullable(z.tuple([z.string(), z.string()])),
  plain: z.nullable(z.string()),
  html: z.nullable(z.string()),
  parts: z.nullable(z.array(partSchema)),
})
type Expected = z.infer<typeof mailSchema>

/** Mails only, not expected texts, lists of addresses or licences. */
const MAIL =
  /\.(eml|raw|msg)$|^(python-test-email|mimekit\/(messages|partial)|zbateson\/emails|inbucket\/testdata)\/[^/]+\.txt$|^enmime\/encode\/.*\.golden$|^flanker\/messages\/dkim\/email\.\d+$/

/** One agreement per corpus, by its folder. */
export function comparePython(): Map<string, Agreement> {
  return compareFiles(
    corporaFolder,
    corpusFiles('.', path => MAIL.test(path)),
  )
}

/** One agreement per folder directly below `root`. */
function compareFiles(root: string, paths: readonly string[]): Map<string, Agreement> {
  const read = readWithPython(paths.map(path => join(root, path)))
  const agreements = new Map<string, Agreement>()
  for (const [index, path] of paths.entries()) {
    const folder = path.split('/')[0] ?? ''
    const agreement = agreements.get(folder) ?? new Agreement()
    agreements.set(folder, agreement)
    const expected = read[index]
    if (expected) compareMail(agreement, path, readFileSync(join(root, path)), expected)
  }
  return agreements
}

function readWithPython(paths: readonly string[]): Expected[] {
  const input = paths.map(path => `${path}\n`).join('')
  const { stdout, stderr, status } = spawnSync('python3', [script], { input, encoding: 'utf8', maxBuffer: 1024 ** 3 })
  if (status !== 0) throw new Error(stderr)
  const lines = stdout.trimEnd().split('\n')
  return lines.map(line => mailSchema.parse(JSON.parse(line)))
}

/** What Python does not determine is not counted. */
function compareMail(agreement: Agreement, path: string, raw: Buffer, expected: Expected): void {
  const parsed = parseMessage(raw)
  const { name, address } = readSender(parsed)
  if (expected.subject !== null) expectText(agreement, `${path} subject`, readSubject(parsed), expected.subject)
  if (expected.from !== null)
    expectText(
      agreement,
      `${path} from`,
      asText({ name, address }),
      asText(withWordsAsNames({ name: expected.from[0], address: expected.from[1] })),
    )
  const body = readBody(raw, parsed)
  if (expected.plain !== null) expectBody(agreement, `${path} plain body`, body.text ?? '', expected.plain)
  if (expected.html !== null) expectBody(agreement, `${path} html body`, body.html ?? '', expected.html)
  if (expected.parts !== null) compareParts(agreement, path, raw, listLeaves(parsed.root), expected.parts)
}

function compareParts(
  agreement: Agreement,
  path: string,
  raw: Buffer,
  parts: readonly MimePart[],
  expected: readonly z.infer<typeof partSchema>[],
): void {
  const types = parts.map(part => part.contentType)
  const wanted = expected.map(({ type }) => type)
  agreement.expect(`${path} parts`, types, wanted)
  if (JSON.stringify(types) !== JSON.stringify(wanted)) return
  for (const [index, { name, sha256: hash, text }] of expected.entries()) {
    const part = parts[index]
    if (!part) continue
    const where = `${path} part ${index + 1}`
    if (name !== null || part.filename !== undefined) expectText(agreement, `${where} name`, part.filename ?? '', name ?? '')
    if (text !== null) expectText(agreement, `${where} text`, withLf(partText(raw, part)), text)
    // text in a multipart without parts is not content
    else if (hash !== null && !part.contentType.startsWith('multipart/'))
      agreement.expect(`${where} bytes`, sha256(decodeBody(raw, part)), hash)
  }
}

/** White space at the ends of lines is invisible, and U+FFFD means that Python cannot decode the text. */
function expectText(agreement: Agreement, where: string, actual: string, expected: string): void {
  const [ours, wanted] = [comparable(actual), comparable(expected)]
  agreement.expect(where, matches(ours, wanted.split(/\ufffd+/)) ? wanted : ours, wanted)
}

/** Python's body must be contained in ours, which also has the texts next to it. Line ends of flowed text are ignored. */
function expectBody(agreement: Agreement, where: string, actual: string, expected: string): void {
  const pieces = words(expected)
    .split(/\ufffd+/)
    .filter(piece => piece.length > 3)
  let rest = words(actual)
  const isThere = pieces.every(piece => {
    const found = rest.indexOf(piece)
    if (found !== -1) rest = rest.slice(found + piece.length)
    return found !== -1
  })
  agreement.expect(where, isThere ? words(expected) : words(actual), words(expected))
}

function words(text: string): string {
  return text.replace(/[\s\0>]+/g, '')
}

function comparable(text: string): string {
  return text
    .replaceAll('\0', '')
    .replace(/[\t ]+/g, ' ')
    .replace(/ ?\n/g, '\n')
    .trim()
}

function asText({ name, address }: MailAddress): string {
  return `${name} <${address}>`
}

/** Whether the text consists of the pieces in this order. */
function matches(text: string, pieces: readonly string[]): boolean {
  let at = 0
  for (const [index, piece] of pieces.entries()) {
    const found = index === 0 ? (text.startsWith(piece) ? 0 : -1) : text.indexOf(piece, at)
    if (found === -1) return false
    at = found + piece.length
  }
  return at === text.length || (pieces.length > 1 && text.endsWith(pieces.at(-1) ?? ''))
}

function listLeaves(part: MimePart): MimePart[] {
  return part.children.length === 0 ? [part] : part.children.flatMap(listLeaves)
}

// `node test/mail-corpora/python.ts FOLDER` compares all files below any folder
if (import.meta.main) {
  const root = resolve(process.argv[2] ?? '.')
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  const paths = files.map(entry => relative(root, join(entry.parentPath, entry.name))).sort()
  for (const [folder, agreement] of compareFiles(root, paths)) console.log(`${folder}: ${agreement}\n${agreement.details()}\n`)
}
