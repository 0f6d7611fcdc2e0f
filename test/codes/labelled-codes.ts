/** Reads a labelled set of mails (test/fixtures/codes) and scores the search for codes and links against it. */
import * as z from 'zod/mini'
import { findCodes } from '#reader/codes/codes.ts'
import { findConfirmationLinks } from '#reader/links/confirmation-links.ts'
import { htmlToText } from '#reader/seen/html.ts'

const mailSchema = z.strictObject({
  id: z.string(),
  lang: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.optional(z.string()),
  codes: z.array(z.string()),
  links: z.array(z.string()),
})

type Score = { precision: number; recall: number; found: number; expected: number }

export function measure(json: string) {
  const mails = z.parse(z.array(mailSchema), JSON.parse(json))
  const startedAt = performance.now()
  const results = mails.map(mail => ({
    mail,
    codes: findCodes({ subject: mail.subject, text: mail.text, htmlText: htmlToText(mail.html ?? '') }),
    links: findConfirmationLinks({ subject: mail.subject, html: mail.html, text: mail.text }).map(link => link.url),
  }))
  const milliseconds = performance.now() - startedAt
  return {
    mails: mails.length,
    negatives: mails.filter(mail => mail.codes.length === 0).length,
    milliseconds,
    codes: score(results.map(({ mail, codes }) => [mail.codes, codes])),
    links: score(results.map(({ mail, links }) => [mail.links, links])),
    wrong: results.flatMap(({ mail, codes, links }) => [
      ...difference(`${mail.id} codes`, mail.codes, codes),
      ...difference(`${mail.id} links`, mail.links, links),
    ]),
  }
}

function score(pairs: [expected: string[], found: string[]][]): Score {
  const expected = sum(pairs.map(([wanted]) => wanted.length))
  const found = sum(pairs.map(([, got]) => got.length))
  const right = sum(pairs.map(([wanted, got]) => got.filter(value => wanted.includes(value)).length))
  return { precision: right / found, recall: right / expected, found, expected }
}

function difference(what: string, expected: string[], found: string[]): string[] {
  return expected.join() === found.join() ? [] : [`${what}: expected [${expected.join(', ')}], found [${found.join(', ')}]`]
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
