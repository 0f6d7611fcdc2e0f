/** Which addresses are those of the internet at large, and which those of a cloud's metadata. */
import blocks from './special-addresses.json' with { type: 'json' }

/**
 * `special`: IANA's registries of special-purpose addresses (RFC 6890) and of multicast, and of IPv6 all but global unicast (RFC 4291
 * section 2.4). `metadata`: where clouds tell their machines secrets, with all of the link on which most of them are. `translated`: IPv6
 * blocks whose last four bytes are an IPv4 address (RFC 4291 section 2.5.5.2, RFC 2765, RFC 6052). `carrying`: IPv6 blocks that hold one
 * at a place of their own (RFC 4291 section 2.5.5.1, RFC 8215, RFC 3056). The Python client has the same file.
 */
const special = blocks.special.map(readBlock)
const metadata = blocks.metadata.map(readBlock)
const translated = blocks.translated.map(readBlock)
const carrying = blocks.carrying.map(readBlock)

type Block = { readonly bytes: readonly number[]; readonly bits: number }

/** Whether an address is one of the internet at large. As the host of a URL: IPv4 with dots, IPv6 in brackets or without. */
export function isPublicAddress(address: string): boolean {
  const bytes = meantBytes(address)
  return !isWithin(bytes, special) && !isMetadata(bytes)
}

/** Whether an address gives secrets to every program of a machine in a cloud. Spelt as for `isPublicAddress`. */
export function isMetadataAddress(address: string): boolean {
  return isMetadata(meantBytes(address))
}

function isMetadata(bytes: readonly number[]): boolean {
  return isWithin(bytes, metadata) || (isWithin(bytes, carrying) && carriedBytes(bytes).some(carried => isWithin(carried, metadata)))
}

/** Each four bytes in a row. RFC 6052 leaves out the ninth byte, which is zero. */
function carriedBytes(bytes: readonly number[]): number[][] {
  const used = bytes.toSpliced(8, 1)
  return Array.from({ length: used.length - 3 }, (_, at) => used.slice(at, at + 4))
}

/** Returns the bytes of the IPv4 address that a translated one stands for. */
function meantBytes(address: string): readonly number[] {
  const bytes = bytesOf(address)
  return isWithin(bytes, translated) ? bytes.slice(-4) : bytes
}

function bytesOf(address: string): number[] {
  if (!address.includes(':')) return address.split('.').map(Number)
  const [head = '', tail] = address.replace(/^\[|\]$/g, '').split('::')
  const [first, last] = [groupsOf(head), groupsOf(tail ?? '')]
  const zeros = Array<number>(8 - first.length - last.length).fill(0)
  return [...first, ...zeros, ...last].flatMap(group => [group >> 8, group & 255])
}

function groupsOf(text: string): number[] {
  return text === '' ? [] : text.split(':').map(group => Number.parseInt(group, 16))
}

function readBlock(cidr: string): Block {
  const [address = '', bits] = cidr.split('/')
  return { bytes: bytesOf(address), bits: Number(bits) }
}

function isWithin(bytes: readonly number[], within: readonly Block[]): boolean {
  return within.some(block => block.bytes.length === bytes.length && haveSameStart(bytes, block))
}

function haveSameStart(bytes: readonly number[], block: Block): boolean {
  return block.bytes.every((byte, at) => {
    const unlike = 8 - Math.min(8, Math.max(0, block.bits - 8 * at))
    return byte >> unlike === (bytes[at] ?? 0) >> unlike
  })
}
