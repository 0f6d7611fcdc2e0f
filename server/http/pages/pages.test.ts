/** The page server on the real application, with a small built site of the shape that scripts/build/prerender.ts writes. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { routes } from '#contract/routes.ts'
import { startTestServer } from '#test/harness/mayfly/start-test-server.ts'
import { newFolder, untilEnd } from '#test/harness/until-end.ts'
import { loadSiteFiles } from './site-files.ts'

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(server.url(path), { redirect: 'manual', headers: { 'accept-language': 'en', ...headers } })

const footer = ['partner', 'source'].map(name => `<a href="https://mayfly.invalid/${name}" target="_blank"><b>there</b></a>`).join('')
const siteFiles = {
  'pages/en/index.html': `<html lang="en" data-config=""><link rel="canonical" href="https://mayfly.invalid/">home${footer}`,
  'pages/es/index.html': '<html lang="es"><title>Mayfly: correo de %lifetimeInDigits%, %messagesMax% mensajes</title>inicio',
  'manifest.webmanifest': '{"name":"Mayfly: mail for %lifetime%"}',
  'llms.txt': 'Mail for %lifetime%, 100%real%, %messagesMax% messages or %quotaBytes%, %messageBytesMax% each.',
  'pages/en/contact/index.html': '<html lang="en"><a href="mailto:support@in.example.com">support@in.example.com</a>',
  'pages/en/blog/index.html': '<html lang="en">blog',
  'pages/es/blog/index.html': '<html lang="es">blog',
  'pages/en/privacy/index.html': '<html lang="en"><div class="way-back"><a href="/">back</a></div>',
  'pages/en/404.html': '<html lang="en">nothing',
  'pages/es/404.html': '<html lang="es">nada',
  'assets/app-1a2b.js': 'void 0',
  'assets/app-1a2b.js.map': '{}',
  'robots.txt': 'Sitemap: https://mayfly.invalid/sitemap.xml',
  'sw.js': 'void 0',
}
const env = {
  PUBLIC_URL: 'https://mail.example/',
  SITE_NAME: 'Tom\'s "$&" <Mail>',
  LIFETIME_SECONDS: '5400',
  MAILBOX_MESSAGES_MAX: '200',
  MESSAGE_BYTES_MAX: '10485760',
  TRUST_PROXY: '127.0.0.1',
  NETWORK_LIMIT_FACTOR: '1',
  PARTNER_URL: 'off',
  SOURCE_URL: 'https://source.example/?a&b',
  SUPPORT_EMAIL: 'help@mail.example',
}
const server = await untilEnd(startTestServer({ siteFiles, env }))

test.each([
  ['/', {}, 'en', 'home'],
  ['/?lang=es', {}, 'es', 'inicio'],
  ['/', { cookie: 'lang=es' }, 'es', 'inicio'],
  ['/?lang=en', { cookie: 'lang=es' }, 'en', 'home'],
  ['/', { 'accept-language': 'xx, es-MX;q=0.8, en;q=0.5' }, 'es', 'inicio'],
  ['/blog/', { 'accept-language': 'xx' }, 'en', 'blog'],
])('%s with %o is served in %s', async (path, headers, language, words) => {
  const response = await get(path, headers)
  expect([response.status, response.headers.get('content-language')]).toEqual([200, language])
  expect(response.headers.get('vary')).toContain('Accept-Language, Cookie')
  expect(await response.text()).toContain(words)
})

test('a page contains the configuration of GET /api/config, whatever characters it has', async () => {
  const html = await (await get('/')).text()
  const attribute = /data-config="([^"]*)"/.exec(html)?.[1] ?? ''
  expect(attribute).not.toContain('<')
  const config = JSON.parse(attribute.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
  const { build, ...reply } = await (await get(routes.config)).json()
  expect(config).toEqual(reply)
  expect(build).toMatchObject({ version: '0.1.0', commit: expect.stringMatching(/^[0-9a-f]{40}$/) })
  expect(config.siteName).toBe('Tom\'s "$&" <Mail>')
})

test('pages, manifest and llms.txt contain the name of the deployment, whatever characters it has, and its limits', async () => {
  const name = 'Tom\'s "$&" <Mail>'
  expect(await (await get('/?lang=es')).text()).toContain(
    "<title>Tom's &quot;$&amp;&quot; &lt;Mail&gt;: correo de 90 minutos, 200 mensajes</title>",
  )
  expect(await (await get(routes.docs)).text()).toContain('<nav aria-label="Tom\'s &quot;$&amp;&quot; &lt;Mail&gt;" class')
  expect(await (await get('/manifest.webmanifest')).json()).toEqual({ name: `${name}: mail for 90 minutes` })
  expect(await (await get('/llms.txt')).text()).toBe('Mail for 90 minutes, 100%real%, 200 messages or 100 MB, 10 MB each.')
})

test('the footer of a served page has the links of the deployment, and no others', async () => {
  const links = (await (await get('/')).text()).match(/<a .*?<\/a>/g)
  expect(links).toEqual(['<a href="https://source.example/?a&amp;b" target="_blank"><b>there</b></a>'])
})

test('a page names the address of the deployment before its script has run', async () => {
  const contact = await (await get('/contact')).text()
  expect(contact).toContain('<a href="mailto:help@mail.example">help@mail.example</a>')
})

test('unknown languages and endless lists fall back to English', async () => {
  for (const lang of ['../../etc/passwd', '//evil', '<script>', 'ES', '%00']) {
    expect((await get(`/?lang=${encodeURIComponent(lang)}`)).headers.get('content-language')).toBe('en')
  }
  expect((await get('/', { 'accept-language': `${'x,'.repeat(4000)}es` })).headers.get('content-language')).toBe('en')
})

test('/ad redirects to the home page only', async () => {
  expect((await get('/ad')).headers.get('location')).toBe('/')
  expect((await get('/ad/')).headers.get('location')).toBe('/')
  expect((await get('/ad?lang=es')).headers.get('location')).toBe('/?lang=es')
  expect((await get('/ad?lang=//evil.test')).headers.get('location')).toBe('/')
  expect((await get('//evil.test/')).status).toBe(404)
})

test('the site uses its configured origin, whatever the Host header says', async () => {
  const page = await (await get('/', { 'x-forwarded-host': 'evil.test' })).text()
  expect(page).toContain('href="https://mail.example/"')
  expect(await (await get('/robots.txt')).text()).toBe('Sitemap: https://mail.example/sitemap.xml')
})

test('HSTS is sent when the public URL is https', async () => {
  expect((await get('/')).headers.get('strict-transport-security')).toBe('max-age=31536000')
})

test('an unknown page is a 404 in the right language', async () => {
  const response = await get('/nothing/here?lang=es')
  expect([response.status, await response.text()]).toEqual([404, '<html lang="es">nada'])
  expect((await get('/pages/en/index.html')).status).toBe(404)
})

test('dot files, source maps and the configuration are not served', async () => {
  for (const path of ['/.env', '/.git/config', '/assets/app-1a2b.js.map', '/..%2fdata/secret', '/debug'])
    expect((await get(path)).status).toBe(404)
})

test('hashed assets are cached forever, and pages are revalidated with 304', async () => {
  const asset = await get('/assets/app-1a2b.js')
  expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect((await get('/sw.js')).headers.get('cache-control')).toBe('no-cache')
  const page = await get('/', { 'accept-encoding': 'br' })
  expect([page.headers.get('cache-control'), page.headers.get('content-encoding')]).toEqual(['no-cache', 'br'])
  expect(await page.text()).toContain('home')
  const again = await get('/', { 'accept-encoding': 'br', 'if-none-match': page.headers.get('etag') ?? '' })
  expect(again.status).toBe(304)
})

test('after twenty wrong tokens a network has to wait', async () => {
  const guess = () => get(routes.mailbox, { authorization: `Bearer ${'B'.repeat(64)}`, 'x-forwarded-for': '198.51.100.77' })
  for (let i = 0; i < 20; i++) expect((await guess()).status).toBe(404)
  expect((await guess()).status).toBe(429)
})

test('all readers of a compressed file share its bytes', async () => {
  const folder = newFolder()
  const write = async (path: string, text: string) => {
    await mkdir(join(folder, path, '..'), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  await write('pages/en/index.html', '<html lang="en">')
  await write('assets/app.js', 'void 0')
  await write('assets/app.js.br', 'compressed')
  const config = await (await get(routes.config)).json()
  const file = (await loadSiteFiles(folder, { publicUrl: 'https://x', config }))?.get('/assets/app.js')
  expect(String(await file?.encoded('br'))).toBe('compressed')
  expect(await file?.encoded('br')).toBe(await file?.encoded('br'))
})
