/** What the search for codes and links, and the warnings about senders and subjects, find in every mail file of a folder. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Message } from '../../contract/mailbox.ts'
import { senderWarning } from '../../contract/sender-warning.ts'
import { judgeLink } from '../../reader/links/judge-link.ts'
import { hasLookalikeWord } from '../../reader/links/skeleton.ts'
import { summarise } from '../../reader/summary.ts'
import { toMessage, toShownSummary } from '../../server/mail/message/message.ts'
import { alarmOf } from '../../web/features/message/trusted-links.ts'

const MAIL_FILE = /\.(?:eml|msg|mail|raw|mbox|txt)$/i

export function measureFolder(folder: string) {
  const finds = { codes: [] as string[], links: [] as string[], senders: [] as string[], subjects: [] as string[], flagged: [] as string[] }
  const files = mailFiles(folder)
  const startedAt = performance.now()
  for (const file of files) {
    const raw = readFileSync(file)
    const name = relative(folder, file)
    const summary = toShownSummary(summarise(raw, 'a@sender.test'))
    const message = toMessage({ id: '', cursor: '1', receivedAt: new Date(0).toISOString(), ...summary }, '', raw)
    if (message.codes.length > 0) finds.codes.push(`${name}: ${message.codes.join(', ')} (${message.subject})`)
    if (message.links.length > 0) finds.links.push(`${name}: ${message.links.map(({ url, label }) => `${label} → ${url}`).join(' | ')}`)
    const { name: senderName, address } = message.from
    const warning = senderWarning(message.from)
    if (warning) finds.senders.push(`${name}: ${warning.kind}: ${senderName} <${address}>`)
    if (hasLookalikeWord(message.subject)) finds.subjects.push(`${name}: ${message.subject}`)
    const flagged = flaggedLinks(message)
    if (flagged.length > 0) finds.flagged.push(`${name}: ${flagged.join(' | ')}`)
  }
  return { mails: files.length, milliseconds: performance.now() - startedAt, finds }
}

/** The links that the page warns of. */
function flaggedLinks({ allLinks, verdict }: Message): string[] {
  const isAlarm = alarmOf(
    allLinks.map(({ url }) => url),
    verdict === 'contradicted',
  )
  return allLinks.flatMap(({ url, text }) => {
    const judged = judgeLink(url, text)
    return isAlarm(judged) ? [`${judged.flag}: ${text} → ${judged.host}`] : []
  })
}

function mailFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && MAIL_FILE.test(entry.name))
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
}
