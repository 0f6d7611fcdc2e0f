/** Detects raster images by their first bytes, whatever type the sender declares. SVG is excluded, because it can contain scripts. */

const SIGNATURES: readonly [type: string, bytes: readonly (number | undefined)[]][] = [
  ['image/png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/gif', [0x47, 0x49, 0x46, 0x38]],
  ['image/webp', [0x52, 0x49, 0x46, 0x46, undefined, undefined, undefined, undefined, 0x57, 0x45, 0x42, 0x50]],
]

export function imageType(bytes: Uint8Array): string | undefined {
  return SIGNATURES.find(([, signature]) => signature.every((byte, i) => byte === undefined || bytes[i] === byte))?.[0]
}

/** `undefined` for anything but a raster image. */
export function imageDataUrl(bytes: Uint8Array): Promise<string> | undefined {
  const type = imageType(bytes)
  if (type === undefined) return undefined
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(new Blob([new Uint8Array(bytes)], { type }))
  })
}
