import { expect, test } from 'vitest'
import { bodyForms, containsTag, isEncrypted } from './message-body.tsx'

const preview = 'the preview'

test('a body that contains a tag is HTML, whatever type the mail states', () => {
  expect(bodyForms({ html: '<p>a</p>', text: 'a', preview })).toEqual({ html: '<p>a</p>', text: 'a' })
  expect(bodyForms({ text: 'see <b>this</b>', preview })).toEqual({ html: 'see <b>this</b>', text: 'see <b>this</b>' })
})

test('a body without a tag is plain text that keeps its line breaks', () => {
  expect(bodyForms({ text: 'one\ntwo <ada@example.com>', preview })).toEqual({ text: 'one\ntwo <ada@example.com>' })
  expect(bodyForms({ html: 'one\n1 &lt; 2', preview })).toEqual({ text: 'one\n1 < 2' })
})

test('the preview is used when there is no body', () => {
  expect(bodyForms({ preview })).toEqual({ text: 'the preview' })
})

test.each([
  ['<p>Hello</p>', true],
  ['first line<br>second line', true],
  ['<A HREF="https://a.example">x</A>', true],
  ['Hello\nWorld', false],
  ['1 < 2 and 3 > 2', false],
  ['Ada <ada@example.com>', false],
  ['#include <stdio.h> vector<int>', false],
])('%s contains a tag: %s', (text, expected) => {
  expect(containsTag(text)).toBe(expected)
})

test.each([
  ['multipart/encrypted; protocol="application/pgp-encrypted"', true],
  ['application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m', true],
  ['application/x-pkcs7-mime; name=smime.p7m', true],
  ['application/pkcs7-mime; smime-type=signed-data', false],
  ['multipart/signed', false],
  ['text/plain', false],
])('a message of type %s is encrypted: %s', (value, isSo) => {
  expect(isEncrypted([{ name: 'Content-Type', value }])).toBe(isSo)
})
