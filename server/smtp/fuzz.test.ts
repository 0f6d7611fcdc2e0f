/** For any input, cut anywhere: every reply line is in the table of replies, and the next client is served. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { failures, mailFailures, pathFaults, protocolReplies } from '#server/errors.ts'
import { play, SmtpClient } from '#test/harness/clients/smtp-client.ts'
import { startTestSmtp } from '#test/harness/mayfly/start-smtp.ts'
import { untilEnd } from '#test/harness/until-end.ts'

const RUNS = 150

const smtp = await untilEnd(
  startTestSmtp({
    env: { MESSAGE_BYTES_MAX: '2000', MAILBOX_MESSAGES_MAX: '10000', SMTP_STARTTLS: 'always' },
    allowLog: [/STARTTLS failed/],
    limits: { tlsHandshakeMs: 50, deadlineCheckMs: 10 },
  }),
)
const live = (await smtp.newAddress()).email

const rows = [
  ...Object.values(protocolReplies),
  ...Object.values(mailFailures),
  ...Object.values(failures).flatMap(row => ('smtp' in row ? [row.smtp] : [])),
]
const { bad_address, bad_sender } = protocolReplies
const named = [bad_address, bad_sender].flatMap(([code, text]) => pathFaults.map(fault => [code, `${text}: ${fault}`] as const))
const known = new Set([...rows, ...named].map(([code, text]) => `${code} ${text}`))
const isKnown = (line: string) =>
  known.has(line) ||
  /^(220 mayfly\.test ESMTP|250[ -](mayfly\.test|PIPELINING|SIZE 2000|8BITMIME|SMTPUTF8|ENHANCEDSTATUSCODES|STARTTLS))$/.test(line)

const line = () =>
  fc.oneof(
    fc.constantFrom(
      'EHLO me',
      'HELO me',
      'RSET',
      'NOOP',
      'DATA',
      'MAIL FROM:<>',
      'MAIL FROM:<a@b.test> SIZE=99 BODY=8BITMIME',
      'VRFY x',
      'STARTTLS',
    ),
    fc.constantFrom(
      '.',
      '..',
      '',
      'Subject: x',
      'MAIL FROM:<ü@b.test> SMTPUTF8',
      'RCPT TO:<nobody@mayfly.test>',
      'BDAT 3 LAST',
      'x'.repeat(3000),
    ),
    fc.constant('RCPT TO:<live>'),
    fc.string({ unit: 'binary', maxLength: 40 }),
  )
const script = fc.array(fc.tuple(line(), fc.constantFrom('\r\n', '\r\n', '\r\n', '\r\n', '\n', '\r', '\r\n.\r\n')), {
  minLength: 1,
  maxLength: 40,
})

test('no input breaks the server or gets a reply that is not in the table', async () => {
  await fc.assert(
    fc.asyncProperty(script, fc.array(fc.nat(3000), { maxLength: 6 }), async (lines, cuts) => {
      await using client = await SmtpClient.connect(smtp.port)
      const wire = Buffer.from(lines.map(([text, end]) => text.replace('<live>', `<${live}>`) + end).join(''))
      let at = 0
      for (const cut of [...cuts.filter(cut => cut < wire.length).sort((a, b) => a - b), wire.length]) {
        client.socket.write(wire.subarray(at, cut))
        at = cut
      }
      client.socket.end()
      await client.closed()
      const unknown = client.pending.split('\r\n').filter(reply => reply !== '' && !isKnown(reply))
      expect(unknown).toEqual([])
    }),
    { numRuns: RUNS },
  )
  await play(smtp.port, [
    ['EHLO me', 250],
    ['MAIL FROM:<>', 250],
    [`RCPT TO:<${live}>`, 250],
  ])
})
