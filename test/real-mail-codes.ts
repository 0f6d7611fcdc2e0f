/** What the finders of codes and links and the warnings about senders and subjects say to every mail file of a folder. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { toMessage } from '#server/mail/message.ts'
import { summarise } from '#server/mail/summary.ts'

const MAIL_FILE = /\.(?:eml|msg|mail|raw|mbox|txt)$/i

export function measureFolder(folder: string) {
  const finds = { codes: [] as string[], links: [] as string[] }
  const files = mailFiles(folder)
  const startedAt = performance.now()
  for (const file of files) {
    const raw = readFileSync(file)
    const name = relative(folder, file)
    const { envelopeFrom, ...summary } = summarise(raw, 'a@sender.test')
    const message = toMessage({ id: '', cursor: '1', receivedAt: new Date(0).toISOString(), ...summary }, envelopeFrom, raw)
    if (message.codes.length > 0) finds.codes.push(`${name}: ${message.codes.join(', ')} (${message.subject})`)
    if (message.links.length > 0) finds.links.push(`${name}: ${message.links.map(({ url, label }) => `${label} → ${url}`).join(' | ')}`)
  }
  return { mails: files.length, milliseconds: performance.now() - startedAt, finds }
}

function mailFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && MAIL_FILE.test(entry.name))
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
}
