/** Line ends of every kind become a space: nothing of ours or a stranger's starts a header line (case W29). */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}
