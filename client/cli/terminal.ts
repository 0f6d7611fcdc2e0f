/** Makes untrusted text safe to print. */

/** Replaces control characters, which can move the cursor or set colours, and bidirectional marks (UAX #9) by a visible mark. */
export const plain = (text: string): string => text.replace(/[^\P{Cc}\t\n]|\p{Bidi_Control}/gu, '\uFFFD')

/** The same on one line. */
export const plainLine = (text: string): string => plain(text).replace(/\s+/g, ' ')

/** JSON on one line. What would control a terminal and JSON leaves as it is, is escaped; a program reads the same. */
export function jsonLine(value: unknown): string {
  return `${JSON.stringify(value).replace(/[\x7f-\x9f]|\p{Bidi_Control}/gu, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`
}

/** Untrusted bytes: unchanged for a file or a program, escaped for a terminal, which would interpret them. */
export function asShown(bytes: Uint8Array, isTerminal: boolean): string | Uint8Array {
  return isTerminal ? plain(Buffer.from(bytes).toString().replaceAll('\r\n', '\n')) : bytes
}
