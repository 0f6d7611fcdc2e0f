/** Makes untrusted text safe to print. */

/** Replaces control characters, which can move the cursor or set colours, and bidirectional marks (UAX #9) by a visible mark. */
export function plain(text: string): string {
  return text.replace(/[^\P{Cc}\t\n]|\p{Bidi_Control}/gu, '\uFFFD')
}

/** The same on one line. */
export function plainLine(text: string): string {
  return plain(text).replace(/\s+/g, ' ')
}

/** Untrusted bytes: unchanged for a file or a program, escaped for a terminal, which would interpret them. */
export function asShown(bytes: Uint8Array, isTerminal: boolean): string | Uint8Array {
  return isTerminal ? plain(Buffer.from(bytes).toString().replaceAll('\r\n', '\n')) : bytes
}
