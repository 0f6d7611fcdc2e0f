/**
 * Precision and recall of the search for codes and links on the labelled mails of `set/`. Every mail goes through the parser and the
 * summary as one that arrives, from an honest sender whose checks did not fail.
 */

import { htmlToText } from '../../reader/seen/html.ts'
import { summarise } from '../../reader/summary.ts'
import { toMessage, toMessageSummary } from '../../server/mail/message/message.ts'
import type { MessageId } from '../../server/store/store.ts'
import { liftedLinks } from '../../web/features/message/trusted-links.ts'
import { type LabelledMail, readLabelledMails } from './labelled-mails.ts'

/** How many of `found` are right, and how many of `expected` were found. */
export type Tally = { found: number; right: number; expected: number; hit: number }
export type Result = {
  mail: LabelledMail
  codes: Tally
  links: Tally
  /** A mail's text says the same as its HTML, and has the same codes. */
  isSame: boolean
  /** A temporary password: neither a code that has to be found nor a wrong one. */
  password?: 'found' | 'left'
  misses: string[]
}

/** What there is to read in a mail. */
type Shown = Pick<LabelledMail, 'subject' | 'text' | 'html'>

export function measureSet(): Result[] {
  return readLabelledMails().map(measureMail)
}

export function sum(tallies: readonly Tally[]): Tally {
  const total = { found: 0, right: 0, expected: 0, hit: 0 }
  for (const tally of tallies) for (const key of ['found', 'right', 'expected', 'hit'] as const) total[key] += tally[key]
  return total
}

function measureMail(mail: LabelledMail): Result {
  const { codes: found, links } = read(mail)
  const isPassword = mail.kind === 'password'
  const codes = isPassword ? found.filter(code => code !== mail.code) : found
  const code = isPassword ? undefined : mail.code
  const forms = otherForms(mail)
  return {
    mail,
    codes: tally(codes, code),
    links: tally(links, mail.link),
    isSame: forms.every(({ text, html }) => text === html),
    ...(isPassword ? { password: found.length > codes.length ? 'found' : 'left' } : {}),
    misses: [
      ...miss('code', code, codes),
      ...miss('link', mail.link, links),
      ...forms.flatMap(({ text, html }) => (text === html ? [] : [`as text [${text}], as HTML [${html}]`])),
    ],
  }
}

/** What is offered above the mail, and in its row. */
function read(mail: Shown): { codes: string[]; links: string[] } {
  const raw = toMime(mail)
  const { envelopeFrom, ...sealed } = summarise(raw, 'service@sender.example')
  const row = toMessageSummary({ messageId: '' as MessageId, arrivalCursor: 1, receivedAt: 0 }, { envelopeFrom, ...sealed })
  const lifted = liftedLinks(toMessage(row, envelopeFrom, raw)).map(({ url }) => url)
  return { codes: row.codes, links: [...new Set([...lifted, ...(row.link ? [row.link.url] : [])])] }
}

/** Each part alone, as a text mail and as an HTML mail that says the same. */
function otherForms({ subject, text, html }: LabelledMail): { text: string; html: string }[] {
  const codes = (part: Pick<LabelledMail, 'text' | 'html'>) => read({ subject, ...part }).codes.join()
  const escaped = (text ?? '').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\n', '<br>\n')
  return [
    ...(text === undefined ? [] : [{ text: codes({ text }), html: codes({ html: `<p>${escaped}</p>` }) }]),
    ...(html === undefined ? [] : [{ text: codes({ text: htmlToText(html) }), html: codes({ html }) }]),
  ]
}

function tally(found: readonly string[], expected: string | undefined): Tally {
  const right = found.filter(value => value === expected).length
  return { found: found.length, right, expected: expected === undefined ? 0 : 1, hit: right }
}

function miss(what: string, expected: string | undefined, found: readonly string[]): string[] {
  return (expected ?? '') === found.join() ? [] : [`${what} ${expected ?? 'none'}, found ${found.join(', ') || 'none'}`]
}

function toMime({ subject, text, html }: Shown): Buffer {
  const base64 = (words: string) => Buffer.from(words).toString('base64').replace(/.{76}/g, '$&\r\n')
  const part = (kind: string, words: string) => [
    `Content-Type: text/${kind}; charset=utf-8`,
    'Content-Transfer-Encoding: base64',
    '',
    base64(words),
  ]
  const parts = [...(text === undefined ? [] : [part('plain', text)]), ...(html === undefined ? [] : [part('html', html)])]
  const body =
    parts.length === 1
      ? parts.flat()
      : ['Content-Type: multipart/alternative; boundary=b', '', ...parts.flatMap(lines => ['--b', ...lines]), '--b--']
  const encodedSubject = `=?utf-8?b?${Buffer.from(subject).toString('base64')}?=`
  const head = ['From: Service <service@sender.example>', `Subject: ${encodedSubject}`, 'MIME-Version: 1.0']
  return Buffer.from([...head, ...body, ''].join('\r\n'))
}
