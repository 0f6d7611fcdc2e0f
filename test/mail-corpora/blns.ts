/** Naughty strings as subject, sender and file name, encoded and raw: all printable characters are shown, and file names are safe. */
import * as z from 'zod/mini'
import { type Agreement, readCorpus } from './agreement.ts'
import { shown, withoutSpaces } from './shown.ts'

export function compareStrings(agreement: Agreement): void {
  const strings = z.array(z.string()).parse(JSON.parse(readCorpus('blns', 'blns.json').toString('utf8')))
  for (const [index, string] of strings.entries()) {
    const where = `string ${index + 1}`
    const wanted = printed(string)
    const word = `=?utf-8?B?${Buffer.from(string).toString('base64')}?=`
    const extended = encodeURIComponent(string.toWellFormed()).replaceAll("'", '%27').replaceAll('(', '%28').replaceAll(')', '%29')
    const encoded = shown(
      Buffer.from(
        `Subject: ${word}\r\nFrom: ${word} <a@b.test>\r\nContent-Type: text/x-any\r\nContent-Disposition: attachment; filename*=utf-8''${extended}\r\n\r\n`,
      ),
    )
    agreement.expect(`${where} subject`, encoded.subject.trim(), wanted)
    agreement.expect(`${where} sender`, [encoded.from.name.trim(), encoded.from.address], [wanted, 'a@b.test'])
    agreement.expect(`${where} file name`, isSafe(encoded.attachments[0]?.filename ?? '', string), true)
    if (/[\r\n\0]|=\?/.test(string)) continue
    const raw = shown(Buffer.from(`Subject: ${string}\r\nFrom: "${string.replace(/["\\]/g, '\\$&')}" <a@b.test>\r\n\r\n`))
    agreement.expect(`${where} raw subject`, raw.subject.trim(), wanted)
    agreement.expect(`${where} raw sender`, [withoutSpaces(raw.from.name), raw.from.address], [withoutSpaces(wanted), 'a@b.test'])
  }
}

/** One line, with control characters as spaces. */
function printed(string: string): string {
  return string
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
}

/** A file name must not be a path, a device, a stream or a hidden file, and harmless names stay as they are. */
function isSafe(filename: string, original: string): boolean {
  if (filename === '' || Buffer.byteLength(filename) > 255) return false
  if (/[/\\:*?"<>|\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|^[. ]|[. ]$/u.test(filename)) return false
  if (/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(filename)) return false
  return !/^\w[\w ]*$/.test(original.trim()) || [original.trim(), `_${original.trim()}`].includes(filename)
}
