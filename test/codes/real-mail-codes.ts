/** What the search for codes and links, and the warnings about senders and subjects, find in every mail file of a folder. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { senderWarning } from '#contract/sender-warning.ts'
import { hasLookalikeWord } from '#contract/skeleton.ts'
import { judgeLink } from '#reader/links/judge-link.ts'
import { htmlToText } from '#reader/seen/html.ts'
import { summarise } from '#reader/summary.ts'
import { toMessage, toShownSummary } from '#server/mail/message/message.ts'
import { alarmOf } from '#web/features/message/trusted-links.ts'

const MAIL_FILE = /\.(?:eml|msg|mail|raw|mbox|txt)$/i

export function measureFolder(folder: string) {
  const finds = { codes: [] as string[], links: [] as string[], senders: [] as string[], subjects: [] as string[], flagged: [] as string[] }
  const files = mailFiles(folder)
  const startedAt = performance.now()
  for (const file of files) {
    const raw = readFileSync(file)
    const name = relative(folder, file)
    const summary = toShownSummary(summarise(raw, 'a@sender.test'), undefined)
    const message = toMessage({ id: '', cursor: '1', receivedAt: new Date(0).toISOString(), ...summary }, '', raw)
    if (message.codes.length > 0) finds.codes.push(`${name}: ${message.codes.join(', ')} (${message.subject})`)
    if (message.links.length > 0) finds.links.push(`${name}: ${message.links.map(({ url, label }) => `${label} → ${url}`).join(' | ')}`)
    const { name: senderName, address } = message.from
    const warning = senderWarning(message.from)
    if (warning) finds.senders.push(`${name}: ${warning.kind}: ${senderName} <${address}>`)
    if (hasLookalikeWord(message.subject)) finds.subjects.push(`${name}: ${message.subject}`)
    const flagged = flaggedLinks(message.html ?? '', message.verdict === 'contradicted')
    if (flagged.length > 0) finds.flagged.push(`${name}: ${flagged.join(' | ')}`)
  }
  return { mails: files.length, milliseconds: performance.now() - startedAt, finds }
}

/** Like the page's warnings, but without a browser: good enough for counting. */
function flaggedLinks(html: string, isContradicted: boolean): string[] {
  const anchors = html.slice(0, 200_000).matchAll(/<a\s[^>]{0,2000}?href\s*=\s*["']?([^"'\s>]{1,2000})[^>]{0,500}>(.{0,400}?)<\/a/gis)
  const links = Array.from(anchors, ([, href = '', inside = '']) => ({ url: htmlToText(href).trim(), text: htmlToText(inside).trim() }))
  const isAlarm = alarmOf(
    links.map(({ url }) => url),
    isContradicted,
  )
  return links.flatMap(({ url, text }) => {
    const verdict = judgeLink(url, text)
    return isAlarm(verdict) ? [`${verdict.flag}: ${text} → ${verdict.host}`] : []
  })
}

function mailFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && MAIL_FILE.test(entry.name))
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
}
