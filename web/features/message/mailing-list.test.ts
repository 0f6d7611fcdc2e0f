import { expect, test } from 'vitest'
import { mailingList } from './mailing-list.ts'

const read = (value: string) => mailingList([{ name: 'List-Unsubscribe', value }])

test.each([
  ['<https://list.example/leave?u=1>', { url: 'https://list.example/leave?u=1' }],
  ['<mailto:leave@list.example?subject=x>, <https://list.example/leave>', { url: 'https://list.example/leave' }],
  ['<mailto:leave%2Bme@list.example?subject=unsubscribe>', { address: 'leave+me@list.example' }],
  ['(comment) <https://list.example/a\r\n b>', { url: 'https://list.example/ab' }],
  ['<javascript:alert(1)>', undefined],
  ['<ftp://list.example/leave>', undefined],
  ['</api/mailbox>', undefined],
  ['https://list.example/leave', undefined],
  ['<mailto:%E0%A4%A>', { address: '%E0%A4%A' }],
  ['', undefined],
])('%s', (value, list) => {
  expect(read(value)).toEqual(list)
})

test('a mail without the field is from no list, and a hostile field is read in linear time', () => {
  expect(mailingList([])).toBeUndefined()
  expect(mailingList([{ name: 'list-unsubscribe', value: '<https://a.example/>' }])).toEqual({ url: 'https://a.example/' })
  expect(read('<'.repeat(1_000_000))).toBeUndefined()
})
