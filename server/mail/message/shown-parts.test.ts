/**
 * Mails in the structures of mail programs, gateways and telephones: whatever a person sees of them is in the row and in the message, in
 * order, and what belongs to a text is no file beside it.
 */
import { describe, expect, test } from 'vitest'
import { htmlToText } from '#reader/seen/html.ts'
import { summarise } from '#reader/summary.ts'
import { toMessage, toMessageSummary } from './message.ts'
import { matchesContent } from './message-condition.ts'

const CODE = 'Your login code: 118204.'
const LINK = 'Confirm your address: https://shop.example/confirm?t=7f3a'
const URL = 'https://shop.example/confirm?t=7f3a'
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC'

let boundaries = 0
const part = (type: string, body: string, ...fields: string[]) => [`Content-Type: ${type}`, ...fields, '', body].join('\r\n')
function multi(subtype: string, ...parts: string[]): string {
  const boundary = `b${boundaries++}`
  const inner = parts.map(each => `--${boundary}\r\n${each}\r\n`).join('')
  return part(`multipart/${subtype}; boundary=${boundary}`, `${inner}--${boundary}--`)
}
const text = (words: string, ...fields: string[]) => part('text/plain; charset=utf-8', words, ...fields)
const html = (words: string, ...fields: string[]) =>
  part('text/html; charset=utf-8', `<div>${words.replace(URL, `<a href="${URL}">${URL}</a>`)}</div>`, ...fields)
const picture = (...fields: string[]) => part('image/png; name=a.png', PNG, 'Content-Transfer-Encoding: base64', ...fields)
const inlinePicture = picture('Content-Disposition: inline; filename=a.png')
const pdf = (...fields: string[]) => part('application/pdf; name=a.pdf', '%PDF', ...fields)
const message = (inner: string, ...fields: string[]) => part('message/rfc822', `From: s@x.test\r\nSubject: inner\r\n${inner}`, ...fields)

function show(root: string) {
  const raw = Buffer.from(`From: Shop <hello@shop.example>\r\nSubject: Hello\r\nMIME-Version: 1.0\r\n${root}\r\n`)
  const { envelopeFrom, ...summary } = summarise(raw, 'bounce@shop.example')
  const row = toMessageSummary({ messageId: 'x' as never, arrivalCursor: 1, receivedAt: 0 }, { ...summary, envelopeFrom })
  return { row, message: toMessage(row, envelopeFrom, raw) }
}

const oneLine = (words: string | undefined) => words?.replace(/\s+/g, ' ').trim()
/** The words and pictures of the HTML view. */
const seen = (body: string | undefined) => oneLine(body && htmlToText(body.replace(/<img [^<>]*>/g, ' [picture] ')))

/** `inText`, `inHtml`: the words around those that are looked for (`*`); without a view, `undefined`. */
type Expected = { inText: string | undefined; inHtml: string | undefined; files?: string[] }

const structures: [name: string, root: (words: string) => string, expected: Expected][] = [
  ['a second text', words => multi('mixed', text('One.'), text(words)), { inText: 'One. *', inHtml: undefined }],
  [
    'Apple Mail: text, picture, text',
    words => multi('mixed', text('One.'), inlinePicture, text(words)),
    { inText: 'One. *', inHtml: undefined, files: ['a.png'] },
  ],
  [
    'Apple Mail: HTML, picture, HTML',
    words => multi('mixed', html('One.'), inlinePicture, html(words)),
    { inText: undefined, inHtml: 'One. [picture] *', files: ['a.png'] },
  ],
  [
    'Apple Mail: a text beside HTML, file, HTML',
    words => multi('alternative', text(`One. ${words}`), multi('mixed', html('One.'), pdf('Content-Disposition: inline'), html(words))),
    { inText: 'One. *', inHtml: 'One. *', files: ['a.pdf'] },
  ],
  [
    'iOS: an alternative of nothing but HTML pieces',
    words => multi('alternative', multi('mixed', html('One.'), html('Two.'), html(words))),
    { inText: undefined, inHtml: 'One. Two. *' },
  ],
  [
    'Apple Mail: HTML with its picture, file, HTML, without a text',
    words => multi('mixed', multi('related', html('One. <img src="cid:a@x">'), picture('Content-Id: <a@x>')), pdf(), html(words)),
    { inText: undefined, inHtml: 'One. [picture] *', files: ['a.pdf'] },
  ],
  [
    'Outlook: pictures around the alternative',
    words => multi('related', multi('alternative', text(words), html(`${words}<img src="cid:a@x">`)), picture('Content-ID: <a@x>')),
    { inText: '*', inHtml: '* [picture]' },
  ],
  [
    'Thunderbird: files around the alternative, whose HTML has its pictures',
    words =>
      multi(
        'mixed',
        multi('alternative', text(words), multi('related', html(`${words}<img src="cid:a@x">`), picture('Content-ID: <a@x>'))),
        pdf(),
      ),
    { inText: '*', inHtml: '* [picture]', files: ['a.pdf'] },
  ],
  ['HTML before the text', words => multi('alternative', html(words), text(words)), { inText: '*', inHtml: '*' }],
  [
    'an alternative in an alternative, beside an invitation',
    words => multi('alternative', multi('alternative', text(words), html(`Hi. ${words}`)), part('text/calendar', 'BEGIN:VCALENDAR')),
    { inText: '*', inHtml: 'Hi. *', files: ['invite.ics'] },
  ],
  [
    'an alternative whose HTML has a file name',
    words => multi('alternative', text('See the HTML.'), html(words, 'Content-Disposition: inline; filename=mail.html')),
    { inText: 'See the HTML.', inHtml: '*' },
  ],
  [
    'a gateway: HTML behind a banner of HTML',
    words => multi('mixed', html('This mail is from outside.'), html(words)),
    { inText: undefined, inHtml: 'This mail is from outside. *' },
  ],
  [
    'a gateway: an alternative behind a banner',
    words => multi('mixed', text('From outside.'), multi('alternative', text(words), html(words))),
    { inText: 'From outside. *', inHtml: 'From outside. *' },
  ],
  [
    'a gateway: a banner in the HTML branch of an alternative',
    words => multi('alternative', text('See the HTML.'), multi('mixed', text('From outside.'), html(words))),
    { inText: 'See the HTML.', inHtml: 'From outside. *' },
  ],
  [
    'a gateway: a notice added to a related',
    words => multi('related', html('One. <img src="cid:a@x">'), picture('Content-ID: <a@x>'), text(words)),
    { inText: 'One. *', inHtml: 'One. [picture] *' },
  ],
  [
    'a signed mail behind a banner',
    words => multi('mixed', html('From outside.'), multi('signed', html(words), part('application/pgp-signature', 'x'))),
    { inText: undefined, inHtml: 'From outside. *', files: ['attachment-1.asc'] },
  ],
  [
    'a related that begins with another part than its first',
    words =>
      part(
        'multipart/related; boundary=s; start="<root@x>"',
        `--s\r\n${picture('Content-ID: <a@x>')}\r\n--s\r\n${html(`${words}<img src="cid:a@x">`, 'Content-ID: <root@x>')}\r\n--s--`,
      ),
    { inText: undefined, inHtml: '* [picture]' },
  ],
  [
    'a telephone: a program that shows a text and a picture',
    words =>
      multi(
        'related',
        part('application/smil; name=a.smil', '<smil/>'),
        text(words, 'Content-ID: <t>', 'Content-Location: t.txt'),
        picture(),
      ),
    { inText: '*', inHtml: undefined, files: ['a.smil', 'a.png'] },
  ],
  [
    'a mailing list: its footer below an alternative',
    words => multi('mixed', multi('alternative', text('Hi.'), html('Hi.')), text(words)),
    { inText: 'Hi. *', inHtml: 'Hi. *' },
  ],
  ['HTML and an empty text', words => multi('alternative', text(' '), html(words)), { inText: '', inHtml: '*' }],
  [
    'a forwarded mail below an empty text',
    words => multi('mixed', text(''), message(text(words))),
    { inText: '---------- From: s@x.test Subject: inner *', inHtml: undefined, files: ['inner.eml'] },
  ],
  [
    'Outlook: a forwarded mail below an empty HTML with its styles',
    words => multi('mixed', html('<style>p{color:red}</style><p class=MsoNormal><o:p>&nbsp;</o:p></p>'), message(html(words))),
    { inText: undefined, inHtml: 'From: s@x.test Subject: inner *', files: ['inner.eml'] },
  ],
  [
    'a forwarded mail that is to be shown below a text',
    words => multi('mixed', text('See below.'), message(text(words), 'Content-Disposition: inline')),
    { inText: 'See below. ---------- From: s@x.test Subject: inner *', inHtml: undefined, files: ['inner.eml'] },
  ],
  [
    'a forwarded mail as a file below a text',
    words =>
      multi('mixed', text('Can you type it for me?'), message(text(words), 'Content-Disposition: attachment; filename="login code.eml"')),
    {
      inText: 'Can you type it for me? ---------- From: s@x.test Subject: inner *',
      inHtml: undefined,
      files: ['login code.eml'],
    },
  ],
  [
    'a forwarded mail of HTML below HTML, of which nothing says how it is shown',
    words => multi('mixed', html('See below.'), message(html(words))),
    { inText: undefined, inHtml: 'See below. From: s@x.test Subject: inner *', files: ['inner.eml'] },
  ],
  [
    'a forwarded mail whose text comes after a picture',
    words => multi('mixed', text('\r\n \r\n'), message(multi('mixed', text('One.'), inlinePicture, text(words)))),
    { inText: '---------- From: s@x.test Subject: inner One. *', inHtml: undefined, files: ['inner.eml', 'a.png'] },
  ],
]

describe.each(structures)('%s', (_, root, { inText, inHtml, files = [] }) => {
  const around = (words: string) => [inText, inHtml].map(view => view?.replace('*', words))
  test('is shown in order, with its code', () => {
    const { row, message: shown } = show(root(CODE))
    expect([oneLine(shown.text), seen(shown.html)]).toEqual(around(CODE))
    expect(row.codes).toEqual(['118204'])
    expect([matchesContent(shown, { body: '118204' }), matchesContent(shown, { body: '118205' })]).toEqual([true, false])
    expect(shown.attachments.filter(({ inline }) => !inline).map(({ filename }) => filename)).toEqual(files)
  })

  test('is previewed, and its link found', () => {
    const { row, message: shown } = show(root(LINK))
    const [asText, asHtml] = around(LINK)
    const expected = oneLine(
      (asHtml || asText)?.replaceAll(/-{4,} From: s@x.test Subject: inner|From: s@x.test Subject: inner|\[picture\]/g, ' '),
    )
    expect([row.preview, row.link?.url, shown.links[0]?.url]).toEqual([expected, URL, URL])
    expect(shown.allLinks.map(({ url }) => url)).toContain(URL)
  })
})
