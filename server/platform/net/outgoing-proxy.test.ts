import http from 'node:http'
import https from 'node:https'
import { syncBuiltinESMExports } from 'node:module'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '#server/platform/config/config.ts'
import { startConnectProxy } from '#test/harness/servers/connect-proxy.ts'
import { isWithoutProxy, setOutgoingProxy } from './outgoing-proxy.ts'

test('the variables are read as other programs read them', () => {
  const read = (env: Record<string, string>) => readConfig(env).proxy
  expect(read({})).toBeUndefined()
  expect(read({ HTTPS_PROXY: '', https_proxy: '' })).toBeUndefined()
  expect(read({ HTTPS_PROXY: 'http://user:pass@proxy.lan:3128', NO_PROXY: '.lan' })).toEqual({
    url: 'http://user:pass@proxy.lan:3128',
    noProxy: '.lan',
  })
  expect(read({ HTTPS_PROXY: 'http://upper:1', https_proxy: 'lower:2', no_proxy: 'a' })).toEqual({ url: 'http://lower:2', noProxy: 'a' })
  for (const wrong of ['socks5://proxy.lan:1080', 'http://', 'http://proxy.lan:port'])
    expect(() => read({ HTTPS_PROXY: wrong }), wrong).toThrow('HTTPS_PROXY must be the URL of a proxy')
  for (const wrong of ['http://user:50%@proxy.lan', 'http://a%2g:b@proxy.lan', 'http://a:%ff@proxy.lan'])
    expect(() => read({ HTTPS_PROXY: wrong }), wrong).toThrow('HTTPS_PROXY must have %25 for each % in its user and password')
  expect(read({ HTTPS_PROXY: 'http://user:50%25@proxy.lan' })).toBeDefined()
  // Only addresses are in ranges, and the servers that are asked have names.
  expect(read({ HTTPS_PROXY: 'proxy.lan', NO_PROXY: 'localhost, 10.0.0.0/8' })).toBeDefined()
  expect(read({ NO_PROXY: '10.0.0.0/8' }), 'without a proxy it plays no part').toBeUndefined()
})

test.each([
  ['', 'https://hooks.example/', false],
  ['*', 'https://hooks.example/', true],
  ['other.example, hooks.example', 'https://hooks.example/', true],
  ['HOOKS.example', 'https://hooks.example./', true],
  ['hooks.example', 'https://deep.hooks.example/', true],
  ['hooks.example', 'https://badhooks.example/', false],
  ['.hooks.example', 'https://deep.hooks.example/', true],
  ['*.hooks.example', 'https://deep.hooks.example/', true],
  ['.hooks.example', 'https://badhooks.example/', false],
  ['hooks.example:443', 'https://hooks.example/', true],
  ['hooks.example:8443', 'https://hooks.example/', false],
  ['hooks.example:8443', 'https://hooks.example:8443/', true],
  ['93.184.216.34', 'https://93.184.216.34/', true],
  ['2606:4700::1111', 'https://[2606:4700::1111]/', true],
])('NO_PROXY=%s and %s: %s', (noProxy, url, isWithout) => {
  expect(isWithoutProxy({ url: 'http://proxy.lan', noProxy }, new URL(url))).toBe(isWithout)
})

test('requests of Node go directly to a name of NO_PROXY and to those below it', async () => {
  await using proxy = await startConnectProxy(() => undefined)
  using _set = setOutgoingProxy({ url: proxy.url, noProxy: 'hooks.example' })
  const ask = (host: string) =>
    new Promise(failed => {
      // Nothing listens at port 1.
      https
        .get({ host, port: 1, lookup: (_name, _options, found) => found(null, [{ address: '127.0.0.1', family: 4 }]) })
        .on('error', failed)
    })
  for (const host of ['hooks.example', 'deep.hooks.example', 'badhooks.example']) expect(await ask(host)).toBeInstanceOf(Error)
  expect(proxy.asked).toEqual(['badhooks.example:1'])
})

test('a Node that cannot use a proxy refuses to start with one, and starts without', () => {
  const { setGlobalProxyFromEnv } = http
  onTestFinished(() => {
    Object.assign(http, { setGlobalProxyFromEnv })
    syncBuiltinESMExports()
  })
  Object.assign(http, { setGlobalProxyFromEnv: undefined })
  syncBuiltinESMExports()
  expect(() => setOutgoingProxy({ url: 'http://proxy.lan', noProxy: '' })).toThrow('HTTPS_PROXY needs Node 24.14, 25.4 or later')
  expect(() => setOutgoingProxy(undefined)[Symbol.dispose]()).not.toThrow()
})
