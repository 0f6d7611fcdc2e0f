import type { Language } from '#contract/languages.ts'

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** In the largest unit that leaves a number of at least 1, with one digit after the point below 10. */
export function formatBytes(bytes: number, language: Language): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** power
  const format = new Intl.NumberFormat(language, {
    style: 'unit',
    unit: UNITS[power] ?? 'byte',
    maximumFractionDigits: value < 10 && power > 0 ? 1 : 0,
  })
  return format.format(value)
}
