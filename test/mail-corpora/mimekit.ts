/** Compares with what MimeKit (C#) expects: files in winmail.dat streams, offsets and trees of mbox files, samples of encodings. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { decodeBytes } from '#reader/mime/encodings/transfer-encoding.ts'
import { firstHeader, readDate, readSubject } from '#reader/mime/headers/headers.ts'
import { parseMessage } from '#reader/mime/structure/parse.ts'
import { readTnef, type TnefFile } from '#reader/mime/tnef/tnef.ts'
import type { MimePart } from '#reader/mime/types.ts'
import { type Agreement, corpusFiles, readCorpus } from './agreement.ts'
import { corporaFolder } from './corpora-folder.ts'

/** The names in `.list`, and each file of the folder beside it (text with the line ends of the corpus). */
export function compareTnef(agreement: Agreement): void {
  for (const path of corpusFiles('mimekit/tnef', name => name.endsWith('.tnef'))) {
    const stream = readCorpus('mimekit/tnef', path)
    const { files, letter } = readTnef(stream)
    const folder = path.replace('.tnef', '')
    const list = readCorpus('mimekit/tnef', `${folder}.list`).toString('utf8').split(/\r?\n/)
    // the lists name a body now and then; the folders contain them all
    const isFile = (name: string) => name !== '' && !/^body\.(rtf|html)$/.test(name)
    const names = files.map(({ name }) => name ?? '').filter(isFile)
    agreement.expect(`${folder} names`, names.toSorted(), list.filter(isFile).toSorted())
    const contents = [...files.map(file => readContent(stream, file)), letter()?.bytes ?? Buffer.alloc(0)].map(withLf)
    for (const name of namesIn(join(corporaFolder, 'mimekit/tnef', folder))) {
      const bytes = readCorpus('mimekit/tnef', `${folder}/${name}`)
      agreement.expect(`${folder}/${name}`, contents.includes(withLf(bytes)), true)
    }
  }
}

function readContent(stream: Buffer, { offset, length }: TnefFile): Buffer {
  return stream.subarray(offset, offset + length)
}

function withLf(bytes: Buffer): string {
  return bytes.toString('latin1').replaceAll('\r\n', '\n')
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).sort() : []
}

type ExpectedEntity = { readonly beginOffset: number; readonly headersEndOffset: number; readonly endOffset: number }
type ExpectedPart = ExpectedEntity & {
  readonly mimeType: string
  readonly children?: ExpectedPart[] | undefined
  readonly message?: (ExpectedEntity & { readonly body: ExpectedPart }) | undefined
}
const entity = { beginOffset: z.number(), headersEndOffset: z.number(), endOffset: z.number() }
const partSchema: z.ZodMiniType<ExpectedPart> = z.object({
  ...entity,
  mimeType: z.string(),
  children: z.optional(z.array(z.lazy(() => partSchema))),
  message: z.optional(z.object({ ...entity, body: z.lazy(() => partSchema) })),
})
const mboxSchema = z.array(z.object({ ...entity, body: partSchema }))

/** Every part of every message: its type, and where its body starts and ends, with both kinds of line ends. */
export function compareMboxes(agreement: Agreement): void {
  for (const name of ['content-length', 'issue1189']) {
    for (const lineEnds of ['unix', 'dos']) {
      const file = readCorpus('mimekit/mbox', `${name}.mbox.txt`)
      const mbox = lineEnds === 'dos' ? Buffer.from(withLf(file).replaceAll('\n', '\r\n'), 'latin1') : file
      const messages = mboxSchema.parse(JSON.parse(readCorpus('mimekit/mbox', `${name}.${lineEnds}-offsets.json`).toString('utf8')))
      const summary = readCorpus('mimekit/mbox', `${name}-summary.txt`)
        .toString('utf8')
        .split(/\r?\n\r?\n/)
      for (const [index, message] of messages.entries()) {
        const where = `${name}.${lineEnds} ${index + 1}`
        const raw = mbox.subarray(message.beginOffset, message.endOffset)
        const parsed = parseMessage(raw)
        agreement.expect(`${where} parts`, toTree(parsed.root, message.beginOffset), expectedTree(message.body))
        const field = (label: string) => new RegExp(`^${label}: (.*)$`, 'm').exec(summary[index] ?? '')?.[1]
        if (firstHeader(parsed.root, 'subject') !== undefined) agreement.expect(`${where} subject`, readSubject(parsed), field('Subject'))
        agreement.expect(`${where} date`, readDate(parsed)?.getTime(), Date.parse(field('Date') ?? ''))
      }
    }
  }
}

type Tree = { readonly type: string; readonly body: number; readonly end: number; readonly children: Tree[] }

function toTree(part: MimePart, base: number): Tree {
  const { contentType, bodyOffset, bodyLength, children } = part
  const body = base + bodyOffset
  return { type: contentType, body, end: body + bodyLength, children: children.map(child => toTree(child, base)) }
}

function expectedTree(part: ExpectedPart): Tree {
  const children = [...(part.children ?? []), ...(part.message ? [part.message.body] : [])].map(expectedTree)
  return { type: part.mimeType.toLowerCase(), body: part.headersEndOffset, end: part.endOffset, children }
}

/** A photo in base64 and uuencode, a text in quoted-printable. */
export function compareEncodings(agreement: Agreement): void {
  const [photo, text] = [readCorpus('mimekit/encoders', 'photo.jpg'), readCorpus('mimekit/encoders', 'wikipedia.txt')]
  agreement.expect('photo.b64', decodeBytes(readCorpus('mimekit/encoders', 'photo.b64'), 'base64').equals(photo), true)
  agreement.expect('photo.uu', decodeBytes(readCorpus('mimekit/encoders', 'photo.uu'), 'x-uuencode').equals(photo), true)
  agreement.expect('wikipedia.qp', withLf(decodeBytes(readCorpus('mimekit/encoders', 'wikipedia.qp'), 'quoted-printable')), withLf(text))
}
