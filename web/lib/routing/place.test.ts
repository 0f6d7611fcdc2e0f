import { describe, expect, test } from 'vitest'
import { matchPath, resolvePlace, toHref } from './place.ts'

describe('a path matches', () => {
  test('its own pattern, in any letter case and with a final slash', () => {
    for (const path of ['/ad', '/ad/', '/AD']) expect(matchPath('/ad', path)).toEqual({})
    for (const path of ['/', '//']) expect(matchPath('/', path)).toEqual({})
  })

  test('no other pattern', () => {
    for (const path of ['/', '/ads', '/ad/x', '/blog/ad']) expect(matchPath('/ad', path)).toBeUndefined()
    for (const path of ['/blog', '/blog/', '/blog/a/b', '/x/a']) expect(matchPath('/blog/:slug', path)).toBeUndefined()
  })

  test('with its parameters decoded, or unchanged if they cannot be decoded', () => {
    expect(matchPath('/blog/:slug', '/blog/two%20words/')).toEqual({ slug: 'two words' })
    expect(matchPath('/blog/:slug', '/blog/%E0%A4%A')).toEqual({ slug: '%E0%A4%A' })
  })

  test('every path if the pattern is a star', () => expect(matchPath('*', '/no/such/page')).toEqual({}))
})

describe('a link', () => {
  const here = { pathname: '/blog', search: '?lang=es', hash: '#x' }
  const href = (...args: Parameters<typeof resolvePlace>) => toHref(resolvePlace(...args))

  test('keeps its own path, parameters and fragment, and adopts none of the current page', () => {
    expect(href('/contact', here)).toBe('/contact')
    expect(href('/?a=1#top', here)).toBe('/?a=1#top')
    expect(href({ search: '?a=1' }, here)).toBe('/blog?a=1')
    expect(href({ pathname: '/', hash: '#message-1' }, here)).toBe('/#message-1')
  })

  test('stays on this site if the page was opened with two slashes', () => {
    const home = { pathname: '//', search: '', hash: '' }
    expect(href({ search: '?lang=es' }, home)).toBe('/?lang=es')
    expect(href('?lang=es', home)).toBe('/?lang=es')
    expect(href({ hash: '#x' }, { ...home, pathname: '//evil.example/a' })).toBe('/evil.example/a#x')
  })

  test('keeps the language of a shared link, unless it has its own', () => {
    expect(href('/contact', here, 'es')).toBe('/contact?lang=es')
    expect(href('/?a=1#top', here, 'es')).toBe('/?a=1&lang=es#top')
    expect(href('/?lang=en', here, 'es')).toBe('/?lang=en')
  })
})
