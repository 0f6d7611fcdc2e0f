/** Charsets whose number among Microsoft's code pages is not part of their name. */
const CHARSETS = new Map([
  [932, 'shift_jis'],
  [936, 'gbk'],
  [949, 'euc-kr'],
  [950, 'big5'],
  [10000, 'macintosh'],
  [20127, 'us-ascii'],
  [20866, 'koi8-r'],
  [21866, 'koi8-u'],
  [50220, 'iso-2022-jp'],
  [50221, 'iso-2022-jp'],
  [51932, 'euc-jp'],
  [54936, 'gb18030'],
  [65001, 'utf-8'],
])

/** 1250 is `windows-1250`, 28592 `iso-8859-2`. A number without a meaning is taken for 1252, so that few names are looked up. */
export function charsetOf(codePage: number): string {
  const known = CHARSETS.get(codePage)
  if (known !== undefined) return known
  if (codePage > 28_590 && codePage < 28_606) return `iso-8859-${codePage - 28_590}`
  if (codePage === 874 || (codePage >= 1250 && codePage <= 1258)) return `windows-${codePage}`
  return codePage >= 437 && codePage < 870 ? `cp${codePage}` : 'windows-1252'
}
