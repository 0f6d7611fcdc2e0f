/** The device fingerprint: a hash of user agent, language, time zone offset and screen size. It never leaves the browser. */

type Device = { userAgent: string; language: string; timezoneOffsetMinutes: number; screenWidth: number; screenHeight: number }

export function hashDevice(device: Device): string {
  // A phone that is turned stays the same device.
  const [width, height] = [device.screenWidth, device.screenHeight].toSorted((a, b) => b - a)
  const parts = [device.userAgent, device.language, device.timezoneOffsetMinutes, `${width}x${height}`]
  return hashText(parts.join('|'))
}

/** This device's fingerprint. */
export function deviceFingerprint(): string {
  return hashDevice({
    userAgent: navigator.userAgent,
    language: navigator.language,
    timezoneOffsetMinutes: new Date().getTimezoneOffset(),
    screenWidth: screen.width,
    screenHeight: screen.height,
  })
}

/** 64 bits of FNV-1a as hex. It only has to tell devices apart, and `crypto.subtle` is missing on plain-http origins. */
export function hashText(text: string): string {
  let hash = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(text)) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn
  return hash.toString(16).padStart(16, '0')
}
