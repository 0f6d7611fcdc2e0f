/** The device fingerprint: a hash of user agent, language, time zone offset and screen size. It never leaves the browser. */

export function deviceFingerprint(): string {
  // A phone that is turned stays the same device.
  const [width, height] = [screen.width, screen.height].toSorted((a, b) => b - a)
  const { userAgent, language } = navigator
  return hashText([userAgent, language, new Date().getTimezoneOffset(), `${width}x${height}`].join('|'))
}

/** 64 bits of FNV-1a as hex. It only has to tell devices apart, and `crypto.subtle` is missing on plain-http origins. */
export function hashText(text: string): string {
  let hash = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(text)) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn
  return hash.toString(16).padStart(16, '0')
}
