/** enmime's `.golden` files are the expected output of its encoder. Names and texts in them tell its input, which we must read back. */
import { type Agreement, corpusFiles, readCorpus } from './agreement.ts'
import { shown, withLf } from './shown.ts'

type Wanted = {
  readonly subject?: string
  readonly from?: string
  readonly to?: readonly string[]
  readonly text?: string
  readonly html?: string
  /** File name and content. The binary samples count the bytes from 0 to 255 repeatedly. */
  readonly files?: readonly (readonly [string, string | 'counted'])[]
}

const ZIP = 'ZIPZIPZIP'
const ZIP_NAME = 'árvíztűrő _x_ tükörfúrógép.zip'
const HTML = '<!DOCTYPE html><html><body><h1>My First Heading</h1><p>My first paragraph éà.</p></body></html>'
const INVITATION = { html: '<div>HTML part</div>', text: 'Plain text part' }

const wantedOf: Record<string, Wanted> = {
  'build-qp-addr-headers': { subject: 'RFC 2047', from: 'Olle Järnefors', to: ['Patrik Fältström', 'Keld Jørn Simonsen'] },
  'nocontent-with-children': INVITATION,
  'parser-raw-content-html-option-false.raw': { subject: 'Test subject', html: HTML },
  'parser-raw-content-html-option-true.raw': { subject: 'Test subject', html: HTML },
  'parser-raw-content-text-option-false.raw': { subject: 'Test subject', text: '\n\n添付ファイル名テスト\r\n\n' },
  'parser-raw-content-text-option-true.raw': { subject: 'Test subject', text: '\n\n添付ファイル名テスト' },
  'part-bin-content': { files: [['attachment-1.jpg', 'counted']] },
  'part-bin-header': { subject: '¡Hola, señor!', text: 'This is a test of a plain text part.\n\nAnother line.' },
  'part-content-only-qp': { text: '☆ No header, only content.' },
  'part-content-only': { text: 'No header, only content.' },
  'part-default-headers': { files: [['stuff.zip', ZIP]] },
  'part-empty': {},
  'part-file-mod-date': { text: '¡Hola, señor! Welcome to MIME' },
  'part-header-only-default-encoding': {},
  'part-header-only': {},
  'part-message-rfc822': { files: [['attachment-1.eml', 'counted']] },
  'part-plain': { text: 'This is a test of a plain text part.\n\nAnother line.' },
  'part-quotable-content': { text: 'Hello=' },
  'part-quoted-content': { text: '¡Hola, señor! Welcome to MIME' },
  'part-quoted-headers': { files: [[ZIP_NAME, ZIP]] },
  'part-quoted-printable-headers': { files: [[ZIP_NAME, ZIP]] },
  'part-with-children': INVITATION,
  'utf8-to.raw': { subject: 'test utf8 to', from: 'Weiß', to: ['Jøhn Døe'], text: 'This is a test mailing' },
}

export function compareGoldens(agreement: Agreement): void {
  for (const path of corpusFiles('enmime/encode', name => name.endsWith('.golden'))) {
    const actual = shown(readCorpus('enmime/encode', path))
    const wanted = wantedOf[path.replace('.golden', '')]
    agreement.expect(`${path} subject`, actual.subject, wanted?.subject ?? '')
    agreement.expect(`${path} from`, actual.from.name, wanted?.from ?? '')
    agreement.expect(
      `${path} to`,
      actual.to.map(({ name }) => name).filter(name => name !== ''),
      wanted?.to ?? [],
    )
    agreement.expect(`${path} text`, withLf(actual.text ?? '').trimEnd(), withLf(wanted?.text ?? '').trimEnd())
    agreement.expect(`${path} html`, actual.html?.trimEnd(), wanted?.html)
    const files = actual.attachments.map(({ filename, bytes }) => [filename, isCounted(bytes) ? 'counted' : bytes.toString('latin1')])
    agreement.expect(`${path} files`, files, wanted?.files ?? [])
  }
}

function isCounted(bytes: Buffer): boolean {
  return bytes.length > 256 && bytes.every((byte, index) => byte === (index & 255))
}
