/** Reports of real servers (test/fixtures/mail/reports/), and what is shown of them. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readMail } from '../../../test/harness/read-mail.ts'
import { readReport } from './report.ts'

const FOLDER = resolve(import.meta.dirname, '../../../test/fixtures/mail/reports')
const fixture = (name: string) => readFileSync(join(FOLDER, name), 'latin1')

function read(mail: string) {
  const { raw, parsed, body, preview } = readMail(mail)
  const report = readReport(raw, parsed.root)
  return { kind: report?.kind, fields: report?.fields.map(({ name, value }) => `${name}: ${value}`), report, body, preview }
}

const RETURNED = ['Subject: Grüße from the shop', 'Date: Sat, 28 Nov 2026 10:00:00 +0000']

test.each([
  [
    'postfix-3.7.11-failed.eml',
    'failed',
    [
      'Subject: Grüße from the shop',
      'Final-Recipient: nobody@gone.example',
      'Status: 5.1.1',
      'Remote-MTA: 127.0.0.1',
      'Diagnostic-Code: 550 5.1.1 <nobody@gone.example>: Recipient address rejected: User unknown',
      'Reporting-MTA: sender.test',
      'Arrival-Date: Sat, 28 Nov 2026 23:03:11 +0000 (UTC)',
      'Date: Sat, 28 Nov 2026 10:00:00 +0000',
    ],
  ],
  ['postfix-3.7.11-delayed.eml', 'delayed', expect.arrayContaining([...RETURNED, 'Final-Recipient: late@gone.example', 'Status: 4.7.1'])],
  [
    'postfix-3.7.11-delivered.eml',
    'delivered',
    expect.arrayContaining([...RETURNED, 'Final-Recipient: somebody@gone.example', 'Status: 2.0.0']),
  ],
  [
    'exim-4.96-failed.eml',
    'failed',
    [
      'Subject: Grüße from the shop',
      'Final-Recipient: nobody@gone.example',
      'Status: 5.0.0',
      'Remote-MTA: 127.0.0.1',
      'Diagnostic-Code: 550 5.1.1 <nobody@gone.example>: Recipient address rejected: User unknown',
      'Reporting-MTA: sender.test',
      'Date: Sat, 28 Nov 2026 10:00:00 +0000',
    ],
  ],
  ['exim-4.96-delayed.eml', 'delayed', expect.arrayContaining([...RETURNED, 'Final-Recipient: late@gone.example', 'Status: 4.0.0'])],
  ['exim-4.96-delivered.eml', 'delivered', expect.arrayContaining([...RETURNED, 'Final-Recipient: somebody@gone.example'])],
] as const)('%s', (name, kind, fields) => {
  const { kind: read_, fields: told, body } = read(fixture(name))
  expect([read_, told]).toEqual([kind, fields])
  // The explanation for people says it, and the returned mail is an attachment.
  expect(body.text).not.toContain('Diagnostic-Code')
  expect(body.html).toBeUndefined()
})

describe.each(['postfix-3.7.11-failed.eml', 'exim-4.96-failed.eml'])('%s without its explanation', name => {
  const mail = fixture(name).replace(/(content-type: text\/plain[\s\S]*?\r\n\r\n)[\s\S]*?(\r\n--)/i, '$1$2')
  const { report, body, preview } = read(mail)

  test('says that it is a bounce, of what and why, before the returned mail', () => {
    expect(body.text?.trimStart()).toBe(
      `${report?.text}\n----------\nFrom: Shop <hello@shop.example>\nTo: Nobody <nobody@gone.example>\nDate: Sat, 28 Nov 2026 10:00:00 +0000\nSubject: Grüße from the shop\n\nHello you`,
    )
    expect(report?.text).toMatch(
      /^A mail could not be delivered\.\nSubject: Grüße from the shop\n[\s\S]*Diagnostic-Code: 550 5\.1\.1 .*User unknown\n/,
    )
    expect(preview).toBe('A mail could not be delivered. Subject: Grüße from the shop Final-Recipient: nobody@gone.example Sta')
  })

  test('shows the HTML of the returned mail', () => {
    expect(body.html).toMatch(/<b>Subject:<\/b> Grüße from the shop<\/p>\n<p>Hello <b>you<\/b><\/p>/)
  })
})

const report = (type: string, fields: string, ...others: string[]) =>
  [
    'Content-Type: multipart/report; boundary=b',
    '',
    '--b',
    '',
    '',
    `--b\r\nContent-Type: ${type}`,
    '',
    fields,
    ...others.map(part => `--b\r\n${part}`),
    '--b--',
  ].join('\r\n')
const header = 'Content-Type: text/rfc822-headers\r\n\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\nTo: ann@x.test\r\n'

test.each([
  [
    'a receipt (RFC 8098)',
    report(
      'message/disposition-notification',
      'Reporting-UA: phone; Mail 1\r\nFinal-Recipient: rfc822;ann@x.test\r\nDisposition: manual-action/MDN-sent-manually; displayed\r\n',
      header,
    ),
    'read',
    'A mail was shown to its recipient.\nSubject: Grüße\nReporting-UA: phone; Mail 1\nFinal-Recipient: ann@x.test\nDisposition: manual-action/MDN-sent-manually; displayed\n',
  ],
  [
    'a receipt of a mail that nobody read',
    report(
      'message/disposition-notification',
      'Final-Recipient: rfc822;ann@x.test\r\nDisposition: automatic-action/MDN-sent-automatically; deleted\r\n',
    ),
    'deleted',
    'A mail was deleted before it was shown.\nFinal-Recipient: ann@x.test\nDisposition: automatic-action/MDN-sent-automatically; deleted\n',
  ],
  [
    'a complaint (RFC 5965)',
    report(
      'message/feedback-report',
      'Feedback-Type: abuse\r\nUser-Agent: Filter/1.0\r\nVersion: 1\r\nOriginal-Mail-From: <hello@shop.example>\r\nSource-IP: 192.0.2.1\r\n',
      header,
    ),
    'complaint',
    'Somebody complained about a mail.\nSubject: Grüße\nFeedback-Type: abuse\nUser-Agent: Filter/1.0\nOriginal-Mail-From: hello@shop.example\nSource-IP: 192.0.2.1\n',
  ],
  [
    'a bounce with two recipients',
    report(
      'message/delivery-status',
      'Reporting-MTA: dns;mx.test\r\n\r\n\r\nFinal-Recipient: rfc822;a@x.test\r\nAction: delayed\r\n\r\nFinal-Recipient: rfc822;b@x.test\r\nAction: failed\r\nStatus: 5.2.2\r\n',
    ),
    'failed',
    'A mail could not be delivered.\nFinal-Recipient: a@x.test\nFinal-Recipient: b@x.test\nStatus: 5.2.2\nReporting-MTA: mx.test\n',
  ],
  [
    'a bounce with an address beyond ASCII (RFC 6533)',
    report('message/global-delivery-status', 'Final-Recipient: utf-8;\\x{17E}ofia@x.test\r\nStatus: 5.1.1\r\n'),
    'failed',
    'A mail could not be delivered.\nFinal-Recipient: žofia@x.test\nStatus: 5.1.1\n',
  ],
  ['a bounce that says nothing', report('message/delivery-status', ''), 'failed', 'A mail could not be delivered.\n'],
  [
    'a bounce of nothing but garbage',
    report('message/delivery-status', `${'x\r\n'.repeat(200_000)}`),
    'failed',
    'A mail could not be delivered.\n',
  ],
  [
    'a bounce of empty lines',
    report('message/delivery-status', `${'\r\n'.repeat(500_000)}Status: 5.0.0`),
    'failed',
    'A mail could not be delivered.\n',
  ],
] as const)('%s is told in words', (_, mail, kind, text) => {
  const { report: found, body, kind: told } = read(mail)
  expect([told, found?.text, body.text?.trim()]).toEqual([kind, text, text.trim()])
})

test('a report of a thousand fields is cut', () => {
  const { fields } = read(report('message/delivery-status', 'Status: 5.0.0\r\n\r\n'.repeat(1000)))
  expect(fields).toHaveLength(100)
})
