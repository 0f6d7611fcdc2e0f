import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LANGUAGES } from '#contract/languages.ts'
import { type ExtensionState, withLife, withMail, withoutAddress, withoutMail } from './addresses.ts'
import { hostPattern } from './browser.ts'
import { type actInPage, chooseAct, chooseFrame, isForeignTo, siteOf } from './page-field.ts'

const read = (path: string) => readFileSync(join(import.meta.dirname, path), 'utf8')
const manifest = JSON.parse(read('manifest.json'))

test('the extension may do no more than it needs, and asks for a host when one is chosen', () => {
  expect(manifest.permissions).toEqual(['activeTab', 'alarms', 'contextMenus', 'notifications', 'scripting', 'storage'])
  expect(manifest.host_permissions).toBeUndefined()
  expect(manifest.content_scripts).toBeUndefined()
})

test('the pattern of a host has no port, which Firefox refuses', () => {
  expect(hostPattern('https://mail.example:8443')).toBe('https://mail.example/*')
})

describe('texts', () => {
  const messages = (language: string): Record<string, { message: string }> => JSON.parse(read(`_locales/${language}/messages.json`))
  const english = messages('en')

  test('every language of the site has every text, with the same places for values', () => {
    expect(readdirSync(join(import.meta.dirname, '_locales')).sort()).toEqual([...LANGUAGES].sort())
    const places = (texts: Record<string, { message: string }>) =>
      Object.fromEntries(Object.entries(texts).map(([name, { message }]) => [name, message.match(/\$\d/g)?.toSorted()]))
    for (const language of LANGUAGES) expect(places(messages(language)), language).toEqual(places(english))
  })

  test.each([
    ['newAddress', 'mailbox', 'generate'],
    ['copyAddress', 'mailbox', 'copy'],
    ['deleteAddress', 'mailbox', 'delete'],
    ['timeLeft', 'mailbox', 'timeLeft'],
    ['copyCode', 'inbox', 'copyThisCode'],
    ['copied', 'inbox', 'copied'],
    ['noSubject', 'inbox', 'noSubject'],
  ] as const)('%s is said in the words of the site', async (name, area, theirs) => {
    for (const language of LANGUAGES) {
      const site: Record<string, Record<string, unknown>> = await import(`../web/texts/${language}/core.ts`)
      expect(messages(language)[name]?.message, language).toBe(site[area]?.[theirs])
    }
  })

  test('every text that the code asks for exists, and every one that exists is asked for', () => {
    const code = ['background.ts', 'icon.ts', 'messages.ts', 'popup.ts', 'manifest.json'].map(read).join('\n')
    const failures = /const failure = oneOf\(([^)]*)\)/.exec(code)?.[1]?.match(/\w+/g) ?? []
    const asked = [...code.matchAll(/(?:getMessage|\btext)\([^'`\n]*'(\w+)'(?: : '(\w+)')?|__MSG_(\w+)__/g)].flatMap(match =>
      match.slice(1).filter(Boolean),
    )
    expect([...new Set([...asked, ...failures.map(name => `failure_${name}`)])].sort()).toEqual(Object.keys(english).sort())
  })
})

type FrameReport = ReturnType<typeof actInPage>

test.each([
  ['https://shop.example/a', 'https://shop.example/b', false],
  ['https://shop.example:8443/', 'https://shop.example/', true],
  ['https://shop.example/', 'http://shop.example/', true],
  ['https://shop.example/', 'blob:https://shop.example/0f2c', false],
  ['https://shop.example/', 'blob:https://evil.example/0f2c', true],
  ['about:newtab', 'blob:https://evil.example/0f2c', true],
  ['about:newtab', 'https://evil.example/', true],
  ['about:newtab', 'about:blank', true],
  ['file:///home/ada/form.html', 'file:///tmp/form.html', true],
  ['data:text/html,a', 'data:text/html,b', true],
])('a code for an address made on %s, on %s: foreign %s', (made, seen, isForeign) => {
  expect(isForeignTo(siteOf(made), siteOf(seen))).toBe(isForeign)
})

describe('a press', () => {
  const own = 'quiet.pond.abc@mayfly.test'
  const field = (focused: FrameReport['focused'], value = '', hasCodeField = focused === 'code') => ({ focused, value, hasCodeField })
  const known = { hasCode: false, emails: [own] }
  const withCode = { hasCode: true, emails: [own] }
  const foreign = { ...withCode, isForeign: true }

  test.each([
    ['a field for an address', field('address'), known, 'put'],
    ['any other field', field('text'), known, 'put'],
    ['any other field with only white space, as editors of rich text leave it', field('text', '\n'), known, 'put'],
    ['a field that has a name', field('text', 'Ada'), known, 'show'],
    ['a half-written text', field('text', 'Dear Grace,\nthe engine '), known, 'show'],
    ['a field for an address that has another one', field('address', 'ada@lovelace.example'), known, 'put'],
    ['no field', field('none'), known, 'show'],
    ['a field that has the address', field('address', own), known, 'show'],
    ['a field for a code before one has come', field('code'), known, 'show'],
    ['a field for a code', field('code'), withCode, 'fill'],
    ['a page with a field for a code', field('none', '', true), withCode, 'fill'],
    ['an empty field without a name', field('text'), withCode, 'fill'],
    ['a field that has something else', field('text', 'Ada'), withCode, 'copy'],
    ['no field, with a code', field('none'), withCode, 'copy'],
    ['a field for a code, on another site than the code is for', field('code'), foreign, 'copy'],
    ['a page with a field for a code, on another site than the code is for', field('none', '', true), foreign, 'copy'],
    ['an empty field without a name, on another site than the code is for', field('text'), foreign, 'copy'],
    ['an empty field for an address, on another site', field('address'), withCode, 'put'],
  ] as const)('in %s', (_, seen, knows, act) => {
    expect(chooseAct(seen, knows)).toBe(act)
  })

  test('is meant for the frame that has the focus, and a code for the frame that asks for it', () => {
    const report = (more: Partial<FrameReport>): FrameReport => ({
      ...{ focused: 'none', value: '', hasCodeField: false, isFocusDeeper: false, mayfly: undefined, isWritten: false },
      ...more,
    })
    const frames = [
      { frameId: 0, result: report({ isFocusDeeper: true }) },
      { frameId: 7, result: report({ focused: 'address' }) },
      { frameId: 9, result: report({ hasCodeField: true }) },
    ]
    expect(chooseFrame(frames, false)?.frameId).toBe(7)
    expect(chooseFrame(frames, true)?.frameId).toBe(9)
    // A frame remembers its focus after the focus has left it.
    expect(chooseFrame([{ frameId: 0, result: report({ focused: 'text' }) }, ...frames.slice(1)], false)?.frameId).toBe(0)
  })
})

describe('what is kept', () => {
  const address = {
    email: 'a@mayfly.test',
    token: 't',
    origin: 'https://mayfly.test',
    usedOn: '',
    endsAtMs: Date.now() + 60_000,
    lifetimeSeconds: 600,
    mails: [],
  }
  const state: ExtensionState = { addresses: [address] }
  const mail = (id: string, code?: string) => ({
    id,
    from: 'Shop',
    subject: 'Hello',
    receivedAt: `2026-11-23T10:00:0${id}Z`,
    ...(code && { code }),
  })

  test('an end that is told again, a little later or sooner, is the same; one that was moved is not', () => {
    const told = (later: number, lifetimeSeconds = 600) =>
      withLife(state, 't', { endsAtMs: address.endsAtMs + later, lifetimeSeconds }).addresses[0]
    for (const later of [-1500, -1, 0, 300, 1500]) expect(told(later)).toEqual(address)
    expect(told(60_000)).toEqual({ ...address, endsAtMs: address.endsAtMs + 60_000 })
    expect(told(85_800_000, 86_400)).toEqual({ ...address, endsAtMs: address.endsAtMs + 85_800_000, lifetimeSeconds: 86_400 })
  })

  test('a new code waits; told again it does not, and no longer when its sender is doubted', () => {
    const arrived = withMail(state, 't', mail('1', '481516'))
    expect(arrived.waiting).toEqual({ code: '481516', from: 'Shop', mailId: '1', token: 't' })
    const used: ExtensionState = { addresses: arrived.addresses }
    expect(withMail(used, 't', mail('1', '481516')).waiting).toBeUndefined()
    expect(withMail(arrived, 't', mail('1')).waiting).toBeUndefined()
  })

  test('mail is newest first, each once, and a removed one takes its code along', () => {
    const two = withMail(withMail(withMail(state, 't', mail('1', '11')), 't', mail('2', '22')), 't', mail('1', '11'))
    expect(two.addresses[0]?.mails.map(({ id }) => id)).toEqual(['2', '1'])
    expect(two.waiting?.code).toBe('22')
    expect(withoutMail(two, 't', '2')).toEqual({ addresses: [{ ...address, mails: [mail('1', '11')] }] })
  })

  test('nothing is left of an address that has ended', () => {
    expect(withoutAddress(withMail(state, 't', mail('1', '11')), 't')).toEqual({ addresses: [] })
  })
})
