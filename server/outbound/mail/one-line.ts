/** Replaces line ends of every kind by a space, so that no text can start another header line. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}
