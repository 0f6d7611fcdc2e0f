import { afterEach, describe, expect, test, vi } from 'vitest'
import { detectBrowserLanguage, withLanguage } from './language.ts'

function detect(search: string, stored: string | null, languages: readonly string[]) {
  vi.stubGlobal('location', { search })
  vi.stubGlobal('localStorage', { getItem: () => stored })
  vi.stubGlobal('navigator', { languages })
  return detectBrowserLanguage()
}
afterEach(() => vi.unstubAllGlobals())

describe('the language of a visitor', () => {
  test('the lang parameter comes first', () => {
    expect(detect('?lang=es', 'en', ['en-GB'])).toBe('es')
  })

  test('only a language of the site is accepted as a parameter', () => {
    for (const bad of ['xx', 'ES', '', 'es-MX', '../../etc/passwd', '<script>']) {
      expect(detect(`?lang=${encodeURIComponent(bad)}`, null, [])).toBe('en')
    }
  })

  test('then the stored choice, then the browser, then English', () => {
    expect(detect('', 'es', ['en'])).toBe('es')
    expect(detect('', 'xx', ['xx-XX', 'es-AR', 'en'])).toBe('es')
    expect(detect('', null, ['xx', 'yy'])).toBe('en')
    expect(detect('', null, [])).toBe('en')
  })

  test('choosing one keeps the other parameters', () => {
    expect(withLanguage('?a=1&lang=en&b=2', 'es')).toBe('?a=1&lang=es&b=2')
  })
})
