/** Compares with what inbucket's own tests expect its page to show. */
import { readSender, readSubject, readTo } from '#reader/mime/headers/headers.ts'
import { readBody } from '#reader/mime/structure/body.ts'
import { parseMessage } from '#reader/mime/structure/parse.ts'
import type { MailAddress } from '#reader/mime/types.ts'
import { type Agreement, corpusFiles, readCorpus } from './agreement.ts'

export function compareInbucket(agreement: Agreement): void {
  for (const path of corpusFiles('inbucket/testdata', name => name.endsWith('.golden'))) {
    const raw = readCorpus('inbucket/testdata', path.replace(/(-ipv\d)?\.golden$/, '.txt'))
    const parsed = parseMessage(raw)
    const golden = readCorpus('inbucket/testdata', path).toString('utf8')
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(golden)?.[1]
    const [, text = '', html = ''] = /BODY TEXT:\n(.*)\n\nBODY HTML:\n(.*)$/s.exec(golden) ?? []
    const to = readTo(parsed)
    agreement.expect(`${path} from`, written(readSender(parsed)), field('From'))
    // without a To field inbucket shows the recipient of the envelope
    if (to.length > 0) agreement.expect(`${path} to`, `[${to.map(written).join(', ')}]`, field('To'))
    agreement.expect(`${path} subject`, readSubject(parsed), field('Subject'))
    const body = readBody(raw, parsed)
    agreement.expect(`${path} text`, body.text?.trim(), text.trim())
    agreement.expect(`${path} html`, body.html?.trim() ?? '', html.trim())
  }
}

function written({ name, address }: MailAddress): string {
  return name === '' ? `<${address}>` : `${name} <${address}>`
}
