/** Mails that an earlier release read wrongly, each of a kind: right in the API, in the client and on the page. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { Mayfly, type Message } from '../../client/index.ts'
import { expect, test } from '../harness/fixtures.ts'
import { expectFrameText, inFrame, openHome, showTab } from './reader/reading.ts'

const FIXTURES = resolve(import.meta.dirname, '../../test/fixtures/mail')
const CONFIRM = 'https://accounts.example.org/confirm'
const LONG = `${CONFIRM}?user=4711&token=9f2c8e71b0d34a5f9c1e77aa62d0b5e3f4a1c2d3e4f5a6b7c8d9e0f1a2b3c4d5`

test.use({ timezoneId: 'America/New_York', locale: 'en-US', serverEnv: { NETWORK_LIMIT_FACTOR: '1000' } })

type Case = {
  readonly file: string
  /** The fields of the message in the API, which the client has too. */
  readonly fields: Record<string, unknown>
  readonly page: (dialog: Locator, page: Page) => Promise<void>
}

const shows = (words: string | RegExp) => (dialog: Locator) => expect(dialog).toContainText(words)
const linksTo = (url: string) => async (_: Locator, page: Page) =>
  expect
    .poll(() => inFrame(page, mail => Array.from(mail?.querySelectorAll('a, area') ?? [], link => link.getAttribute('href')), undefined))
    .toEqual([url])
const draws = async (_: Locator, page: Page) => {
  await showTab(page, 'Original')
  const drawn = () => inFrame(page, mail => Array.from(mail?.images ?? [], ({ naturalWidth }) => naturalWidth > 0), undefined)
  await expect.poll(drawn).toEqual([true])
}

const CASES: readonly Case[] = [
  { file: 'shown/code-in-forwarded', fields: { codes: ['118204'] }, page: shows('Your login code: 118204') },
  { file: 'shown/percent-in-content-id', fields: { attachments: [expect.objectContaining({ inline: true })] }, page: draws },
  {
    file: 'golden/area',
    fields: { links: [{ url: `${CONFIRM}?token=NEW`, label: 'Confirm your address' }] },
    page: linksTo(`${CONFIRM}?token=NEW`),
  },
  {
    file: 'golden/link-for-outlook',
    fields: { links: [{ url: `${CONFIRM}?token=NEW`, label: 'Confirm your address' }] },
    page: linksTo(`${CONFIRM}?token=NEW`),
  },
  { file: 'golden/custom-zone', fields: { text: 'You are invited.' }, page: shows(/July 14, 2026.*10:00.*11:00/) },
  { file: 'golden/duration', fields: { text: 'You are invited.' }, page: shows(/July 14.*16, 2026/) },
  { file: 'golden/five-mixed-case', fields: { codes: ['pR7kd'] }, page: shows('pR7kd') },
  { file: 'golden/bold-url', fields: { links: [expect.objectContaining({ url: LONG })] }, page: shows(LONG.slice(8, 40)) },
  {
    file: 'shown/picture-as-attachment',
    fields: { attachments: [expect.objectContaining({ inline: true })] },
    page: async (dialog, page) => {
      await expectFrameText(page, 'hi')
      await expect(dialog.getByText('logo.png')).toHaveCount(0)
    },
  },
  {
    file: 'shown/encoded-local-part',
    fields: { from: expect.objectContaining({ address: 'žofia@example.org' }) },
    page: shows('žofia@example.org'),
  },
  { file: 'golden/less-than-in-plain-text', fields: { preview: 'if a<b and c>d then stop' }, page: shows('if a<b and c>d then stop') },
  {
    file: 'golden/tags-in-plain-text',
    fields: {
      codes: ['481516'],
      links: [{ url: 'https://example.org/verify?user=7&token=abc', label: 'Confirm your address' }],
      preview: expect.stringMatching(/^Your verification code: 481516 Thanks Confirm your address$/),
    },
    page: shows('481 516'),
  },
  { file: 'golden/winmail', fields: { codes: ['660218'] }, page: shows('your sign-in code is 660218') },
]

for (const { file, fields, page: check } of CASES)
  test(`${file} is read as a person reads it in the API, the client and the page`, async ({ page, server, sendMail }) => {
    const to = await openHome(page)
    const url = `http://127.0.0.1:${server.httpPort}`
    await using mailbox = await new Mayfly({ url }).createMailbox()
    const raw = readFileSync(resolve(FIXTURES, `${file}.eml`), 'latin1').replace(/\r?\n/g, '\r\n')
    await sendMail({ raw: Buffer.from(raw, 'latin1'), envelope: { from: 'bounce@example.org', to: [to, mailbox.address] } })

    const message: Message = await mailbox.waitForMessage()
    expect(message).toMatchObject(fields)
    const headers = { authorization: `Bearer ${mailbox.token}` }
    expect(await (await fetch(`${url}/api/mailbox/messages/${message.id}`, { headers })).json()).toMatchObject(fields)

    await page.locator('[data-message] button').first().click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('article')).toBeVisible()
    await check(dialog, page)
  })
