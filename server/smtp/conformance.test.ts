/** SMTP as RFC 5321 and its extensions define it, played as scripts over a real socket. */
import { describe, expect, test } from 'vitest'
import { play, SmtpClient, type Step } from '#test/harness/clients/smtp-client.ts'
import { startTestSmtp } from '#test/harness/mayfly/start-smtp.ts'
import { untilEnd } from '#test/harness/until-end.ts'

const MESSAGE_BYTES_MAX = 100_000
const HELLO: Step = ['EHLO client.test', 250]
const MAIL: Step = ['MAIL FROM:<sender@elsewhere.test>', '250 2.1.0']
const END = Buffer.from('.\r\n')

const smtp = await untilEnd(startTestSmtp({ env: { MESSAGE_BYTES_MAX: String(MESSAGE_BYTES_MAX) } }))
const live = (await smtp.newAddress()).email
const expired = await smtp.newAddress()
const gone = expired.email
await expired.destroy()

/** A transaction up to DATA, as the script of its own session. */
const to = (...recipients: string[]): Step[] => [HELLO, MAIL, ...recipients.map((email): Step => [`RCPT TO:<${email}>`, '250 2.1.5'])]

describe('greeting', () => {
  test('names the host and no software', async () => {
    await using client = SmtpClient.open(smtp.port)
    expect(await client.reply()).toBe('220 mayfly.test ESMTP')
  })

  test('EHLO offers exactly the supported extensions', async () => {
    const [reply] = await play(smtp.port, [HELLO])
    expect(reply?.split('\r\n')).toEqual([
      '250-mayfly.test',
      '250-PIPELINING',
      `250-SIZE ${MESSAGE_BYTES_MAX}`,
      '250-8BITMIME',
      '250-SMTPUTF8',
      '250 ENHANCEDSTATUSCODES',
    ])
  })
})

/** Scripts whose replies say it all. */
const scripts: [title: string, steps: () => Step[]][] = [
  [
    'HELO and EHLO want a name',
    () => [
      ['EHLO', '501 5.5.4'],
      ['HELO', '501 5.5.4'],
      ['EHLO a\x01b', '501 5.5.4'],
      ['HELO me', '250 mayfly.test'],
      ['ehlo [127.0.0.1]', 250],
    ],
  ],
  ['mail before hello', () => [['MAIL FROM:<a@b.test>', '503 5.5.1']]],
  [
    'commands out of order leave the transaction as it was',
    () => [
      HELLO,
      [`RCPT TO:<${live}>`, '503 5.5.1'],
      ['DATA', '503 5.5.1'],
      MAIL,
      ['MAIL FROM:<other@elsewhere.test>', '503 5.5.1'],
      ['DATA', '503 5.5.1'],
      [`RCPT TO:<${live}>`, '250 2.1.5'],
      ['DATA', 354],
      [END, '250 2.0.0'],
    ],
  ],
  ['a second EHLO ends the transaction', () => [...to(live), HELLO, ['DATA', '503 5.5.1']]],
  ['RSET ends the transaction', () => [...to(live), ['RSET', '250 2.0.0'], ['DATA', '503 5.5.1'], MAIL]],
  [
    'what is no command is answered so',
    () => [
      ['FOO', '500 5.5.2'],
      ['', '500 5.5.2'],
      ['\xff\xfe\0', '500 5.5.2'],
      ['MAILFROM:<a@b.test>', '500 5.5.2'],
      ['__proto__', '500 5.5.2'],
      [Buffer.from('NOOP\n'), '500 5.5.2'],
      ['NOOP', 250],
    ],
  ],
  [
    'the small commands; VRFY and EXPN tell nothing',
    () => [
      [`VRFY ${live}`, '252 2.0.0'],
      [`VRFY ${gone}`, '252 2.0.0'],
      [`EXPN ${live}`, '502 5.5.1'],
      ['HELP', '214 2.0.0'],
      ['HELP MAIL', '214 2.0.0'],
      ['NOOP', '250 2.0.0'],
      ['noop whatever', '250 2.0.0'],
      ['RSET now', '501 5.5.4'],
      ['QUIT', '221 2.0.0'],
    ],
  ],
  [
    'paths that cannot be read',
    () => [
      HELLO,
      ['MAIL FROM a@b.test', '501 5.1.7 Syntax error in sender address: MAIL FROM:<address> is expected'],
      ['MAIL', '501 5.1.7'],
      MAIL,
      ['RCPT TO:<a@b.test', '501 5.1.3 Syntax error in address: > is missing'],
      ['RCPT TO:<a@b.test>x', '501 5.1.3 Syntax error in address: a blank is missing after >'],
      ['RCPT TO:<>', '501 5.1.3 Syntax error in address: the address is missing'],
      ['RCPT TO:<nodomain>', '501 5.1.3 Syntax error in address: @ and a domain are missing'],
      [`RCPT FROM:<${live}>`, '501 5.1.3'],
    ],
  ],
  [
    'a parameter that was not offered',
    () => [
      HELLO,
      ['MAIL FROM:<a@b.test> FOO=1', '555 5.5.4'],
      ['MAIL FROM:<a@b.test> RET=HDRS', '555 5.5.4'],
      ['MAIL FROM:<a@b.test> BODY=BINARYMIME', '501 5.5.4'],
      ['MAIL FROM:<a@b.test> =', '501 5.5.4'],
      ['MAIL FROM:<a@b.test> AUTH=<> BODY=8BITMIME', '250 2.1.0'],
      [`RCPT TO:<${live}> BAR`, '555 5.5.4'],
    ],
  ],
  ['control characters in a path', () => [HELLO, MAIL, ['RCPT TO:<a\0@b.test>', '501 5.1.3'], ['RCPT TO:<a\r@b.test>', '501 5.1.3']]],
  [
    'addresses as devices write them',
    () => [
      HELLO,
      ['mail from : Scanner@Copier.Test SIZE=100', '250 2.1.0'],
      [`rcpt  to:  ${live.toUpperCase()} `, '250 2.1.5'],
      ['RSET', 250],
      ['MAIL From: < scanner@copier.test >', '250 2.1.0'],
      [`Rcpt To: < ${live} >`, '250 2.1.5'],
    ],
  ],
  [
    'every form of a path reaches the same mailbox',
    () =>
      to(live, `@x.test,@y.test:${live}`, `${live}.`, live.toUpperCase(), live.replace(/^(.*)@/, '"$1"@'), live.replace(/^(.)/, '\\$1')),
  ],
  [
    'quoted, tagged and odd local parts are looked up as mailboxes',
    () => [
      HELLO,
      MAIL,
      ['RCPT TO:<"a b"@mayfly.test>', '550 5.1.1'],
      ['RCPT TO:<""@mayfly.test>', '550 5.1.1'],
      ['RCPT TO:<""@elsewhere.test>', '550 5.7.1'],
      [`RCPT TO:<${live.replace('@', '+tag@')}>`, /^(250 2.1.5|550 5.1.1)/],
    ],
  ],
  [
    'lengths at and over the limit',
    () => [
      HELLO,
      MAIL,
      [`RCPT TO:<${'a'.repeat(64)}@mayfly.test>`, '550 5.1.1'],
      [`RCPT TO:<${'a'.repeat(65)}@mayfly.test>`, '501 5.1.3'],
      [`RCPT TO:<a@${`${'b'.repeat(49)}.`.repeat(5)}abcde>`, '550 5.7.1'],
      [`RCPT TO:<a@${`${'b'.repeat(49)}.`.repeat(5)}abcdef>`, '501 5.1.3'],
      [`NOOP ${'x'.repeat(505)}`, 250],
      [`NOOP ${'x'.repeat(2041)}`, 250],
      [`NOOP ${'x'.repeat(4200)}`, '500 5.5.2'],
      ['NOOP', 250],
    ],
  ],
  ['postmaster is always there', () => to('Postmaster', 'postmaster@mayfly.test', 'POSTMASTER@MAYFLY.TEST')],
  ['the null sender is welcome', () => [HELLO, ['MAIL FROM:<>', '250 2.1.0'], [`RCPT TO:<${live}>`, '250 2.1.5']]],
  [
    'SIZE over the limit is refused for each recipient',
    () => [
      HELLO,
      [`MAIL FROM:<a@b.test> SIZE=${MESSAGE_BYTES_MAX + 1}`, '250 2.1.0'],
      [`RCPT TO:<${live}>`, '552 5.3.4'],
      ['RCPT TO:<nobody@mayfly.test>', '550 5.1.1'],
      ['RCPT TO:<postmaster@mayfly.test>', '552 5.3.4'],
      ['DATA', '554 5.5.1'],
      ['RSET', 250],
      MAIL,
      [`RCPT TO:<${live}>`, '250 2.1.5'],
    ],
  ],
  ['SIZE at the limit', () => [HELLO, [`MAIL FROM:<a@b.test> SIZE=${MESSAGE_BYTES_MAX}`, '250 2.1.0']]],
  [
    'SIZE that is no size',
    () => [
      HELLO,
      ['MAIL FROM:<a@b.test> SIZE=abc', '501 5.5.4'],
      ['MAIL FROM:<a@b.test> SIZE=-1', '501 5.5.4'],
      ['MAIL FROM:<a@b.test> SIZE', '501 5.5.4'],
      ['MAIL FROM:<a@b.test> SIZE=1 SIZE=2', '501 5.5.4'],
      ['MAIL FROM:<a@b.test> SIZE=99999999999999999999', '250 2.1.0'],
      [`RCPT TO:<${live}>`, '552 5.3.4'],
    ],
  ],
  ['STARTTLS takes no parameter', () => [HELLO, ['STARTTLS foo', '501 5.5.4'], MAIL]],
  [
    'an address needs SMTPUTF8 if its local part is not ASCII; a domain has an ASCII form',
    () => [
      HELLO,
      [Buffer.from('MAIL FROM:<ü@b.test>\r\n'), '553 5.6.7'],
      MAIL,
      [Buffer.from('RCPT TO:<ü@mayfly.test>\r\n'), '553 5.6.7'],
      [Buffer.from('RCPT TO:<a@bücher.test>\r\n'), '550 5.7.1'],
      ['RSET', 250],
      [Buffer.from('MAIL FROM:<a@bücher.test>\r\n'), '250 2.1.0'],
      ['RSET', 250],
      ['MAIL FROM:<\xff@b.test> SMTPUTF8', '501 5.1.7'],
      [Buffer.from('MAIL FROM:<ü@b.test> SMTPUTF8 BODY=8BITMIME\r\n'), '250 2.1.0'],
      [Buffer.from('RCPT TO:<ü@mayfly.test>\r\n'), '550 5.1.1'],
      [`RCPT TO:<${live}>`, '250 2.1.5'],
    ],
  ],
  ['BDAT is not offered', () => [...to(live), ['BDAT 5 LAST', '502 5.5.1'], ['hello', '500 5.5.2']]],
]

describe('replies', () => {
  test.each(scripts)('%s', async (_, steps) => {
    const script = steps()
    expect(await play(smtp.port, script)).toHaveLength(script.length)
  })

  test('after 20 errors the session ends', async () => {
    await using client = await SmtpClient.connect(smtp.port)
    for (let error = 1; error < 20; error++) await client.play([['FOO', '500 5.5.2']])
    await client.play([['FOO', '500 5.5.2']])
    expect(await client.reply()).toMatch(/^421 4\.7\.0/)
    await client.closed()
  })

  test('ten megabytes without an end of line are not kept in memory', async () => {
    await using client = await SmtpClient.connect(smtp.port)
    client.send(Buffer.alloc(10_000_000, 'A'))
    expect(await client.reply()).toMatch(/^500 5\.5\.2/)
    await client.closed()
  })
})
