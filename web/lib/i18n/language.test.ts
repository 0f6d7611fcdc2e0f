import { describe, expect, test } from 'vitest'
import { detectLanguage, withLanguage } from './language.ts'

describe('the language of a visitor', () => {
  test('the lang parameter comes first', () => {
    expect(detectLanguage('?lang=es', 'en', ['en-GB'])).toBe('es')
  })

  test('only en and es are accepted as a parameter', () => {
    for (const bad of ['fr', 'ES', '', 'es-MX', '../../etc/passwd', '<script>']) {
      expect(detectLanguage(`?lang=${encodeURIComponent(bad)}`, null, [])).toBe('en')
    }
  })

  test('then the stored choice, then the browser, then English', () => {
    expect(detectLanguage('', 'es', ['en'])).toBe('es')
    expect(detectLanguage('', 'xx', ['de-DE', 'es-AR', 'en'])).toBe('es')
    expect(detectLanguage('', null, ['de', 'fr'])).toBe('en')
    expect(detectLanguage('', null, [])).toBe('en')
  })

  test('choosing one keeps the other parameters', () => {
    expect(withLanguage('?a=1&lang=en&b=2', 'es')).toBe('?a=1&lang=es&b=2')
  })
})
