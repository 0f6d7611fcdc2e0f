import { expect, test } from 'vitest'
import { isPublicHost } from './public-host.ts'

const hostname = (url: string) => new URL(url).hostname

test.each([
  'http://localhost/',
  'http://app.localhost:3000/',
  'http://router/',
  'http://printer.local/',
  'http://fritz.box.lan/',
  'http://metadata.google.internal/',
  'http://nas.home.arpa/',
  'http://127.0.0.1/',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://0/',
  'http://10.0.0.138/',
  'http://172.16.0.1/',
  'http://172.31.255.255/',
  'http://192.168.1.1/reboot',
  'http://169.254.169.254/latest/meta-data',
  'http://100.64.0.1/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[fe80::1]/',
  'http://[fd00::1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[2001::1]/',
  'http://localhost.localdomain/',
  'http://router.fritz.box/',
  'http://127.0.0.1.nip.io/',
  'http://app.10-0-0-1.sslip.io/',
  'http://7f000001.nip.io/',
  'http://lvh.me/',
  'http://www.localtest.me./',
  'http://127.0.0.1.dns.example/',
  'http://a-192-168-1-1.dns.example/',
  'http://127.0.0.1./',
  'http://1.10.0.0.1.dns.example/',
  'http://www.routerlogin.net/apply.cgi',
  'http://router.asus.com/',
  'http://tplinkwifi.net./',
])('%s is the reader’s own network', url => {
  expect(isPublicHost(hostname(url))).toBe(false)
})

test.each([
  'https://images.example/a.png',
  'http://93.184.216.34/',
  'http://172.32.0.1/',
  'http://[2606:4700::1111]/',
  'https://local.example/',
  'https://lan.example/',
  'https://cdn-8-8-8-8.example/',
  'https://v1.2.3.example/',
  'https://www.asus.com/logo.png',
  'https://v8.8.8.8.8.example/',
  'https://img-20-01-2026.example/10.0.0.1/a.png',
])('%s is public', url => {
  expect(isPublicHost(hostname(url))).toBe(true)
})
