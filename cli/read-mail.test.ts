/** `mayfly read`, without a server or a data folder. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runMayfly } from '#test/harness/clients/mayfly-command.ts'
import { sharedFolder } from '#test/harness/until-end.ts'
import { read as readMailFile } from './read-mail.ts'

const folder = sharedFolder()

/** Returns what the command writes: a text for a person, and a value for programs. */
async function read(path: string): Promise<{ text: string; value: unknown }> {
  let written = { text: '', value: undefined as unknown }
  await readMailFile({ args: [path], values: {} }, (text, value) => {
    written = { text: String(text), value }
  })
  return written
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

test('prints what a person sees in a mail, and nothing that controls the terminal', async () => {
  // The file has the line ends of Unix, which are no fault of the mail.
  expect(await runMayfly(['read', file], {})).toEqual({
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

test('a program gets the same as a value', async () => {
  expect((await read(file)).value).toMatchObject({
    subject: 'Confirm your address',
    codes: ['481516'],
    allLinks: [{ url: 'https://shop.example/confirm?t=1' }],
    parseStatus: 'ok',
  })
})

test('prints the invitation of a mail', async () => {
  const calendar = join(folder, 'invitation.eml')
  const event = (times: string) =>
    [
      'Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/calendar; charset=utf-8; method=REQUEST\n',
      'BEGIN:VCALENDAR\nVERSION:2.0\nMETHOD:REQUEST\nBEGIN:VEVENT\nUID:1@a.example\nSUMMARY:Garden meeting',
      `LOCATION:Hall 2\n${times}\nEND:VEVENT\nEND:VCALENDAR\n--b--\n`,
    ].join('\n')
  const line = async (times: string) => {
    writeFileSync(calendar, event(times))
    return /^Event +(.*)$/m.exec((await read(calendar)).text)?.[1]
  }
  expect(await line('DTSTART;VALUE=DATE:20260714\nDURATION:P3D')).toBe('request: Garden meeting, 2026-07-14 before 2026-07-17, Hall 2')
  expect(await line('DTSTART:20260714T080000Z\nDTEND:20260714T090000Z\nRRULE:FREQ=DAILY')).toBe(
    'request: Garden meeting, 2026-07-14T08:00:00Z to 2026-07-14T09:00:00Z and more dates, Hall 2',
  )
  expect(await line('DTSTART;TZID=Nowhere:20260714T080000')).toBe('request: Garden meeting, 2026-07-14T08:00:00[Nowhere], Hall 2')
  expect((await read(calendar)).value).toMatchObject({
    invitation: { act: 'request', events: [{ title: 'Garden meeting', start: '2026-07-14T08:00:00[Nowhere]' }] },
  })
})

test('says what is wrong with its file', async () => {
  writeFileSync(join(folder, 'empty.eml'), '')
  await expect(read(join(folder, 'none.eml'))).rejects.toThrow(/^Cannot read .*none\.eml: ENOENT/)
  await expect(read(folder)).rejects.toThrow(/^Cannot read .*: EISDIR/)
  await expect(read(join(folder, 'empty.eml'))).rejects.toThrow(/empty\.eml is empty: save the mail/)
  const { code, err } = await runMayfly(['read', join(folder, 'empty.eml'), '--json'], {})
  expect([code, JSON.parse(err)]).toEqual([1, { error: { code: 'failed', message: expect.stringContaining('is empty') } }])
})
