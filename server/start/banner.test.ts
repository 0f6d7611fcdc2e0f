import { expect, test } from 'vitest'
import { renderBanner } from './banner.ts'

const starttls = { toLocal: false, toOthers: true, isGenerated: true, names: 'mayfly.test, localhost' }
const base = { host: '0.0.0.0', httpHost: '0.0.0.0', httpPort: 8080, smtpPort: 2525, publicUrl: undefined, starttls }

test('without settings the short command is printed', () => {
  expect(renderBanner(base).split('\n')).toEqual([
    'Site:  http://localhost:8080',
    'Mail:  localhost:2525',
    '       A mail library needs: no TLS, no login',
    'Send a first mail to the address that the site shows:',
    '  npm run send-test -- ADDRESS',
    '  echo "Subject: Hello" | curl smtp://localhost:2525 --mail-rcpt ADDRESS --upload-file -',
  ])
})

test.each([
  ['another port', { smtpPort: 25 }, 'npm run send-test -- ADDRESS --port 25', 'Mail:  localhost:25'],
  ['this machine only', { host: '127.0.0.1', httpHost: '127.0.0.1' }, 'npm run send-test -- ADDRESS', 'Site:  http://localhost:8080'],
  ['every address, IPv6 too', { host: '::', httpHost: '::' }, 'npm run send-test -- ADDRESS', 'Mail:  localhost:2525'],
  [
    'one address, HTTP on another',
    { host: '192.0.2.7', httpHost: '192.0.2.8' },
    'npm run send-test -- ADDRESS --host 192.0.2.7',
    'Site:  http://192.0.2.8:8080',
  ],
  ['one IPv6 address', { host: '::1', smtpPort: 26 }, 'npm run send-test -- ADDRESS --host ::1 --port 26', 'Mail:  [::1]:26'],
])('%s: the printed command reaches the server', (_, settings, command, line) => {
  const lines = renderBanner({ ...base, ...settings }).split('\n')
  expect(lines.at(-2)).toBe(`  ${command}`)
  expect(lines).toContain(line)
})

test('a public URL is printed next to the local one, unless both are the same', () => {
  expect(renderBanner({ ...base, publicUrl: 'https://mail.example' })).toContain(
    'Site:  http://localhost:8080\n       https://mail.example (PUBLIC_URL)\nMail:',
  )
  expect(renderBanner({ ...base, publicUrl: 'http://localhost:8080' })).not.toContain('PUBLIC_URL')
})

test.each([
  [{ ...starttls, toLocal: true }, 'STARTTLS with a generated certificate, which it must not verify; no login'],
  [
    { ...starttls, toLocal: true, isGenerated: false, names: 'mx.a.example, mx.b.example' },
    'STARTTLS, verified if it connects to mx.a.example; no login',
  ],
])('what a mail library needs follows from the certificate and SMTP_STARTTLS', (state, hint) => {
  expect(renderBanner({ ...base, starttls: state })).toContain(`A mail library needs: ${hint}`)
})
