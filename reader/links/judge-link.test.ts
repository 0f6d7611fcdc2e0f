import { describe, expect, test } from 'vitest'
import { ORIGINAL_VIEW_SCHEMES, SIMPLE_VIEW_SCHEMES, safeTarget } from '../seen/opened-url.ts'
import { clickCounters, displayHost, judgeLink } from './judge-link.ts'

describe('punycode', () => {
  // RFC 3492 7.1, samples (B), (F), (I) and (L), and the everyday ones.
  test.each([
    ['4dbcagdahymbxekheh6e0a7fei0b', 'למההםפשוטלאמדבריםעברית'],
    ['ihqwcrb4cv8a8dqg056pqjye', '他们为什么不说中文'],
    ['b1abfaaepdrnnbgefbadotcwatmq2g4l', 'почемужеонинеговорятпорусски'],
    ['3B-ww4c5e180e575a65lsy2b', '3年B組金八先生'],
    ['mnchen-3ya', 'münchen'],
  ])('decodes %s', (encoded, decoded) => {
    expect(displayHost(`xn--${encoded}.example`)).toBe(`${decoded}.example`)
  })

  test.each(['!!!', '99999999999', 'a-ü', 'x'.repeat(64)])('%s is not Punycode', input => {
    expect(displayHost(`xn--${input}`)).toBe(`xn--${input}`)
  })
})

describe('safe targets', () => {
  test.each([
    'javascript:alert(1)',
    'JaVa\tScript:alert(1)',
    ' \u0001javascript:alert(1)',
    'vbscript:x',
    'data:text/html,<script>alert(1)</script>',
    'data:application/xhtml+xml,x',
    'blob:https://a.example/1',
    'file:///etc/passwd',
    'ms-msdt:/id',
    'intent://x#Intent;end',
    'view-source:https://a.example',
    'filesystem:https://a.example/x',
    '/api/mailbox',
    'index.html',
    '?x',
    '',
  ])('%s is removed in both views', href => {
    expect(safeTarget(href, SIMPLE_VIEW_SCHEMES)).toBeUndefined()
    expect(safeTarget(href, ORIGINAL_VIEW_SCHEMES)).toBeUndefined()
  })

  test('the simple view allows nine schemes, the original layout three of them', () => {
    for (const scheme of ['http://a.example/', 'https://a.example/', 'mailto:a@b.example']) {
      expect(safeTarget(scheme, SIMPLE_VIEW_SCHEMES)).toBe(scheme)
      expect(safeTarget(scheme, ORIGINAL_VIEW_SCHEMES)).toBe(scheme)
    }
    for (const scheme of ['ftp://a.example/', 'tel:+34', 'callto:x', 'sms:+34', 'cid:x', 'xmpp:a@b.example']) {
      expect(safeTarget(scheme, SIMPLE_VIEW_SCHEMES)).toBe(scheme)
      expect(safeTarget(scheme, ORIGINAL_VIEW_SCHEMES)).toBeUndefined()
    }
  })

  test('scheme-relative links become absolute', () => {
    expect(safeTarget('//evil.example/x', ORIGINAL_VIEW_SCHEMES)).toBe('https://evil.example/x')
    expect(safeTarget('\\\\evil.example\\x', ORIGINAL_VIEW_SCHEMES)).toBe('https://evil.example/x')
  })
})

/** Joiners, selectors of variants, fillers, tags, controls. */
const UNSEEN_LETTERS = '200b 2060 ad fe0f 34f fff9 e0061 180b 17b5 e0100 3164 115f ffa0 1 85 7f'
  .split(' ')
  .map(code => String.fromCodePoint(Number.parseInt(code, 16)))

/** Short names that read as others backwards, machines nearby, files, URLs in URLs, sentences. */
const HONEST: readonly (readonly [href: string, text: string])[] = [
  ['https://se.com/', 'se.com'],
  ['https://ed.gov/', 'ed.gov'],
  ['https://ti.com/', 'ti.com'],
  ['https://ra.co/', 'RA.co'],
  ['https://rb.gy/', 'rb.gy'],
  ['https://em.com.mx/', 'em.com.mx'],
  ['https://us.com/', 'us.com'],
  ['https://ue.com.pe/', 'ue.com.pe'],
  ['https://de.example/', 'de.example'],
  ['https://rf.ru/', 'rf.ru'],
  ['https://it.com/', 'it.com'],
  ['https://hc.com/', 'hc.com'],
  ['https://at.co/', 'at.co'],
  ['https://ln.de/', 'ln.de'],
  ['https://ku.edu/', 'ku.edu'],
  ['https://em.shop.example/', 'em.shop.example'],
  ['https://io.net.example/', 'io.net.example'],
  ['https://gro.example/', 'gro.example'],
  ['https://moc.example.org/', 'moc.example.org'],
  ['https://ed.ac.uk/', 'www.ed.ac.uk'],
  ['https://ti.com/', 'https://ti.com/'],
  ['https://www.se.com/ww/en/', 'Visit https://www.se.com/ww/en/ today'],
  ['https://shop.example/docs/ur.pdf', 'ur.pdf'],
  ['https://shop.example/docs/se.pdf', 'se.pdf'],
  ['https://shop.example/docs/em.docx', 'em.docx'],
  ['https://shop.example/docs/ti.zip', 'ti.zip'],
  ['https://shop.example/docs/moc.tar.gz', 'moc.tar.gz'],
  ['https://shop.example/docs/report_ed.2024.xlsx', 'report_ed.2024.xlsx'],
  ['https://shop.example/docs/README.md', 'README.md'],
  ['https://shop.example/docs/ed.ipynb', 'ed.ipynb'],
  ['https://shop.example/docs/ur.pdf', 'https://shop.example/docs/ur.pdf'],
  ['http://192.168.10.5/reset', 'http://192.168.10.5/reset'],
  ['http://10.0.12.3:8080/x', 'http://10.0.12.3:8080/x'],
  ['http://10.0.12.3:8080/x', 'Open http://10.0.12.3:8080/x now.'],
  ['http://127.0.0.1:3000/', '127.0.0.1:3000'],
  ['http://[::1]:3000/x', 'http://[::1]:3000/x'],
  ['http://[2001:db8::7]/', 'http://[2001:db8::7]/'],
  ['http://10.0.12.3:8080/x?u=https://other.example/', '10.0.12.3:8080/x?u=https://other.example/'],
  ['http://localhost:3000/login?next=https://app.example/x', 'http://localhost:3000/login?next=https://app.example/x'],
  ['http://localhost:3000/login?next=https://app.example/x', 'localhost:3000/login?next=https://app.example/x'],
  ['http://intranet/wiki#https://app.example', 'http://intranet/wiki#https://app.example'],
  ['https://my_app.shop.example/cb?u=https://other.example', 'https://my_app.shop.example/cb?u=https://other.example'],
  ['https://my_app.shop.example/cb?u=https://other.example', 'my_app.shop.example/cb?u=https://other.example'],
  ['https://my_app.shop.example/cb', 'Go to https://my_app.shop.example/cb?u=www.other.example.'],
  ['https://shop.example/s?u=www.other.example', 'https://shop.example/s?u=www.other.example'],
  ['https://web.archive.org/web/2024/https://www.other.example/', 'https://web.archive.org/web/2024/https://www.other.example/'],
  ['https://validator.w3.org/check?uri=http://other.example', 'validator.w3.org/check?uri=http://other.example'],
  ['https://github.com/a/b/releases', 'Version 1.2.3'],
  ['https://github.com/a/b/releases', 'v1.2.co-rc1'],
  ['https://1.2.co/', '1.2.co'],
  ['https://shop.example/', 'e.g. this page'],
  ['https://shop.example/', 'U.S. a.k.a. i.e.'],
  ['https://shop.example/', 'St. Moritz'],
  ['https://shop.example/contact', 'support@bank.com'],
  ['https://shop.example/contact', 'Write to info@www.bank.com'],
  ['https://shop.example/', 'Visit https://shop.example or www.help.shop.example.'],
  ['https://shop.example/', 'https://shop.example, https://help.shop.example/x'],
  ['https://news.shop.example/c/abc?url=https%3A%2F%2Fother.example', 'www.shop.example'],
  ['https://click.mailchimp.example/track/click?u=https://other.example', 'Read more'],
  ['https://shop.us1.list-manage.com/track/click?u=1&id=2', 'Shop at Amazon.com'],
  ['https://u123.ct.sendgrid.net/ls/click?upn=u001.abc', 'u123.ct.sendgrid.net/ls/click?upn=u001.abc'],
  ['https://t.co/abc', 't.co/abc'],
  ['https://lnkd.in/e5', 'https://lnkd.in/e5'],
  ['https://shop.example/', 'קרא עוד se.com'],
  ['https://se.com/', '\u200fse.com'],
  ['https://xn--4dbcagdahymbxekheh6e0a7fei0b.com/', 'למההםפשוטלאמדבריםעברית.com'],
  ['https://shop.example/', 'مرحبا https://shop.example/se.pdf'],
  ['https://shop.example/', 'שלום (www.shop.example)'],
  ['https://shop.example/', 'https://user@shop.example/'],
  ['https://shop.example/', 'Clone https://ada:x@shop.example:8443/a.git now'],
  ['https://medium.com/@ada.dev', 'https://medium.com/@ada.dev'],
  ['https://medium.com/@ada.dev', 'Read https://medium.com/@ada.dev/why-x'],
  ['https://shop.example/', '12:30 – 14:00'],
  ['https://shop.example/', '$12.50'],
  ['https://shop.example/', 'Node.js/https'],
  ['https://shop.example/', 'and/or'],
  ...['.NET', 'Download .NET', 'novel·la', 'Estel·la', 'DX・AI', '家電・TV', 'iPhone・SE', 'News•TV'].map(
    words => ['https://shop.example/', words] as const,
  ),
  ['https://shop.example/', 'my_file.me'],
  ...'Vue.js main.rs app.py run.sh main.tf B.Sc. M.Sc e.V. z.B. Ph.D. here.We St.Pauli 1.Mai 12.Okt. col·legi Hals·Nasen·Ohren т.е. Почта.ру π.χ.'
    .split(' ')
    .map(text => ['https://shop.example/', text] as const),
  ...'install.pl Makefile.am libfoo.so main.cc main.ml logo.ai config.in Foo.pm configure.ac libpng-16.la index.do'
    .split(' ')
    .map(text => ['https://shop.example/', text] as const),
  ['https://xn--mnchen-3ya.de/', 'www·münchen·de'],
  ...['ing.de', 'dpd.de', 'web.de', 'orf.at', 'sbb.ch', 'cbs.nl', 'dgt.es', 'rtl.fr', 'kbc.be', 'dnb.no', 'bbc.uk', 't.co', 'id.me'].map(
    site => [`https://links.${site}/x`, `https://login.${site}/`] as const,
  ),
]

describe('links that pretend to lead elsewhere', () => {
  test.each([
    ['https://example.com/reset', 'https://example.com/reset', undefined],
    ['https://www.example.com/', 'example.com', undefined],
    ['https://click.example.com/x', 'www.example.com', undefined],
    ['https://mail.example.co.uk/', 'shop.example.co.uk', undefined],
    ['http://192.0.2.8/', 'http://10.1.2.8/', 'mismatch'],
    ['https://evil.example/', 'https://bank.com/login', 'mismatch'],
    ['https://evil.co.uk/', 'bank.co.uk', 'mismatch'],
    ...['co.uk', 'com.au', 'net.nz', 'gob.mx', 'or.at', 'info.pl', 'firm.in', 'github.io', 'web.app', 'pages.dev', 'blogspot.com'].map(
      ending => [`https://evil.${ending}/`, `https://bank.${ending}/login`, 'mismatch'] as const,
    ),
    ...'nordea.se danskebank.dk op.fi mbank.pl kbc.be aib.ie bank.in csob.cz claude.ai notion.so bank.tk bank.eu commbank.com.au nlb.co.rs'
      .split(' ')
      .map(text => ['https://evil.example/', text, 'mismatch'] as const),
    ...'uniswap.xyz revolut.online postbank.shop/login bank.se:443 wwwꓸbarclaysꓸcoꓸuk www·paypal·com bank⸱com bank۔se barclays.cοm bаnk.ѕе'
      .split(' ')
      .map(text => ['https://evil.example/', text, 'mismatch'] as const),
    ['https://evil.example/', 'ѡѡѡ.bank.museum', 'mismatch'],
    ['https://evil.example/', 'paypal .com', 'mismatch'],
    ['https://evil.example/', 'install.pl/login', 'mismatch'],
    ['https://bank.com.evil.example/', 'bank.com', 'mismatch'],
    ['https://evil.example/', '» https://www.bank.com/login.', 'mismatch'],
    ['https://evil.example/', '(bank.com)', 'mismatch'],
    ['https://evil.example/', 'www.ba\u200bnk.com', 'mismatch'],
    ['https://evil.example/', 'ｗｗｗ．bank．com', 'mismatch'],
    ['https://evil.example/', 'x https://www.bank.com/login', 'mismatch'],
    ['https://evil.example/', 'https://evil.example https://www.bank.com', 'mismatch'],
    ['https://evil.example/', 'https://www.bank.com/login (secure)', 'mismatch'],
    ['https://evil.example/', '\u202enigol/moc.knab.www//:sptth', 'mismatch'],
    ['https://evil.example/', '\u202emoc.knab', 'mismatch'],
    ['https://evil.example/', 'https://evil.example/\u202enigol/moc.knab.www//:sptth', 'mismatch'],
    ['https://evil.example/', '\u200fcom\u200f.\u200fbank', 'mismatch'],
    ['https://evil.example/', '\u2067com\u200f.\u200fbank\u200f.\u200fwww', 'mismatch'],
    ['https://evil.example/', '\u2067login\u200f/\u200fcom.bank\u200f//:\u200fhttps\u2069', 'mismatch'],
    ['https://evil.example/', 'https://www.bank.com@evil.example/', 'mismatch'],
    ['https://evil.example/', 'to https://www.bank.com@evil.example/', 'mismatch'],
    ['https://evil.example/', 'https://www.bank.com\\@evil.example/', 'mismatch'],
    ['https://evil.example/', 'https://user@bank.com/', 'mismatch'],
    ['https://evil.example/', 'https://evil.example@bank.com/', 'mismatch'],
    ['https://evil.example/', 'https://evil.example:1@bank.com/', 'mismatch'],
    ['https://evil.example/', 'to https://evil.example@bank.com/login', 'mismatch'],
    ['https://evil.example/', 'to https://evil.example:1@bank.com/login', 'mismatch'],
    ['https://evil.example/', 'to www.evil.example@www.bank.com/login', 'mismatch'],
    ['https://evil.example/', 'https://www.bank.com:99999/login', 'mismatch'],
    ['https://evil.example/', 'www.bank.com?https://evil.example/', 'mismatch'],
    ['https://evil.example/', 'x/https://www.bank.com/login', 'mismatch'],
    ['https://evil.example/', 'a:1/https://www.bank.com/login', 'mismatch'],
    ['https://evil.example/', 'http://x/https://www.bank.com/login', 'mismatch'],
    ['https://evil.example/', 'Login:https://www.bank.com/login', 'mismatch'],
    ['https://evil.example/', 'bank.com/?u=https://evil.example/', 'mismatch'],
    ['https://evil.example/', 'https://my_bank.bank.com/?u=https://evil.example/', 'mismatch'],
    ['https://evil.example/', 'https://192.0.2.7/?u=https://evil.example/', 'mismatch'],
    ['https://evil.example/', 'https://evil.example/x or https://www.bank.com/?u=https://evil.example/', 'mismatch'],
    ['https://evil.example/', 'se.com', 'mismatch'],
    ['https://evil.example/', '(http://ti.com/)', 'mismatch'],
    ['https://evil.example/', 'https://www.bank.com\u2044login', 'mismatch'],
    ['https://evil.example/', 'https:\u2215\u2215www.bank.com', 'mismatch'],
    ['https://evil.example/', 'www.bank\u3002com', 'mismatch'],
    ['https://evil.example/', 'b\u0332a\u0332nk.com', 'mismatch'],
    ['https://a.example/', 'Read https://a.example/x and www.a.example.', undefined],
    ['https://a.example/', 'https://a.example/?next=https://b.example/', undefined],
    ['https://a.example/', '@bank.com', undefined],
    ['https://a.example/', 'Click here', undefined],
    ['https://a.example/', 'Node.js', undefined],
    ['https://a.example/', 'Version 1.2.3', undefined],
    ['http://good.test@evil.test/', 'good.test', 'credentials'],
    ['https://xn--pple-43d.com/', 'apple.com', 'lookalike'],
    ['https://xn--80ak6aa92e.com/', 'apple.com', 'lookalike'],
    ['https://xn--mnchen-3ya.de/', 'münchen.de', undefined],
    ['mailto:a@evil.example', 'a@good.example', undefined],
  ] as const)('%s shown as %s', (href, text, flag) => {
    expect(judgeLink(href, text).flag).toBe(flag)
  })

  test.each(HONEST)('%s shown as %s is honest', (href, text) => {
    expect(judgeLink(href, text).flag).toBeUndefined()
  })

  test.each(UNSEEN_LETTERS)('%j anywhere in a host hides nothing', letter => {
    for (const text of [
      `www.ba${letter}nk.com`,
      `${letter}https://bank.com/x`,
      `bank.com${letter}`,
      `bank${letter}.com`,
      `${letter.repeat(310)}bank.com`,
    ])
      expect(judgeLink('https://evil.example/', text).flag).toBe('mismatch')
    expect(judgeLink('https://bank.com/', `www.ba${letter}nk.com`).flag).toBeUndefined()
  })

  test('a megabyte around the name neither hides it nor takes long', () => {
    const blanks = ' \u200b'.repeat(500_000)
    expect(judgeLink('https://evil.example/', `${blanks}bank.com${blanks}`).flag).toBe('mismatch')
    expect(judgeLink('https://evil.example/', '!'.repeat(1_000_000)).flag).toBeUndefined()
  })

  test('an honest international host is shown in its own letters, an imitation as Punycode', () => {
    expect(displayHost('xn--mnchen-3ya.de')).toBe('münchen.de')
    expect(displayHost('xn--e1afmkfd.xn--p1ai')).toBe('пример.рф')
    expect(displayHost('xn--pple-43d.com')).toBe('xn--pple-43d.com')
    expect(displayHost('xn--80ak6aa92e.com')).toBe('xn--80ak6aa92e.com')
  })
})

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
  `https://clicktime.symantec.com/3x?u=${encoded}`,
  `https://protect2.fireeye.com/v1/url?k=1&u=${encoded}`,
]
/** Anybody can put these before a link. */
const redirected = [
  `https://www.google.com/url?q=${encoded}&sa=D`,
  `https://www.google.co.uk/url?url=${encoded}`,
  `https://l.facebook.com/l.php?u=${encoded}`,
  `https://www.youtube.com/redirect?q=${encoded}`,
  'https://protect-eu.mimecast.com/s/aBcD1?domain=shop.example.com',
]

test.each(wrapped)('%s is judged by its target', url => {
  expect(judgeLink(url, 'https://shop.example.com')).toEqual({ host: 'shop.example.com', flag: undefined })
  expect(judgeLink(url, 'bank.example.net').flag).toBe('mismatch')
})

test('one gateway behind another is unwrapped too', () => {
  const twice = `https://clicktime.symantec.com/3x?u=${encodeURIComponent(wrapped[0] ?? '')}`
  expect(judgeLink(twice, 'shop.example.com')).toEqual({ host: 'shop.example.com', flag: undefined })
})

test.each(redirected)('%s may be called its target, and is shown as what it is', url => {
  const { host } = new URL(url)
  const behind = `https://nam01.safelinks.protection.outlook.com/?url=${encodeURIComponent(url)}`
  for (const href of [url, behind]) {
    for (const text of ['shop.example.com', target, url, behind]) expect(judgeLink(href, text)).toEqual({ host, flag: undefined })
    for (const text of ['bank.example.net', host]) expect(judgeLink(href, text)).toMatchObject({ host, flag: 'mismatch' })
  }
})

const evil = encodeURIComponent('https://evil.test/')
test.each([
  `https://google.xyz/url?q=${encoded}`,
  `https://google.top/url?q=${encoded}`,
  `https://google.com.xx/url?q=${encoded}`,
  `https://www.google.com/url?q=${encoded}&q=${evil}`,
  `https://www.google.com/url?q=${encoded}&url=${evil}`,
  `https://l.facebook.com/l.php?u=${encoded}&u=${evil}`,
  `https://www.youtube.com/redirect?q=${encoded}&q=${evil}`,
  `https://protect-eu.mimecast.com/s/x?domain=shop.example.com&domain=evil.test`,
  `https://eur01.safelinks.protection.outlook.com/?url=${encoded}&url=${evil}`,
  `https://urldefense.proofpoint.com/v1/url?u=${encoded}&u=${evil}`,
  `https://linkprotect.cudasvc.com/url?a=${encoded}&a=${evil}`,
  `https://sender.cudasvc.com/url?a=${encoded}`,
  `https://clicktime.symantec.com/3x?u=${encoded}&u=${evil}`,
  `https://evil.fireeye.com/?u=${encoded}`,
  'https://urldefense.com/redir?x=/v3/__https://shop.example.com/__;',
  'https://urldefense.com/redir/v3/__https://shop.example.com/__;',
  'https://urldefense.com/redir#/v3/__https://shop.example.com/__;',
])('%s claims nothing', url => {
  expect(judgeLink(url, 'https://shop.example.com')).toMatchObject({ host: new URL(url).host, flag: 'mismatch' })
})

test.each([
  `https://safelinks.protection.outlook.com.evil.example/?url=${encoded}`,
  `https://evilcudasvc.com/url?a=${encoded}`,
  `https://www.google.com.evil.example/url?q=${encoded}`,
  `https://www.google.com/search?q=${encoded}`,
  'https://clicktime.symantec.com/3x?u=javascript:alert(1)',
  'https://urldefense.com/v3/__javascript:alert(1)__;!!x',
  `https://shop.example.com/?url=${encoded}`,
  'https://clicktime.symantec.com/3x?u=%E0%A4%A',
])('%s is not unwrapped', url => {
  expect(judgeLink(url, '').host).toBe(new URL(url).hostname)
})

test('naming the gateway does not hide a mismatch, but showing its whole link does', () => {
  const url = wrapped[0] ?? ''
  expect(judgeLink(url, new URL(url).host).flag).toBe('mismatch')
  expect(judgeLink(url, url).flag).toBeUndefined()
})

test('the target behind a gateway is judged like any other link', () => {
  const behind = (url: string) => judgeLink(`https://clicktime.symantec.com/3x?u=${encodeURIComponent(url)}`, 'apple.com').flag
  expect(behind('https://xn--pple-43d.com/')).toBe('lookalike')
  expect(behind('https://apple.com@evil.example/')).toBe('credentials')
})

const counted = (count: number, of = (at: number) => `https://click.news.example/c?id=${at}`) =>
  Array.from({ length: count }, (_, at) => of(at))

test('a host with a different URL for each link is a click counter', () => {
  expect(clickCounters([...counted(5), 'https://shop.example/'])).toEqual(new Set(['click.news.example']))
})

test('a repeated URL, also with other tracking parameters, is one page', () => {
  expect(clickCounters(Array.from({ length: 20 }, () => 'https://evil.example/login'))).toEqual(new Set())
  expect(clickCounters(counted(20, at => `https://evil.example/login#${at}`))).toEqual(new Set())
  expect(clickCounters(counted(4))).toEqual(new Set())
})

test('links of a mail gateway are counted by their targets', () => {
  const wrapped = counted(6, at => `https://www.google.com/url?q=${encodeURIComponent(`https://shop${at}.example/`)}`)
  expect(clickCounters(wrapped)).toEqual(new Set())
})

test('links that are not web addresses are ignored', () => {
  expect(clickCounters(counted(9, at => `mailto:a${at}@b.example`))).toEqual(new Set())
})
