/**
 * Formats hours and minutes: `6:53 PM` in English, `18:53` in other languages. Without `Intl`, because the first `Intl.DateTimeFormat` of
 * a page blocks the main thread for 15 to 25 ms (Chromium 156), four times that on a phone, just when the address or the first mail
 * appears.
 */
export function clockTime(date: Date, language: string): string {
  const hours = date.getHours()
  const minutes = twoDigits(date.getMinutes())
  if (language !== 'en') return `${twoDigits(hours)}:${minutes}`
  return `${hours % 12 || 12}:${minutes} ${hours < 12 ? 'AM' : 'PM'}`
}

const twoDigits = (value: number) => String(value).padStart(2, '0')
