import { expect, test } from 'vitest'
import { findConfirmationLinks } from './confirmation-links.ts'

const link = (href: string, label: string) => `<p><a class="b" href="${href}">${label}</a></p>`

test.each([
  'Confirm your email',
  'Verify account',
  'Activate my account',
  'Reset password',
  'Log in to Lantern',
  'Accept invitation',
  'Confirmar mi correo',
  'Verifica tu cuenta',
  'Activar cuenta',
  'Restablecer contraseña',
  'Iniciar sesión',
  'Aceptar la invitación',
])('%s is what the mail wants followed', label => {
  const url = 'https://a.example/x?y=1'
  expect(findConfirmationLinks({ html: link('https://a.example/', 'A shop') + link(url, `<b>${label}</b>`) })).toEqual([{ url, label }])
})

test.each([
  ['https://a.example/unsubscribe', 'Confirm unsubscribe'],
  ['https://a.example/privacy', 'Privacy'],
  ['https://a.example/help/verify', 'Help with verification'],
  ['javascript:alert(1)', 'Confirm your email'],
  ['data:text/html,x', 'Confirm your email'],
  ['mailto:a@a.example', 'Confirm your email'],
  ['//a.example/confirm', 'Confirm your email'],
])('%s (%s) is not', (url, label) => {
  expect(findConfirmationLinks({ html: link(url, label) })).toEqual([])
})

test('entities of the target are resolved, and a label that is an address gives way to the host', () => {
  const html = 'Confirm your email: <a href="https://a.example/confirm?a=1&amp;b=2">https://a.example/confirm?…</a>'
  expect(findConfirmationLinks({ html })).toEqual([{ url: 'https://a.example/confirm?a=1&b=2', label: 'a.example' }])
})

test('the text part is read when the HTML part has none', () => {
  const text = 'Please confirm your address by opening https://a.example/confirm/88.'
  expect(findConfirmationLinks({ text, html: '<p>Hello</p>' })).toEqual([{ url: 'https://a.example/confirm/88', label: 'a.example' }])
})

test('a label is cut at 80 characters and the same target counts once', () => {
  const html = link('https://a.example/c', `Confirm ${'x'.repeat(200)}`).repeat(3)
  const found = findConfirmationLinks({ html })
  expect(found).toHaveLength(1)
  expect(found[0]?.label).toHaveLength(80)
})

const MEGABYTE = 1_000_000
/** As in codes.test.ts: the time limit of the test is what a slow search would meet. */
test.each(['<a ', '<a href="', '<a href=https://a.example/confirm>', '<', 'https://a.example/confirm ', "<a href='x'>y</a>", 'confirm '])(
  'a megabyte of %j is answered',
  unit => {
    const mail = unit.repeat(MEGABYTE / unit.length)
    expect(findConfirmationLinks({ html: mail, text: mail }).length).toBeLessThanOrEqual(3)
  },
)
