import { expect, test } from 'vitest'
import { judgeLink } from './link-target.ts'
import { unwrapLink } from './rewriters.ts'

const target = 'https://shop.example.com/a?b=1'
const encoded = encodeURIComponent(target)
const wrapped = [
  `https://nam01.safelinks.protection.outlook.com/?url=${encoded}&data=05%7C01&reserved=0`,
  `https://gcc02.safelinks.protection.office365.us/?url=${encoded}`,
  `https://urldefense.proofpoint.com/v1/url?u=${encoded}&k=x`,
  'https://urldefense.proofpoint.com/v2/url?u=https-3A__shop.example.com_a-3Fb-3D1&d=DwMFaQ&c=x',
  'https://urldefense.com/v3/__https://shop.example.com/a?b=1__;!!AbC!dEf$',
  'https://urldefense.com/v3/__https:/shop.example.com/a?b=1__;!!AbC!dEf$',
  `https://linkprotect.cudasvc.com/url?a=${encoded}&c=E,1,x`,
  `https://secure-web.cisco.com/1aBcD/${encoded}`,
  `https://www.google.com/url?q=${encoded}&sa=D`,
  `https://www.google.co.uk/url?url=${encoded}`,
  `https://clicktime.symantec.com/3x?u=${encoded}`,
  `https://l.facebook.com/l.php?u=${encoded}`,
]

test.each(wrapped)('%s is judged by its target', url => {
  expect(unwrapLink(url)).toBe(target)
  expect(judgeLink(url, 'https://shop.example.com')).toEqual({ host: 'shop.example.com', flag: undefined })
  expect(judgeLink(url, 'bank.example.net').flag).toBe('mismatch')
})

test('one gateway behind another is unwrapped too', () => {
  const twice = `https://www.google.com/url?q=${encodeURIComponent(wrapped[0] ?? '')}`
  expect(unwrapLink(twice)).toBe(target)
})

test('a gateway that names only the host is no mismatch, and is shown as the host', () => {
  const url = 'https://protect-eu.mimecast.com/s/aBcD1?domain=shop.example.com'
  expect(judgeLink(url, 'shop.example.com')).toEqual({ host: 'protect-eu.mimecast.com', flag: undefined })
  expect(judgeLink(url, 'bank.example.net').flag).toBe('mismatch')
})

test.each([
  `https://safelinks.protection.outlook.com.evil.example/?url=${encoded}`,
  `https://evilcudasvc.com/url?a=${encoded}`,
  `https://www.google.com.evil.example/url?q=${encoded}`,
  `https://www.google.com/search?q=${encoded}`,
  'https://www.google.com/url?q=javascript:alert(1)',
  'https://urldefense.com/v3/__javascript:alert(1)__;!!x',
  `https://shop.example.com/?url=${encoded}`,
  'https://www.google.com/url?q=%E0%A4%A',
])('%s is not unwrapped', url => {
  expect(unwrapLink(url)).toBe(url)
})

test('naming the gateway does not hide a mismatch, but showing its whole link does', () => {
  const url = `https://www.google.com/url?q=${encoded}`
  expect(judgeLink(url, 'www.google.com').flag).toBe('mismatch')
  expect(judgeLink(url, url).flag).toBeUndefined()
})

test('the target behind a gateway is judged like any other link', () => {
  const behind = (url: string) => judgeLink(`https://www.google.com/url?q=${encodeURIComponent(url)}`, 'apple.com').flag
  expect(behind('https://xn--pple-43d.com/')).toBe('lookalike')
  expect(behind('https://apple.com@evil.example/')).toBe('credentials')
})
