/**
 * Reads the labelled mails of `set/`, a file for each language: what a reader sees, and what they are asked to do with it. Every company,
 * address and number is invented. A mail looks like this:
 *
 *     === what is special about it, or nothing
 *     part: third
 *     subject: Sign in to Lantern
 *     code: 481516
 *     link: https://lantern.example/magic?t=1
 *     --- text
 *     Your sign-in code is 481516.
 *     --- html
 *     <p>Your sign-in code is 481516.</p>
 *
 * `code` is what the reader has to enter on a page or in an app, as that form expects it: digits of any script as ASCII digits, without
 * gaps or hyphens that only group digits, with the hyphens of codes that have letters. A mail has none if nothing is to be entered:
 * vouchers, tracking numbers, PINs of cards, expired codes and codes sent by other means do not count.
 * `link` confirms an address, activates an account, resets a password or signs the reader in. Links that unsubscribe, secure an account,
 * track a parcel or show an invoice do not count.
 * `kind: password` marks a temporary password, which is counted apart: some services want it typed like a code, others in its own field.
 * `\u{200b}` stands for a character that nobody sees.
 *
 * New mails are written before the search has seen them, as a new part, and their first figures go to `lab/docs/measurements.md`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'

/**
 * In the order in which they were written: the search was written with the first three, then mended by the odd half of the next set, then
 * by its even half, then by each of the others. Since the eleventh it learns from all.
 */
export const PARTS = [
  'development',
  'languages',
  'held-out',
  'odd',
  'even',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
  'eleventh',
  'twelfth',
  'thirteenth',
  'fourteenth',
  'fifteenth',
  'sixteenth',
  'seventeenth',
  'eighteenth',
  'nineteenth',
  'twentieth',
  'twenty-first',
  'twenty-second',
  'twenty-third',
  'twenty-fourth',
  'twenty-fifth',
] as const

const SET = join(import.meta.dirname, 'set')
const MAIL_START = /^===(?: (.*))?\n/gm
const BODY_START = /^--- (?=(?:text|html)\n)/m

const mailSchema = z.strictObject({
  part: z.enum(PARTS),
  subject: z.string(),
  code: z.string().min(1).optional(),
  link: z.url().optional(),
  kind: z.literal('password').optional(),
  text: z.string().optional(),
  html: z.string().optional(),
})

export type LabelledMail = z.infer<typeof mailSchema> & { language: string; name: string }

export function readLabelledMails(): LabelledMail[] {
  return readdirSync(SET)
    .sort()
    .flatMap(file => parseLabelledMails(readFileSync(join(SET, file), 'utf8'), file))
}

/** Throws an error that names file and line if a mail is not written as above. */
export function parseLabelledMails(written: string, file: string): LabelledMail[] {
  const starts = [...written.matchAll(MAIL_START)]
  if (starts[0]?.index !== 0) throw new Error(`${file}:1: a mail begins with a line "===", see lab/codes/labelled-mails.ts`)
  return starts.map(({ 0: start, 1: name, index }, at) => {
    const end = starts[at + 1]?.index
    try {
      const mail = mailSchema.parse(readFields(written.slice(index + start.length, end && end - 1)))
      return { language: basename(file, '.txt'), name: name ?? mail.subject, ...mail }
    } catch (error) {
      const line = written.slice(0, index).split('\n').length
      const reason = error instanceof z.ZodError ? z.prettifyError(error) : String(error)
      throw new Error(`${file}:${line}: this mail is not written as lab/codes/labelled-mails.ts says.\n${reason}`, { cause: error })
    }
  })
}

/** Fields of one line each, then bodies of many. */
function readFields(mail: string): Record<string, string> {
  const [head = '', ...bodies] = mail.split(BODY_START)
  const lines = head.split('\n').filter(line => line !== '')
  const fields = lines.map(line => [line.split(':')[0] ?? '', line.slice(line.indexOf(':') + 1).trim()])
  const texts = bodies.map(body => [body.slice(0, 4), body.slice(5).replace(/\n$/, '')])
  return Object.fromEntries([...fields, ...texts].map(([name, value = '']) => [name, unescapeUnseen(value)]))
}

function unescapeUnseen(text: string): string {
  return text.replace(/\\u\{([\da-f]{1,6})\}/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
}
