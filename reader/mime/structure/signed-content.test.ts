/** Mail signed in one block, as OpenSSL 3 writes it: `smime -sign -nodetach`, `cms -sign -nodetach -stream`, `cms -encrypt`. */
import { expect, test } from 'vitest'
import { summarise } from '../../summary.ts'
import { signedContent } from './signed-content.ts'

const DEFINITE = [
  'MIICBQYJKoZIhvcNAQcCoIIB9jCCAfICAQExDzANBglghkgBZQMEAgEFADBdBgkqhkiG9w0BBwGgUAROQ29udGVudC1UeXBlOiB0ZXh0L3BsYW',
  'luOyBjaGFyc2V0PXV0Zi04DQoNCllvdXIgc2lnbi1pbiBjb2RlIGlzIDQ4MTUxNi4gSMOpIQ0KMYIBezCCAXcCAQEwJjAOMQwwCgYDVQQDDANh',
  'ZGECFAOz47xtM0lKmiHOjsIirSo4lKrrMA0GCWCGSAFlAwQCAQUAoIHkMBgGCSqGSIb3DQEJAzELBgkqhkiG9w0BBwEwHAYJKoZIhvcNAQkFMQ',
  '8XDTI2MTEyMzAyNDQwM1owLwYJKoZIhvcNAQkEMSIEIOL8XFgcC0RMwfCAVvhuSRQVMImRa5MtP5SHnG9kJ11XMHkGCSqGSIb3DQEJDzFsMGow',
  'CwYJYIZIAWUDBAEqMAsGCWCGSAFlAwQBFjALBglghkgBZQMEAQIwCgYIKoZIhvcNAwcwDgYIKoZIhvcNAwICAgCAMA0GCCqGSIb3DQMCAgFAMA',
  'cGBSsOAwIHMA0GCCqGSIb3DQMCAgEoMAoGCCqGSM49BAMCBEgwRgIhAI5+xnTMiviamTbwtoFR1F19Ec80zqrismPZ1hXJLEIMAiEA8Bx902K8',
  '7RzJF+yKaPRn1j9+tpTkzZJk5f0H+GjWUdk=',
].join('')
const STREAMED = [
  'MIAGCSqGSIb3DQEHAqCAMIACAQExDTALBglghkgBZQMEAgEwgAYJKoZIhvcNAQcBoIAkgAROQ29udGVudC1UeXBlOiB0ZXh0L3BsYWluOyBjaG',
  'Fyc2V0PXV0Zi04DQoNCllvdXIgc2lnbi1pbiBjb2RlIGlzIDQ4MTUxNi4gSMOpIQ0KAAAAAAAAMYH8MIH5AgEBMCYwDjEMMAoGA1UEAwwDYWRh',
  'AhQDs+O8bTNJSpohzo7CIq0qOJSq6zALBglghkgBZQMEAgGgaTAYBgkqhkiG9w0BCQMxCwYJKoZIhvcNAQcBMBwGCSqGSIb3DQEJBTEPFw0yNj',
  'ExMjMwMjQ0MDNaMC8GCSqGSIb3DQEJBDEiBCDi/FxYHAtETMHwgFb4bkkUFTCJkWuTLT+Uh5xvZCddVzAKBggqhkjOPQQDAgRIMEYCIQCVjdKS',
  'nv+jouIcUXQCtlctLAed9tcEofrpBfzNSqJqPQIhAOmC8PIiBtjRWzn0x0Me9fDe3sfQA47l8Lh/sw3/qG8ZAAAAAAAA',
].join('')
const ENCRYPTED = [
  'MIIBWwYJKoZIhvcNAQcDoIIBTDCCAUgCAQIxgc2hgcoCAQOgUaFPMAkGByqGSM49AgEDQgAE+P1/LTpDvoklt1y48U1ZG2T6Rq6YcPhlXpdmJT',
  'ZbsFFTzSs4ycVPpoWIS1ffEAddSzWdppXtLBWA2Tr0UIuzkDAcBgkrgQUQhkg/AAIwDwYLKoZIhvcNAQkQAwYFADBUMFIwJjAOMQwwCgYDVQQD',
  'DANhZGECFAOz47xtM0lKmiHOjsIirSo4lKrrBCj6/qEW6xfDoKGcnxc5xWoRVw9HVxuUkwqjREzNdhix4Fw7VdiOuj2/MHMGCSqGSIb3DQEHAT',
  'AUBggqhkiG9w0DBwQIKmKdVwiUJ2eAUFM82cn5BCJ3gwOYM2436rWzoYTsF0HXCwp8mYBmmVvHoGc4fFtQPX2qh7UCA3rHUuY8L+uyUAi+0HLJ',
  'n2E71YNwuQLJwXgbdnkmlP8faYQ0',
].join('')

const TEXT = 'Your sign-in code is 481516. Hé!'

const mail = (block: string) =>
  `From: ada@x.test\r\nContent-Type: application/pkcs7-mime; name=smime.p7m\r\nContent-Transfer-Encoding: base64\r\n\r\n${block}\r\n`

test.each([
  ['with lengths', DEFINITE],
  ['streamed', STREAMED],
])('the text of a signed block (%s) is shown and searched for codes', (_, block) => {
  const summary = summarise(Buffer.from(mail(block)), '')
  expect([summary.preview, summary.codes, summary.attachmentCount]).toEqual([TEXT, ['481516'], 1])
})

test('an encrypted or damaged block stays an attachment', () => {
  const { codes, preview, attachmentCount } = summarise(Buffer.from(mail(ENCRYPTED)), '')
  expect([codes, preview, attachmentCount]).toEqual([[], '', 1])
  const whole = Buffer.from(STREAMED, 'base64')
  for (let length = 0; length < 130; length++) expect(signedContent(whole.subarray(0, length))).toBeUndefined()
})

test('a block nested without end is read in linear time', () => {
  expect(signedContent(Buffer.alloc(4 << 20, Buffer.from('3080', 'hex')))).toBeUndefined()
  expect(signedContent(Buffer.concat([Buffer.from('3080', 'hex'), Buffer.alloc(4 << 20, Buffer.from('0401aa', 'hex'))]))).toBeUndefined()
})
