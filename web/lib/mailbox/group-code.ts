/** Splits digits into groups of three or four, as people read them aloud. Codes with letters or separators stay unchanged. */
export function groupCode(code: string): string {
  if (!/^\d{6,10}$/.test(code)) return code
  const size = code.length % 4 === 0 ? 4 : 3
  return code.replace(new RegExp(`(?<=^(?:\\d{${size}})+)(?=\\d)`, 'g'), ' ')
}
