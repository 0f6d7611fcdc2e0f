/** What must hold for every mail, and generators of mails: well-formed trees, damaged trees and random MIME tokens. */
import fc from 'fast-check'
import { decodedHeaders, readDate, readReplyTo, readSender, readSubject, readTo } from '#reader/mime/headers/headers.ts'
import { decodeAttachment, listAttachments } from '#reader/mime/structure/attachments.ts'
import { readBody } from '#reader/mime/structure/body.ts'
import { parseMessage } from '#reader/mime/structure/parse.ts'
import type { MimePart, ParsedMessage } from '#reader/mime/types.ts'
import { textPrefix } from '#reader/seen/preview.ts'
import tokens from './mime-tokens.json' with { type: 'json' }

const LIMITS = { partsMax: 40, depthMax: 12, headerBytesMax: 4096, headerFieldsMax: 60, fieldBytesMax: 1024 }
const PREVIEW_CHARS = 80

function claim(holds: boolean, what: string): void {
  if (!holds) throw new Error(what)
}

/** Reads a mail in every way; throws with the guarantee that was violated. */
export function checkMail(raw: Buffer): void {
  const before = Buffer.from(raw)
  const whole = parseMessage(raw)
  const limited = parseMessage(raw, LIMITS)
  for (const parsed of [whole, limited]) {
    checkTree(raw, parsed)
    checkContent(raw, parsed)
  }
  claim(countParts(limited.root) <= LIMITS.partsMax, 'more parts than the limit')
  claim(raw.equals(before), 'the raw bytes were changed')
}

function checkTree(raw: Buffer, parsed: ParsedMessage): void {
  claim(parsed.warnings.length <= 50, 'more than 50 warnings')
  const visit = (part: MimePart, from: number, to: number) => {
    const end = part.bodyOffset + part.bodyLength
    claim(part.bodyOffset >= from && part.bodyLength >= 0 && (part.bodyLength === 0 || end <= to), `part ${part.path} outside its parent`)
    claim(part.contentType === part.contentType.toLowerCase() && part.contentType.includes('/'), 'a media type that is none')
    let next = part.bodyOffset
    for (const [index, child] of part.children.entries()) {
      claim(child.path.join() === [...part.path, index].join(), 'a path that does not lead here')
      claim(child.bodyOffset >= next, 'parts overlap')
      visit(child, part.bodyOffset, Math.max(end, part.bodyOffset))
      next = child.bodyOffset + child.bodyLength
    }
  }
  visit(parsed.root, 0, raw.length)
}

function checkContent(raw: Buffer, parsed: ParsedMessage): void {
  const names = [readSender(parsed), ...readTo(parsed), ...readReplyTo(parsed)].flatMap(({ name, address }) => [name, address])
  const lines = [readSubject(parsed), ...names, ...decodedHeaders(parsed).map(({ value }) => value)]
  for (const line of lines) claim(line.isWellFormed() && !/\p{Cc}/u.test(line), `not one printable line: ${JSON.stringify(line)}`)
  claim(!Number.isNaN(readDate(parsed)?.getTime() ?? 0), 'an invalid date')
  const { html, text } = readBody(raw, parsed)
  claim((html ?? '').isWellFormed() && (text ?? '').isWellFormed(), 'half a surrogate pair in the body')
  const preview = textPrefix(raw, parsed, PREVIEW_CHARS)
  claim(preview.length <= PREVIEW_CHARS && preview.isWellFormed() && !/[\p{Cc}]/u.test(preview), 'a preview that is no short line')
  for (const [index, attachment] of listAttachments(raw, parsed).entries()) {
    claim(attachment.index === index, 'attachments are numbered from 0')
    claim(attachment.size === decodeAttachment(raw, attachment).length, 'the size is not that of the bytes')
    const { filename } = attachment
    claim(filename !== '' && Buffer.byteLength(filename) <= 255, 'a filename of no or too great length')
    claim(
      !/[/\\:*?"<>|\p{Cc}\p{Cf}]|^[. ]|[. ]$/u.test(filename) && filename.isWellFormed(),
      `an unsafe filename: ${JSON.stringify(filename)}`,
    )
  }
}

function countParts(part: MimePart): number {
  return part.children.reduce((sum, child) => sum + countParts(child), 1)
}

type Leaf = { readonly content: Buffer; readonly encoding: 'base64' | 'quoted-printable' | '7bit' | 'binary' }
type Tree = Leaf | { readonly subtype: string; readonly parts: readonly Tree[] }

const leaf: fc.Arbitrary<Leaf> = fc.oneof(
  fc.record({
    content: fc.uint8Array({ maxLength: 200 }).map(bytes => withoutLastCr(Buffer.from(bytes))),
    encoding: fc.constantFrom('base64', 'quoted-printable', 'binary'),
  }),
  fc.record({
    content: fc.string({ maxLength: 80 }).map(text => Buffer.from(text.replace(/[^\x20-\x7e]/g, '.'))),
    encoding: fc.constant('7bit' as const),
  }),
)
const { tree } = fc.letrec<{ tree: Tree }>(tie => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc.record({
      subtype: fc.constantFrom('mixed', 'related', 'signed', 'report'),
      parts: fc.array(tie('tree'), { minLength: 1, maxLength: 4 }),
    }),
  ),
}))

/** A well-formed mail with the contents of its attachments in order. */
export const wellFormedMail = fc.tuple(tree, fc.constantFrom('\r\n', '\n')).map(([top, newline]) => {
  const contents: Buffer[] = []
  let boundaries = 0
  const write = (node: Tree): Buffer => {
    if ('content' in node) {
      contents.push(node.content)
      const head = [
        'Content-Type: application/x-thing',
        'Content-Disposition: attachment',
        `Content-Transfer-Encoding: ${node.encoding}`,
        '',
        '',
      ]
      return Buffer.concat([Buffer.from(head.join(newline)), encode(node, newline)])
    }
    const boundary = `=_${boundaries++}_=`
    const open = Buffer.from(`${newline}--${boundary}${newline}`)
    const head = Buffer.from(`Content-Type: multipart/${node.subtype}; boundary="${boundary}"${newline}${newline}preamble`)
    return Buffer.concat([
      head,
      ...node.parts.flatMap(part => [open, write(part)]),
      Buffer.from(`${newline}--${boundary}--${newline}epilogue`),
    ])
  }
  const raw = Buffer.concat([Buffer.from(`Subject: x${newline}`), write(top)])
  return { raw, contents }
})

/** In a mail with bare LFs, a CR at the end of a binary part cannot be told from one that belongs to the line break. */
function withoutLastCr(bytes: Buffer): Buffer {
  return bytes.at(-1) === 13 ? bytes.subarray(0, -1) : bytes
}

function encode({ content, encoding }: Leaf, newline: string): Buffer {
  if (encoding === 'base64') return Buffer.from(content.toString('base64').replace(/.{76}/g, `$&${newline}`))
  if (encoding !== 'quoted-printable') return content
  const escaped = [...content].map(byte => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`)
  return Buffer.from(escaped.map((text, index) => (index % 20 === 19 ? `${text}=${newline}` : text)).join(''))
}

/** The contents that must come back for a well-formed mail. A binary leaf may look like structure; then only the guarantees are checked. */
export function checkContents({ raw, contents }: { raw: Buffer; contents: readonly Buffer[] }): void {
  const parsed = parseMessage(raw)
  claim(parsed.status === 'ok', `a well-formed mail is ${parsed.status}: ${parsed.warnings}`)
  const found = listAttachments(raw, parsed).map(attachment => Buffer.from(decodeAttachment(raw, attachment)))
  claim(found.length === contents.length, `${found.length} attachments instead of ${contents.length}`)
  for (const [index, content] of contents.entries()) claim(found[index]?.equals(content) === true, `attachment ${index} changed`)
}

const heap = fc.array(
  fc.oneof(
    fc.constantFrom(...tokens).map(word => Buffer.from(word)),
    fc.uint8Array({ maxLength: 12 }).map(bytes => Buffer.from(bytes)),
  ),
  { maxLength: 60 },
)

/** Anything: MIME tokens and bytes in any order, or a well-formed mail with a piece removed, doubled or overwritten. */
export const strangeMail: fc.Arbitrary<Buffer> = fc.oneof(
  heap.map(pieces => Buffer.concat(pieces)),
  fc
    .tuple(wellFormedMail, heap, fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([{ raw }, pieces, a, b]) => {
      const [from, to] = [Math.floor(Math.min(a, b) * raw.length), Math.floor(Math.max(a, b) * raw.length)]
      return Buffer.concat([raw.subarray(0, from), ...pieces, raw.subarray(pieces.length % 2 ? to : from)])
    }),
)
