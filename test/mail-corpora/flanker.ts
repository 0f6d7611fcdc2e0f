/** Compares with flanker's lists of valid and invalid addresses and links: SMTP paths, header fields, and links in text. */
import { parseAddresses } from '#reader/mime/headers/addresses.ts'
import { textRuns } from '#reader/seen/plain-text.ts'
import { parseSenderPath } from '#server/smtp/command-arguments.ts'
import { type Agreement, readCorpus } from './agreement.ts'

/** An entry with a name or a comment is a header field, not a path, so only the reader is compared. */
export function compareMailboxes(agreement: Agreement): void {
  for (const entry of lines('mailbox_valid.txt')) {
    const [, name = '', bracketed] = /^(.*?) ?<([^<>]*)>$/.exec(entry) ?? []
    const comment = /^\(([^()]*)\)|\(([^()]*)\)$/.exec(entry)
    const address = bracketed ?? (comment ? entry.replace(comment[0], '').trim() : entry)
    const wanted = { name: name.replaceAll('"', '') || (comment?.[1] ?? comment?.[2] ?? ''), address }
    agreement.expect(`reader shows ${entry}`, parseAddresses(entry), [wanted])
    if (address === entry) agreement.expect(`door takes ${entry}`, isTaken(entry), true)
  }
  for (const entry of lines('mailbox_invalid.txt')) agreement.expect(`door refuses ${entry}`, isTaken(entry), false)
}

/** A line of SMTP has one character per byte. */
function isTaken(address: string): boolean {
  return typeof parseSenderPath(Buffer.from(`FROM:<${address}>`).toString('latin1')) === 'object'
}

/** A valid link must be found completely, except a final full stop. Of invalid ones only the scheme is compared. */
export function compareLinks(agreement: Agreement): void {
  for (const url of lines('url_valid.txt')) agreement.expect(`link ${url}`, linkIn(url), url.replace(/\.$/, ''))
  for (const url of lines('url_invalid.txt')) agreement.expect(`no link ${url}`, linkIn(url), undefined)
}

function linkIn(text: string): string | undefined {
  return textRuns(`See ${text} for more`).find(({ url }) => url !== undefined)?.text
}

/** Without comments, which are on their own lines or after many spaces. */
function lines(file: string): string[] {
  const all = readCorpus('flanker', file).toString('utf8').split(/\r?\n/)
  return all.map(line => line.replace(/\s{2,}#.*$/, '')).filter(line => line !== '' && !line.startsWith('# ') && line !== '#')
}
