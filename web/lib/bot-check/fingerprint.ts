/** The device fingerprint: a hash of user agent, language, time zone offset and screen size. It never leaves the browser. */
import { hashText } from '../hash-text.ts'

export function deviceFingerprint(): string {
  // A phone that is turned stays the same device.
  const [width, height] = [screen.width, screen.height].toSorted((a, b) => b - a)
  const { userAgent, language } = navigator
  return hashText([userAgent, language, new Date().getTimezoneOffset(), `${width}x${height}`].join('|'))
}
