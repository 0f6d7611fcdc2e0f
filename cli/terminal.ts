/** What strangers wrote, made harmless for a terminal. */

/**
 * Strangers' text on a terminal: controls, which can move the cursor or set colours, and marks that turn the direction of writing
 * (UAX #9) become a visible mark.
 */
export function plain(text: string): string {
  return text.replace(/[^\P{Cc}\t\n]|\p{Bidi_Control}/gu, '\uFFFD')
}

/** The same on one line. */
export function plainLine(text: string): string {
  return plain(text).replace(/\s+/g, ' ')
}

/** Bytes of a stranger: as they are for a file or a program, harmless for a terminal, which would obey what is in them. */
export function asShown(bytes: Uint8Array, isTerminal: boolean): string | Uint8Array {
  return isTerminal ? plain(Buffer.from(bytes).toString().replaceAll('\r\n', '\n')) : bytes
}
