import { expect, test } from 'vitest'
import { readConfig } from '#server/platform/config/config.ts'
import { PushTargets } from './push-subscriptions.ts'

const usual = new PushTargets(readConfig({}).pushServices)
const own = new PushTargets(['push.lan.example', '10.1.0.0/16'])

test.each([
  ['https://fcm.googleapis.com/fcm/send/abc', true],
  ['https://updates.push.services.mozilla.com/wpush/v2/abc', true],
  ['https://wns2-par02p.notify.windows.com/w/?token=abc', true],
  ['https://web.push.apple.com/abc', true],
  ['http://fcm.googleapis.com/fcm/send/abc', false],
  ['https://fcm.googleapis.com:8443/', false],
  ['https://user:pass@fcm.googleapis.com/', false],
  ['https://evil-fcm.googleapis.com.example/', false],
  ['https://notfcm.googleapis.com/', false],
  ['https://push.example/', false],
  ['https://93.184.216.34/', false],
  ['https://127.0.0.1/', false],
  ['https://[::1]/', false],
  ['https://169.254.169.254/latest/meta-data', false],
  ['not a url', false],
])('%s: %s', (endpoint, isAccepted) => {
  expect(usual.accepts(endpoint)).toBe(isAccepted)
})

test('an operator may name their own service, and a private one by its address', () => {
  const tried = ['https://push.lan.example/a', 'https://one.push.lan.example/a', 'http://10.1.2.3:8080/a', 'https://10.2.0.1/a']
  expect(tried.map(endpoint => own.accepts(endpoint))).toEqual([true, true, true, false])
  expect(own.accepts('https://fcm.googleapis.com/fcm/send/abc'), 'and then only those').toBe(false)
})

test('hosts and addresses belong to the service that allows them', () => {
  const tried = ['https://push.lan.example/a', 'https://one.push.lan.example/b', 'https://10.1.2.3/a', 'https://fcm.googleapis.com/a']
  expect(tried.map(endpoint => own.findService(endpoint))).toEqual(['push.lan.example', 'push.lan.example', '10.1.0.0/16', undefined])
})

test('a value that is neither a host nor a range is refused, and `off` disables push', () => {
  expect(() => readConfig({ PUSH_SERVICES: 'https://push.example' })).toThrow(/PUSH_SERVICES must be off, or hosts/)
  expect(() => readConfig({ PUSH_SERVICE: 'push.example' })).toThrow(
    /PUSH_SERVICE is not a variable of this server: did you mean PUSH_SERVICES/,
  )
  expect(readConfig({ PUSH_SERVICES: 'off' }).pushServices).toEqual([])
})
