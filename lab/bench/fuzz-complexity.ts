/**
 * Searches for inputs whose cost grows faster than their size, for 60 s by default: `npm run lab -- fuzz-complexity [SECONDS [SEED]]`. With
 * `--dearest` it searches for the 1 MB of each header and each type of part that costs most, and prints it beside ordinary mail.
 */
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { summarise } from '../../reader/summary.ts'
import { toMessage, toMessageSummary } from '../../server/mail/message/message.ts'
import { createMailTasks } from '../../server/mail/threads/mail-tasks.ts'
import type { MailboxId, MessageId } from '../../server/store/store.ts'
import { GRAMMARS, randomShape, WORDS } from '../../test/complexity/grammars.ts'
import { describeGrowth, measureGrowth } from '../../test/complexity/linear.ts'
import { sampleMail, textMail } from './mime-mails.ts'

const { values, positionals } = parseArgs({ allowPositionals: true, options: { dearest: { type: 'boolean', default: false } } })
const seconds = Number(positionals[0] ?? 60)
const seed = Number(positionals[1] ?? Math.floor(Math.random() * 2 ** 31))
const end = performance.now() + seconds * 1000
let state = seed

const tasks = createMailTasks(randomBytes(32))
const recipient = { mailboxId: 'a' as MailboxId, publicKey: randomBytes(32), envelopeTo: [] }

/** Mulberry32: the same seed gives the same inputs. */
function random(): number {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}

async function searchGrowth(): Promise<void> {
  let shapes = 0
  while (performance.now() < end) {
    for (const grammar of GRAMMARS) {
      const [growth] = await measureGrowth({ ...grammar, shapes: [randomShape(WORDS[grammar.name] ?? ['a'], random)] })
      shapes++
      if (!growth || growth.isLinear) continue
      console.error(describeGrowth(grammar.name, growth))
      process.exitCode = 1
    }
  }
  console.log(`seed ${seed}: ${shapes} shapes, ${process.exitCode ? 'some cost more than their size' : 'each costs as much as its size'}`)
}

/** Where hostile text stands in a mail, and of which words it is made. */
type Place = { readonly name: string; readonly words: readonly string[]; readonly toMail: (text: string) => string }

function places(): Place[] {
  const words = (name: string) => WORDS[name] ?? []
  const folded = (text: string) => text.replaceAll(/[^\n]{900}/g, '$&\r\n ')
  const oneLine = (text: string) => text.replaceAll(/[\r\n]+/g, ' ')
  const header = (name: string, of: readonly string[]): Place[] => [
    { name, words: of, toMail: text => `${name}: ${oneLine(text)}\r\n\r\nbody\r\n` },
    { name: `${name}, folded`, words: of, toMail: text => `${name}: ${folded(oneLine(text))}\r\n\r\nbody\r\n` },
    { name: `${name}, many`, words: of, toMail: text => `${oneLine(text).replaceAll(/.{1,70}/gs, `${name}: $&\r\n`)}\r\nbody\r\n` },
  ]
  const part = (type: string, encoding: string, of: readonly string[]): Place => ({
    name: `${type}, ${encoding}`,
    words: of,
    toMail: text =>
      `Content-Type: ${type}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${encoding === 'base64' ? Buffer.from(text.slice(0, (BYTES * 3) / 4)).toString('base64') : text}`,
  })
  const encoded = ['=', '=3D', '=\r\n', '=C3=A9', '<b>', 'a', ' ', '=0D', '_', '\r\n']
  const prose = [...words('codes'), ...words('entities')]
  const html = [...words('HTML to text'), '<a href="https://x.test/">', '<table>', '<img src=x>', ...prose]
  const charsets = ['utf-8', 'utf-16', 'iso-2022-jp', 'gb18030', 'utf-7', 'windows-1252']
  return [
    ...['From', 'To', 'Cc', 'Reply-To', 'Sender'].flatMap(name => header(name, words('addresses'))),
    ...['Subject', 'X-Any', 'Message-ID', 'List-Unsubscribe'].flatMap(name => header(name, words('header words'))),
    ...['Content-Type', 'Content-Disposition', 'Content-Transfer-Encoding'].flatMap(name => header(name, words('parameters'))),
    ...['Date', 'Received'].flatMap(name => header(name, words('dates'))),
    ...['7bit', 'quoted-printable', 'base64'].flatMap(encoding => [
      part('text/plain', encoding, encoding === 'quoted-printable' ? [...encoded, ...prose] : prose),
      part('text/html', encoding, encoding === 'quoted-printable' ? [...encoded, ...html] : html),
    ]),
    ...charsets.map(charset => part(`text/html; charset=${charset}`, '8bit', [...html, '\u001b$B', 'é', '+AGE-', '\u0000a'])),
    part('text/plain; format=flowed', '7bit', ['> ', ' \r\n', 'a', '>', '-- \r\n', ' ']),
    part('text/calendar', '7bit', [
      'BEGIN:VEVENT\r\n',
      'END:VEVENT\r\n',
      'SUMMARY:',
      'DTSTART:20260101\r\n',
      ';',
      '=',
      '"',
      ' ',
      '\r\n',
      'ATTENDEE:mailto:a\r\n',
    ]),
    ...['mixed', 'alternative', 'related', 'digest', 'signed'].map(kind =>
      part(`multipart/${kind}; boundary=a`, '7bit', [
        ...words('MIME structure'),
        'Content-Type: text/html\r\n',
        'Content-Disposition: attachment; filename=a\r\n',
      ]),
    ),
    part('message/rfc822', '7bit', ['Content-Type: message/rfc822\r\n\r\n', 'Subject: a\r\n', '\r\n', 'a', ...words('MIME structure')]),
    part('application/octet-stream; name=a', 'base64', ['a', '=', '\r\n']),
  ]
}

const BYTES = 1024 * 1024
const TIMES_MAX = 3
const RUNS = 5

/** Milliseconds of CPU to take and to open the mail, without the network and the store. */
function mailMs(raw: Buffer): number {
  const before = process.cpuUsage()
  tasks.seal({ recipients: [recipient], envelopeFrom: '' }, [{ raw }])
  const taken = process.cpuUsage(before)
  const stored = summarise(raw, '')
  const opening = process.cpuUsage()
  const row = { messageId: 'a' as MessageId, arrivalCursor: 1, receivedAt: 0 }
  JSON.stringify(toMessage(toMessageSummary(row, stored), '', raw))
  const opened = process.cpuUsage(opening)
  return (taken.user + taken.system + opened.user + opened.system) / 1000
}

/** The least of several runs: disturbances only add. */
function leastMs(raw: Buffer, runs = RUNS): number {
  return Math.min(...Array.from({ length: runs }, () => mailMs(raw)))
}

function searchDearest(): void {
  const html = `Content-Type: text/html\r\n\r\n<html><body>${'<p style="color:#123456">Thank you for your purchase, see <a href="https://shop.test/">it</a>.</p>\r\n'.repeat(BYTES / 97)}`
  const ordinary = [sampleMail(BYTES), textMail(BYTES), Buffer.from(html)]
  const all = places()
  const found = all.map(place => ({ place, shape: '', ms: 0, raw: Buffer.alloc(0) }))
  for (const mail of ordinary) leastMs(mail)
  while (performance.now() < end) {
    for (const one of found) {
      const shape = randomShape(one.place.words, random)
      const raw = Buffer.from(one.place.toMail(shape.make(BYTES)).slice(0, BYTES))
      const ms = leastMs(raw, 1)
      if (ms > one.ms && leastMs(raw, 2) > one.ms) Object.assign(one, { shape: shape.name, ms, raw })
    }
  }
  const [attachments = 0, text = 0, page = 0] = ordinary.map(mail => leastMs(mail))
  const dearest = Math.max(attachments, text, page)
  console.log(
    `seed ${seed}; ordinary mail of 1 MB: ${attachments.toFixed(1)} ms with attachments, ${text.toFixed(1)} of text, ${page.toFixed(1)} of HTML`,
  )
  const measured = found.map(one => ({ ...one, ms: leastMs(one.raw) })).toSorted((a, b) => b.ms - a.ms)
  for (const { place, shape, ms } of measured)
    console.log(`${(ms / dearest).toFixed(1)} times, ${ms.toFixed(1)} ms  ${place.name}: ${shape.slice(0, 80)}`)
  if ((measured[0]?.ms ?? 0) > TIMES_MAX * dearest) process.exitCode = 1
}

if (values.dearest) searchDearest()
else await searchGrowth()
