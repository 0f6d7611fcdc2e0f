/** The content of a signed message in one block (S/MIME `application/pkcs7-mime`, RFC 8551 section 3.5.2; the syntax is CMS, RFC 5652). */

type Element = { readonly tag: number; readonly start: number; readonly end: number; readonly next: number }

const OBJECT_ID = 0x06
const OCTET_STRING = 0x04
const CONSTRUCTED = 0x20
const SEQUENCE = 0x30
const EXPLICIT_CONTENT = 0xa0
const SIGNED_DATA = Buffer.from('2a864886f70d010702', 'hex')
const DATA = Buffer.from('2a864886f70d010701', 'hex')
/** Deeper structures are an attack: the content of a signed message lies in 7. */
const DEPTH_MAX = 12
/** A signing program that streams writes a piece for each few kilobytes. */
const PIECES_MAX = 100_000

/** The signed MIME entity, whose signature nobody checks here. `undefined` if the bytes are something else, such as encrypted content. */
export function signedContent(bytes: Buffer): Buffer | undefined {
  const signed = contentOf(bytes, elementAt(bytes, 0, bytes.length), SIGNED_DATA)
  if (signed?.tag !== SEQUENCE) return undefined
  // version, digestAlgorithms, encapContentInfo
  const content = contentOf(bytes, children(bytes, signed, 3)[2], DATA)
  if (!content) return undefined
  const pieces: Buffer[] = []
  return collectOctets(bytes, content, pieces, 0) ? Buffer.concat(pieces) : undefined
}

/** What a ContentInfo of the given type holds. */
function contentOf(bytes: Buffer, info: Element | undefined, type: Buffer): Element | undefined {
  if (info?.tag !== SEQUENCE) return undefined
  const [id, explicit] = children(bytes, info, 2)
  if (id?.tag !== OBJECT_ID || !bytes.subarray(id.start, id.end).equals(type) || explicit?.tag !== EXPLICIT_CONTENT) return undefined
  return children(bytes, explicit, 1)[0]
}

function collectOctets(bytes: Buffer, element: Element, pieces: Buffer[], depth: number): boolean {
  if (pieces.length >= PIECES_MAX || depth > DEPTH_MAX) return false
  if (element.tag === OCTET_STRING) pieces.push(bytes.subarray(element.start, element.end))
  else if (element.tag !== (OCTET_STRING | CONSTRUCTED)) return false
  else for (const piece of children(bytes, element, PIECES_MAX)) if (!collectOctets(bytes, piece, pieces, depth + 1)) return false
  return true
}

function children(bytes: Buffer, parent: Element, countMax: number): Element[] {
  const found: Element[] = []
  for (let at = parent.start; at < parent.end && found.length < countMax; ) {
    const element = elementAt(bytes, at, parent.end)
    if (!element || isEndOfContents(element)) break
    found.push(element)
    at = element.next
  }
  return found
}

const isEndOfContents = ({ tag, start, end }: Element): boolean => tag === 0 && start === end

/** One BER element. `undefined` if it is cut or not one of those that CMS uses. */
function elementAt(bytes: Buffer, at: number, limit: number, depth = 0): Element | undefined {
  const tag = bytes[at]
  const first = bytes[at + 1]
  if (tag === undefined || first === undefined || at + 2 > limit || depth > DEPTH_MAX) return undefined
  if (first < 0x80) return within({ tag, start: at + 2, end: at + 2 + first }, limit)
  if (first === 0x80) return indefinite(bytes, tag, at + 2, limit, depth)
  const digits = first - 0x80
  if (digits > 4 || at + 2 + digits > limit) return undefined
  const start = at + 2 + digits
  return within({ tag, start, end: start + bytes.readUIntBE(at + 2, digits) }, limit)
}

function within(element: Omit<Element, 'next'>, limit: number): Element | undefined {
  return element.end <= limit ? { ...element, next: element.end } : undefined
}

/** Without a length: it ends with an element of two zero bytes. */
function indefinite(bytes: Buffer, tag: number, start: number, limit: number, depth: number): Element | undefined {
  for (let at = start; at < limit; ) {
    const element = elementAt(bytes, at, limit, depth + 1)
    if (!element) return undefined
    if (isEndOfContents(element)) return { tag, start, end: at, next: element.next }
    at = element.next
  }
  return undefined
}
