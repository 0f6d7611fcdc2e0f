/** Detects raster images by their first bytes, whatever type the sender declares. SVG is excluded, because it can contain scripts. */

const SIGNATURES: readonly [type: string, bytes: readonly (number | undefined)[]][] = [
  ['image/png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/gif', [0x47, 0x49, 0x46, 0x38]],
  ['image/webp', [0x52, 0x49, 0x46, 0x46, undefined, undefined, undefined, undefined, 0x57, 0x45, 0x42, 0x50]],
]

function imageType(bytes: Uint8Array): string | undefined {
  return SIGNATURES.find(([, signature]) => signature.every((byte, i) => byte === undefined || bytes[i] === byte))?.[0]
}

/** `undefined` for anything but a raster image, and for one larger than a phone can show. */
export function imageDataUrl(bytes: Uint8Array): Promise<string> | undefined {
  const type = isPictureShown(bytes) ? imageType(bytes) : undefined
  if (type === undefined) return undefined
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(new Blob([new Uint8Array(bytes)], { type }))
  })
}

const RASTER_DATA = /^data:image\/(?:png|jpe?g|gif|webp);base64,([a-z0-9+/=]+)$/i

/** The size stands in the first 384 KiB, behind the largest colour profiles and previews of a JPEG. A multiple of four letters. */
const HEAD_LETTERS = 524_288

/** The URL of a raster image that is written into it (RFC 2397), without white space; `undefined` for others and for too large ones. */
export function pictureDataUrl(url: string): string | undefined {
  const joined = url.replace(/\s+/g, '')
  const [, base64] = RASTER_DATA.exec(joined) ?? []
  if (base64 === undefined) return undefined
  try {
    const head = atob(base64.slice(0, HEAD_LETTERS))
    return isPictureShown(Uint8Array.from(head, letter => letter.charCodeAt(0))) ? joined : undefined
  } catch {
    // Not base64.
    return undefined
  }
}

/** 50 million pixels are 200 MB once unpacked. */
const PIXELS_MAX = 50_000_000

/** Whether the bytes are a raster image, and no larger than a phone can show. */
function isPictureShown(bytes: Uint8Array): boolean {
  const size = imageSize(bytes)
  return size !== undefined && size.width * size.height <= PIXELS_MAX
}

type Size = { readonly width: number; readonly height: number }

/**
 * Reads the size of a raster image from its header: a file of some kilobytes can unpack to gigabytes of pixels. `undefined` if it is not a
 * picture, or does not state its size.
 */
function imageSize(bytes: Uint8Array): Size | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    switch (imageType(bytes)) {
      case 'image/png':
        return { width: view.getUint32(16), height: view.getUint32(20) }
      case 'image/gif':
        return gifSize(view)
      case 'image/webp':
        return webpSize(view)
      case 'image/jpeg':
        return jpegSize(view)
      default:
        return undefined
    }
  } catch {
    // Cut off before its size.
    return undefined
  }
}

/** Browsers take the size of the first frame where it is larger than the screen of the file (GIF89a, sections 18 and 20). */
function gifSize(view: DataView): Size {
  const packed = view.getUint8(10)
  let at = 13 + (packed & 0x80 ? 3 << ((packed & 7) + 1) : 0)
  while (view.getUint8(at) !== 0x2c) {
    // An extension: its label, and blocks up to an empty one.
    at += 2
    for (let length = -1; length !== 0; at += length + 1) length = view.getUint8(at)
  }
  const longest = (screenAt: number, frameAt: number) => Math.max(view.getUint16(screenAt, true), view.getUint16(at + frameAt, true))
  return { width: longest(6, 5), height: longest(8, 7) }
}

/** RFC 9649: lossy, lossless and extended files say it each in their own way. */
function webpSize(view: DataView): Size | undefined {
  const kind = view.getUint32(12)
  if (kind === 0x56503820) return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
  if (kind === 0x5650384c) {
    const bits = view.getUint32(21, true)
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 }
  }
  if (kind !== 0x56503858) return undefined
  const read24 = (at: number) => view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
  return { width: read24(24) + 1, height: read24(27) + 1 }
}

/**
 * ITU T.81: segments, each with its length, up to a start of frame (0xC0 to 0xCF, but for the three that are none). Decoders skip what
 * stands between segments.
 */
function jpegSize(view: DataView): Size | undefined {
  for (let at = 2; ; ) {
    const marker = view.getUint8(at + 1)
    if (view.getUint8(at) !== 0xff || marker === 0xff) {
      at += 1
      continue
    }
    // These have no length (B.1.1.3), and 0 is no marker.
    if (marker <= 1 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += 2
      continue
    }
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
    const length = view.getUint16(at + 2)
    if (length < 2) return undefined
    at += 2 + length
  }
}
