/** `mayfly read` as its own process, without a server or a data folder. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { COMPILED_CODE } from '#test/harness/compiled-code.ts'

const folder = mkdtempSync(join(tmpdir(), 'mayfly-read-'))
afterAll(() => rmSync(folder, { recursive: true }))

function read(...args: string[]) {
  const env = { ...COMPILED_CODE, PATH: process.env.PATH }
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'mayfly.ts'), 'read', ...args], {
    env,
    encoding: 'utf8',
  })
  return { code: status, out: stdout, err: stderr }
}

const file = join(folder, 'mail.eml')
writeFileSync(
  file,
  [
    'From: Shop <hello@shop.example>',
    'To: ada@box.example',
    'Subject: Confirm your address',
    'Message-ID: <1@shop.example>',
    'Date: Sat, 28 Nov 2026 10:00:00 +0000',
    '',
    'Your code is 481516. Confirm your address: *https://shop.example/confirm?t=1*',
    'Not a \x1b[31mcolour.',
    '',
  ].join('\n'),
)

test('prints what a person sees in a mail, and nothing that controls the terminal', () => {
  // The file has the line ends of Unix, which are no fault of the mail.
  expect(read(file)).toEqual({
    code: 0,
    err: '',
    out: `From      Shop <hello@shop.example>
To        ada@box.example
Date      2026-11-28T10:00:00.000Z
Subject   Confirm your address
Preview   Your code is 481516. Confirm your address: *https://shop.example/confirm?t=1* Not a [31mcolour.
Code      481516
Confirms  shop.example: https://shop.example/confirm?t=1
Link      https://shop.example/confirm?t=1

Your code is 481516. Confirm your address: *https://shop.example/confirm?t=1*
Not a \ufffd[31mcolour.
`,
  })
})

test('prints the same as one line of JSON', () => {
  const { code, out } = read(file, '--json')
  expect([code, out.trimEnd().split('\n').length]).toEqual([0, 1])
  expect(JSON.parse(out)).toMatchObject({
    subject: 'Confirm your address',
    codes: ['481516'],
    allLinks: [{ url: 'https://shop.example/confirm?t=1' }],
    parseStatus: 'ok',
  })
})

test('prints the invitation of a mail', () => {
  const calendar = join(folder, 'invitation.eml')
  const event = (times: string) =>
    [
      'Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/calendar; charset=utf-8; method=REQUEST\n',
      'BEGIN:VCALENDAR\nVERSION:2.0\nMETHOD:REQUEST\nBEGIN:VEVENT\nUID:1@a.example\nSUMMARY:Garden meeting',
      `LOCATION:Hall 2\n${times}\nEND:VEVENT\nEND:VCALENDAR\n--b--\n`,
    ].join('\n')
  const line = (times: string) => {
    writeFileSync(calendar, event(times))
    return /^Event +(.*)$/m.exec(read(calendar).out)?.[1]
  }
  expect(line('DTSTART;VALUE=DATE:20260714\nDURATION:P3D')).toBe('request: Garden meeting, 2026-07-14 before 2026-07-17, Hall 2')
  expect(line('DTSTART:20260714T080000Z\nDTEND:20260714T090000Z\nRRULE:FREQ=DAILY')).toBe(
    'request: Garden meeting, 2026-07-14T08:00:00Z to 2026-07-14T09:00:00Z and more dates, Hall 2',
  )
  expect(line('DTSTART;TZID=Nowhere:20260714T080000')).toBe('request: Garden meeting, 2026-07-14T08:00:00[Nowhere], Hall 2')
  expect(JSON.parse(read(calendar, '--json').out).invitation).toMatchObject({
    act: 'request',
    events: [{ title: 'Garden meeting', start: '2026-07-14T08:00:00[Nowhere]' }],
  })
})

test('says what is wrong with its file', () => {
  writeFileSync(join(folder, 'empty.eml'), '')
  expect(read()).toMatchObject({ code: 2, out: '', err: expect.stringMatching(/^"read" needs a mail file, such as mail\.eml\.\n/) })
  expect(read(file, file)).toMatchObject({ code: 2, err: expect.stringContaining('is one argument too many.') })
  expect(read(join(folder, 'none.eml'))).toMatchObject({ code: 1, err: expect.stringMatching(/^Cannot read .*none\.eml: ENOENT/) })
  expect(read(folder)).toMatchObject({ code: 1, err: expect.stringMatching(/^Cannot read .*: EISDIR/) })
  expect(read(join(folder, 'empty.eml'))).toMatchObject({ code: 1, err: expect.stringMatching(/empty\.eml is empty: save the mail/) })
  expect(JSON.parse(read(join(folder, 'empty.eml'), '--json').err)).toMatchObject({ error: { code: 'failed' } })
})
