/** `message.check()` on mail that a test sent, with links to a server of its own. */
import dns from 'node:dns/promises'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { composeMail, startClient, type TestClient } from './start-client.ts'

let client: TestClient
const requests: string[] = []
const site = createServer(({ method, url = '' }, response) => {
  requests.push(`${method} ${url}`)
  if (url === '/old') return void response.writeHead(301, { location: '/new' }).end()
  if (url === '/loop') return void response.writeHead(302, { location: '/loop' }).end()
  if (url === '/get-only' && method === 'HEAD') return void response.writeHead(405).end()
  if (url === '/large.webp') return void response.writeHead(200, { 'content-length': 2_000_000 }).end()
  response.writeHead(url === '/gone' ? 410 : 200).end()
})
let origin = ''
beforeAll(async () => {
  client = await startClient({ DNS_SERVERS: 'off' })
  await once(site.listen(0, '127.0.0.1'), 'listening')
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
})
afterAll(async () => {
  await client[Symbol.asyncDispose]()
  site.closeAllConnections()
  site.close()
})

async function receive(html: string) {
  const mailbox = await client.mayfly.createMailbox()
  await client.server.deliverRaw(mailbox.address, composeMail(mailbox.address, { html }))
  return mailbox.waitForMessage()
}

test('links are reported with their status and redirects, and images with their weight', async () => {
  const paths = ['/new', '/old', '/loop', '/get-only', '/gone']
  const message = await receive(
    `${paths.map(path => `<a href="${origin}${path}">${path}</a>`).join('')}<a href="http://127.0.0.1:9/">away</a><a href="mailto:a@b.test">m</a>
<img src="${origin}/large.webp"><img alt="" src="cid:missing">`,
  )
  const { links, images, problems } = await message.check()
  expect(links.map(({ text, status, redirects }) => [text, status, redirects.length])).toEqual([
    ['/new', 200, 0],
    ['/old', 200, 1],
    ['/loop', undefined, 11],
    ['/get-only', 200, 0],
    ['/gone', 410, 0],
    ['away', undefined, 0],
  ])
  expect(links[1]?.redirects).toEqual([`${origin}/new`])
  expect(requests).toContain('HEAD /gone')
  expect(requests).not.toContain('GET /gone')
  expect(images).toMatchObject([{ bytes: 2_000_000, hasAlt: false }, { error: 'the message has no such part' }])
  expect(problems.map(({ kind }) => kind)).toEqual([
    'link_broken',
    'link_broken',
    'link_broken',
    'image_broken',
    'image_without_alt',
    'images_heavy',
    'text_missing',
    'dark_mode_unstated',
    'bare_line_feed',
    'date_missing',
    'message_id_missing',
  ])
  expect(problems.at(-2)).toMatchObject({ rule: 'RFC 5322 3.6.1', remedy: expect.stringContaining('Add Date') })
})

test('nobody who sends a mail reaches metadata of a cloud, or this network through a public host', async () => {
  const INTO = [
    'http://127.0.0.1/',
    'http://0x7f.1/',
    'http://[::ffff:10.0.0.1]/',
    'http://[fd00::1]/',
    'http://localhost/',
    'http://100.64.0.1/',
  ]
  const METADATA = [
    'http://169.254.169.254/latest',
    'http://169.254.169.254./latest',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[::ffff:0:a9fe:a9fe]/',
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://[fe80::1]/',
    'http://[fd00:ec2::254]/',
    'http://[fd20:ce::254]/',
    'http://100.100.100.200/',
    'http://192.0.0.192/',
    'http://168.63.129.16/',
  ]
  const redirects = [...INTO, 'http://9.9.9.2/get-only']
  const links = [...redirects.map((_, index) => `http://9.9.9.1/${index}`), ...METADATA]
  const message = await receive(links.map(url => `<a href="${url}">x</a>`).join(''))
  const asked: string[] = []
  const checked = await message.check({
    async fetch(url, init) {
      asked.push(`${init?.method} ${url}`)
      const location = redirects[Number(new URL(String(url)).pathname.slice(1))]
      return new Response(null, location === undefined ? { status: 405 } : { status: 302, headers: { location } })
    },
  })
  expect(checked.links.slice(0, INTO.length).map(({ error }) => error)).toEqual(
    INTO.map(url => `it leads into a private network: ${new URL(url).href}`),
  )
  expect(checked.links.slice(-METADATA.length).map(({ error }) => error)).toEqual(
    METADATA.map(() => 'it is an address of this machine’s own link, or of a cloud’s metadata'),
  )
  expect(asked.sort()).toEqual([...redirects.map((_, index) => `HEAD http://9.9.9.1/${index}`), 'HEAD http://9.9.9.2/get-only'])
  expect(checked.problems.filter(({ detail }) => detail.startsWith('http://9.9.9.1/6'))).toEqual([])
})

test('the connection goes to the address that was judged, and not where a second look-up of the name leads, also after a redirect', async () => {
  const reached: string[] = []
  const { port } = site.address() as AddressInfo
  const beside = createServer(({ url = '' }, response) => {
    reached.push(url)
    response.writeHead(url === '/on' ? 302 : 200, url === '/on' ? { location: '/end' } : {}).end()
  })
  await once(beside.listen(port, '127.0.0.2'), 'listening')
  const judged = vi.spyOn(dns, 'lookup').mockImplementation(async () => [{ address: '127.0.0.2', family: 4 }] as never)
  try {
    const message = await receive(`<a href="http://localhost.:${port}/on">x</a><a href="http://localhost:${port}/">y</a>`)
    requests.length = 0
    const { links } = await message.check()
    expect(links.map(({ status }) => status)).toEqual([200, 200])
    expect(reached.sort()).toEqual(['/', '/end', '/on'])
    expect(requests, 'the second look-up leads to 127.0.0.1').toEqual([])
  } finally {
    judged.mockRestore()
    beside.close()
  }
})

test('features that mail programs lack are named with these programs, and nothing is requested if not wanted', async () => {
  const html = `<html><head><meta name="color-scheme" content="light dark"><style>a:hover { color: red } .x { display: grid; width: 9vw }</style></head>
<body><p style="background-image: url(x.png); cursor:default">Hi</p><video src="x"></video><a href="${origin}/unsubscribe">Unsubscribe</a></body></html>`
  requests.length = 0
  const { links, unsupported, problems } = await (await receive(html)).check({ follow: false })
  const programs = Object.fromEntries(unsupported.map(({ feature, programs }) => [feature, programs]))
  expect(Object.keys(programs).sort()).toEqual(['1vw', ':hover', '<body>', '<video>', 'background-image:', 'cursor:', 'display:grid'])
  expect(programs['display:grid']).toEqual(['Outlook (Windows)'])
  expect(programs['<video>']).toContain('Gmail')
  expect(problems.map(({ kind }) => kind)).toEqual([
    'text_missing',
    'list_unsubscribe_missing',
    'bare_line_feed',
    'date_missing',
    'message_id_missing',
  ])
  expect([links.length, requests]).toEqual([1, []])
})

test('a mail made to be slow to search is checked within the time of a test, and a wrong option is named', async () => {
  const html = `<style>${'display:'.repeat(50_000)}</style>${'<img '.repeat(20_000)}${' style="'.repeat(20_000)}`
  const message = await receive(html)
  expect((await message.check({ follow: false })).problems.map(({ kind }) => kind)).toContain('html_clipped')
  // @ts-expect-error: there is no such option
  await expect(message.check({ followLinks: false })).rejects.toThrow(/message.check has no option "followLinks"/)
})
