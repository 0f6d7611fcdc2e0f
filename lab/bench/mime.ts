/**
 * Compares reader/mime/, postal-mime and mailparser on what a list needs (subject, sender, preview, attachments with their sizes), for the
 * same bytes in the same process, and checks that our cost is linear in size, breadth and depth. `npm run lab -- mime`. Measures CPU time,
 * which other work affects little.
 */
import { simpleParser } from 'mailparser'
import PostalMime from 'postal-mime'
import { readDate, readSender, readSubject } from '../../reader/mime/headers/headers.ts'
import { listAttachments } from '../../reader/mime/structure/attachments.ts'
import { parseMessage } from '../../reader/mime/structure/parse.ts'
import { textPrefix } from '../../reader/seen/preview.ts'
import { sampleMail } from './mime-mails.ts'

const PREVIEW_CHARS = 200
const RUN_MS = 700

type Row = { readonly subject: string; readonly preview: string; readonly attachments: number }

function ours(raw: Buffer): Row {
  const parsed = parseMessage(raw)
  readSender(parsed)
  readDate(parsed)
  return { subject: readSubject(parsed), preview: textPrefix(raw, parsed, PREVIEW_CHARS), attachments: listAttachments(raw, parsed).length }
}

async function postal(raw: Buffer): Promise<Row> {
  const mail = await PostalMime.parse(raw)
  return { subject: mail.subject ?? '', preview: (mail.text ?? '').slice(0, PREVIEW_CHARS), attachments: mail.attachments.length }
}

async function mailparser(raw: Buffer): Promise<Row> {
  const mail = await simpleParser(raw, { skipHtmlToText: true, skipTextToHtml: true, skipImageLinks: true, skipTextLinks: true })
  return { subject: mail.subject ?? '', preview: (mail.text ?? '').slice(0, PREVIEW_CHARS), attachments: mail.attachments.length }
}

/** Mean CPU microseconds of one call over all threads, after a warm-up. */
async function cpuMicros(call: () => unknown): Promise<number> {
  for (const end = performance.now() + RUN_MS / 2; performance.now() < end; ) await call()
  const start = process.cpuUsage()
  let calls = 0
  for (const end = performance.now() + RUN_MS; performance.now() < end; calls++) await call()
  const used = process.cpuUsage(start)
  return (used.user + used.system) / calls
}

function micros(value: number): string {
  return value < 1000 ? `${value.toFixed(1)} µs` : `${(value / 1000).toFixed(2)} ms`
}

console.log('List view, CPU per mail')
for (const bytes of [4_000, 40_000, 1_000_000]) {
  const raw = sampleMail(bytes)
  const rows = [ours(raw), await postal(raw), await mailparser(raw)]
  const [mayfly, postalMime, parser] = [
    await cpuMicros(() => ours(raw)),
    await cpuMicros(() => postal(raw)),
    await cpuMicros(() => mailparser(raw)),
  ]
  const factor = Math.min(postalMime, parser) / mayfly
  console.log(
    `${(raw.length / 1000).toFixed(1).padStart(7)} kB  mime ${micros(mayfly).padStart(9)}  postal-mime ${micros(postalMime).padStart(9)}  mailparser ${micros(parser).padStart(9)}  ${factor.toFixed(1)} times the faster`,
  )
  if (new Set(rows.map(row => `${row.subject} ${row.attachments}`)).size > 1) throw new Error(`the three disagree: ${JSON.stringify(rows)}`)
}

const crlf = '\r\n'
const breadth = (parts: number) =>
  Buffer.from(
    `Content-Type: multipart/mixed; boundary=b${crlf}${crlf}${`--b${crlf}Content-Type: text/plain; name=a.txt${crlf}${crlf}text${crlf}`.repeat(parts)}--b--${crlf}`,
  )
const depth = (levels: number) =>
  Buffer.from(
    `${Array.from({ length: levels }, (_, level) => `Content-Type: multipart/mixed; boundary=b${level}${crlf}${crlf}--b${level}${crlf}`).join('')}${crlf}leaf${crlf}`,
  )

for (const [name, unit, make, steps] of [
  ['size', 'kB', (kilobytes: number) => sampleMail(kilobytes * 1000), [250, 500, 1000, 2000, 4000]],
  ['breadth', 'parts', breadth, [60, 125, 250, 500, 999]],
  ['depth', 'levels', depth, [15, 30, 60, 120, 240]],
] as const) {
  console.log(`\nLinear in ${name}`)
  for (const step of steps) {
    const raw = make(step)
    const value = await cpuMicros(() => ours(raw))
    console.log(
      `${String(step).padStart(7)} ${unit.padEnd(6)} ${micros(value).padStart(9)}  ${((value * 1000) / step).toFixed(0).padStart(7)} ns per ${unit.replace(/s$/, '')}`,
    )
  }
}
