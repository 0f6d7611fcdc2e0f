/** Digits in threes or fours, as people read them aloud; codes with letters or separators stay as they are. */
export function groupCode(code: string): string {
  if (!/^\d{6,10}$/.test(code)) return code
  const size = code.length % 4 === 0 ? 4 : 3
  return code.replace(new RegExp(`(?<=^(?:\\d{${size}})+)(?=\\d)`, 'g'), ' ')
}
