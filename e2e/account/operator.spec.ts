/** The operator's page in a real browser: second factor, figures, actions, hostile text, both languages, phone and desktop. */
import type { Page } from '@playwright/test'
import { totpCodeAt } from '#server/operator/totp.ts'
import { fromBase32 } from '#test/harness/clients/operator.ts'
import { startDnsServer } from '#test/harness/servers/dns-server.ts'
import { test as base, PASSWORD, signIn } from '../harness/account-fixtures.ts'
import { expectAccessible } from '../harness/checks.ts'
import { expect } from '../harness/fixtures.ts'
import { addressOn } from '../harness/test-mail.ts'

const EMAIL = 'operator@example.org'
/** With no second factor yet. */
const OTHER_EMAIL = 'other-operator@example.org'
/** Tabs of the page. */
const VIEWS = 8
/** The second of two DNS lists does not answer. */
const LISTED = { 'dbltest.com.dbl.spamhaus.org A': ['127.0.1.2'], 'mailinator.com.dbl.spamhaus.org A': ['127.0.1.2'] }
let dns: ReturnType<typeof startDnsServer> | undefined
const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from a pattern
  serverEnv: async ({}, use) => {
    dns ??= startDnsServer(LISTED)
    await use({ OPERATORS: `${EMAIL},${OTHER_EMAIL},third-operator@example.org`, DNS_SERVERS: (await dns).address })
  },
})
test.afterAll(async () => (await dns)?.[Symbol.asyncDispose]())
// One after the other in one worker, since each worker would start a server of this kind.
test.describe.configure({ mode: 'default' })

/** Returns a recovery code. */
async function enrol(page: Page): Promise<string> {
  await page.goto('/account')
  await page.getByRole('link', { name: 'Operator’s page' }).click()
  // The account page has a field of this name as well.
  await expect(page.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible()
  await page.getByRole('button', { name: 'Begin' }).click()
  await expect(page.getByText('Please enter your password.'), 'no button is dead').toBeVisible()
  await page.getByLabel('Your password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Begin' }).click()
  const secret = await page.getByText(/^[A-Z2-7]{32}$/).innerText()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Copy' }).click()
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Code' }).fill(totpCodeAt(fromBase32(secret), Math.floor(Date.now() / 30_000)))
  await page.getByRole('button', { name: 'Confirm' }).click()
  const recovery = await page
    .getByText(/^[A-Z2-7]{4}(?:-[A-Z2-7]{4})+$/)
    .first()
    .innerText()
  await page.getByRole('button', { name: 'Copy' }).click()
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await expect(page.getByRole('tab', { name: 'Overview' })).toBeVisible()
  return recovery
}

test('an operator enrols, reads hostile messages as text, blocks, and shows a notice', { tag: '@long' }, async ({
  page,
  recorder,
  baseURL,
  noise,
  sendMail,
  newAccount,
}) => {
  await newAccount(EMAIL)
  const hostile = {
    name: 'Eve',
    email: 'eve@x.test',
    subject: '<img src=x onerror=alert(1)>',
    message: '<script>alert(1)</script> and more',
  }
  expect((await page.request.post('/api/contact', { data: hostile, headers: { origin: baseURL ?? '' } })).status()).toBe(202)
  const mail = { to: 'abuse@in.example.com', replyTo: 'thief@elsewhere.example', subject: 'About a customer', text: 'What do you know?' }
  await sendMail({ from: 'legal@bank.example', ...mail })
  await signIn(page, EMAIL)
  await expect(page).toHaveURL('/')
  const recovery = await enrol(page)
  await expectAccessible(page)

  await page.getByRole('tab', { name: 'Messages (2)' }).click()
  await expect(page.getByRole('button', { name: `New. ${hostile.subject}` })).toContainText(hostile.message)
  await page.getByRole('button', { name: hostile.subject }).click()
  await expect(page.getByRole('dialog').getByText(hostile.message)).toBeVisible()
  await expect(page.getByRole('dialog')).toContainText(`Your answer goes to ${hostile.email}`)
  await expect(page.getByText('Another domain')).toBeHidden()
  await expectAccessible(page)
  await page.getByLabel('Answer').fill('Thank you.')
  await page.getByRole('button', { name: 'Send answer' }).click()
  expect((await recorder.next('eve@x.test')).text).toContain('Thank you.')
  await page.getByRole('button', { name: mail.to }).click()
  await expect(page.getByRole('dialog')).toContainText('Your answer goes to thief@elsewhere.example')
  await expect(page.getByRole('dialog')).toContainText('Another domain than the sender’s, which is bank.example')
  await expectAccessible(page)
  await page.keyboard.press('Escape')

  for (const [tab, press, said] of [
    ['Domains', 'Add it', 1],
    ['Abuse', 'Destroy', 1],
    ['Abuse', 'Find', 2],
    ['Blocks', 'Block', 1],
  ] as const) {
    await page.getByRole('tab', { name: tab }).click()
    await page.getByRole('button', { name: press, exact: true }).click()
    await expect(page.getByText('Please fill this in.').filter({ visible: true }), 'no button is dead').toHaveCount(said)
  }
  await page.getByLabel('Value').fill('spam.example')
  await page.getByRole('button', { name: 'Block', exact: true }).click()
  await expect(page.getByText('Sender’s domain, until removed')).toBeVisible()
  await page.getByLabel('Value').fill('not a domain')
  noise.allow(/Failed to load resource: the server responded with a status of 400/)
  await page.getByRole('button', { name: 'Block', exact: true }).click()
  await expect(page.getByText('A block needs a value without spaces.').first()).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('tab', { name: 'Domains' }).click()
  await page.getByRole('textbox', { name: 'Domain' }).fill('*.fresh.example')
  await page.getByRole('button', { name: 'Add it' }).click()
  // No such name is in DNS.
  await expect(page.getByText('Added, and paused until its MX record points here').first()).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: '*.fresh.example' })).toContainText('Paused: no new addresses')
  await page.getByRole('button', { name: 'Offer *.fresh.example' }).click()
  await page.getByRole('button', { name: 'Make default *.fresh.example' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: '*.fresh.example' })).toContainText('Offered · default')
  expect((await (await page.request.get('/api/config')).json()).domains[0]).toBe('fresh.example')
  await page.getByRole('button', { name: 'Make default in.example.com' }).click()
  await page.getByRole('button', { name: 'Pause *.fresh.example' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: '*.fresh.example' })).toContainText('Paused: no new addresses')
  await page.getByRole('textbox', { name: 'Domain' }).fill('mailinator.com')
  await page.getByRole('button', { name: 'Add it' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'mailinator.com' })).toContainText(
    'On the public list of disposable domains of Sep 21, 2026',
  )
  // Which lists name it, or that none answered: server/operator/doctor/doctor.test.ts.
  for (const name of ['mailinator.com', '*.fresh.example'])
    await expect(page.getByRole('listitem').filter({ hasText: name })).toContainText(
      /(?:DNS lists|dbl\.spamhaus\.org) .*\(asked .* 20\d\d, .*\)/,
    )
  await expectAccessible(page)
  for (const name of ['mailinator.com', '*.fresh.example']) {
    await page.getByRole('button', { name: `Remove ${name}` }).click()
    // Half a second, or it would be taken for a double click (web/lib/browser/stray-press.ts).
    await page.waitForTimeout(600)
    await page.getByRole('button', { name: `Really remove ${name}` }).click()
    await expect(page.getByRole('tabpanel').getByText(name, { exact: true })).toBeHidden()
  }
  noise.allow(/Failed to load resource: the server responded with a status of 400/)
  await page.getByRole('button', { name: 'Pause in.example.com' }).click()
  await expect(page.getByText('in.example.com is the only domain where people get addresses', { exact: false }).first()).toBeVisible()

  await page.getByRole('tab', { name: 'Settings' }).click()
  await page.getByRole('textbox', { name: 'English' }).fill('Back at <5>')
  await page.getByRole('textbox', { name: 'Español' }).fill('Volvemos a las 5')
  await page.getByRole('button', { name: 'Show notice' }).click()
  await expect(page.getByText('Done', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 360, height: 640 })
  await page.getByRole('tab', { name: 'Audit log' }).click()
  await expect(page.getByText('Notice shown')).toBeVisible()
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)

  await page.goto('/contact?lang=es')
  await expect(page.getByText('Volvemos a las 5')).toBeVisible()
  await expect(page.getByText('Back at <5>')).toBeHidden()
  await expectAccessible(page)
  await page.goto('/operator?lang=es')
  await expect(page.getByRole('tab', { name: 'Resumen' })).toBeVisible()
  await page.getByRole('tab', { name: 'Mensajes' }).click()
  await page.getByRole('button', { name: mail.to }).click()
  await expect(page.getByRole('dialog')).toContainText('Tu respuesta va a thief@elsewhere.example')
  await expect(page.getByRole('dialog')).toContainText('Otro dominio que el del remitente, que es bank.example')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: 'Dominios' }).click()
  for (const action of ['Pausar', 'Dar de baja', 'Eliminar']) {
    await expect(page.getByRole('button', { name: `${action} in.example.com` })).toBeVisible()
    await expect(page.getByText(`${action}: `), 'what it does').toBeVisible()
  }
  const own = { headers: { origin: baseURL ?? '' } }
  await page.request.post('/api/operator/second-factor/verify', { ...own, data: { code: recovery } })
  await page.getByRole('tab', { name: 'Auditoría' }).click()
  for (const entry of [
    'Código de recuperación usado: quedan 9',
    'Bloqueo añadido: dominio del remitente spam.example',
    /Respuesta enviada: mensaje de contacto \d+/,
  ])
    await expect(page.getByRole('listitem').filter({ hasText: entry })).toBeVisible()
  await expectAccessible(page)
})

test('the overview says in one line whether anything is wrong, and the doctor puts first what is to be done', async ({
  page,
  baseURL,
  noise,
  sendMail,
  newAccount,
}) => {
  await signIn(page, await newAccount('third-operator@example.org'))
  await expect(page).toHaveURL('/')
  const address = await addressOn(page)
  await sendMail({ to: address, subject: 'One', text: 'Hello.' })
  await expect(sendMail({ to: 'nobody@in.example.com', subject: 'Two', text: 'Hello.' })).rejects.toThrow('550')
  await enrol(page)

  // The doctor has not looked, so not all is known to be well.
  await expect(page.getByRole('heading', { name: 'The figures are in order' })).toBeVisible()
  await expect(page.getByText(/The doctor.* has not looked yet/)).toBeVisible()
  const mails = page.getByRole('figure').filter({ hasText: 'Mails in' })
  await mails.getByText('As a table').click()
  await expect(mails.getByRole('row').last()).toHaveText(/[1-9]$/)
  await expect(page.getByRole('row', { name: 'Unknown address' })).toBeVisible()
  await expect(page.getByText('Event-loop delay'), 'folded').toBeHidden()
  await page.getByText('Internals').click()
  await expect(page.getByText('Event-loop delay')).toBeVisible()

  await page.getByRole('button', { name: 'To the doctor' }).click()
  const summary = page.getByText(/^\d+ to fix, \d+ hints?$/)
  await expect(summary).toBeVisible({ timeout: 30_000 })
  await expect(page.getByRole('listitem').filter({ hasText: 'in.example.com is a name for trying out' })).toContainText('Hint: ')
  await expect(page.getByText('Good: ').first(), 'folded').toBeHidden()
  const [count] = (await summary.innerText()).split(' ')
  await page.getByRole('tab', { name: 'Overview' }).click()
  await expect(page.getByRole('heading', { name: count === '0' ? 'All well' : `${count} to fix` })).toBeVisible()
  await expect(page.getByText(/by the doctor at \d+:\d\d/)).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: count === '0' ? 'All well' : `${count} to fix` }), 'the server keeps it').toBeVisible()

  // The page comes back by Back after the session ended elsewhere. Playwright turns the browser's cache for Back off.
  noise.allow(/401/)
  expect((await page.request.post('/api/auth/sign-out', { headers: { origin: baseURL ?? '' } })).status()).toBe(204)
  const answered = Promise.withResolvers<void>()
  await page.route(/\/api\/(operator|auth)\//, route => answered.promise.then(() => route.continue()))
  await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await expect(page.getByRole('tab'), 'while nothing has been answered').toHaveCount(0)
  answered.resolve()
  await expect(page.getByRole('main').getByRole('link', { name: 'Sign in' })).toBeVisible()
})

test('every view is accessible and fits, in English on a desktop and in Spanish on a phone, light and dark', { tag: '@long' }, async ({
  page,
  newAccount,
}) => {
  test.slow()
  await newAccount(OTHER_EMAIL)
  await signIn(page, OTHER_EMAIL)
  await expect(page).toHaveURL('/')
  await enrol(page)
  for (const [language, width] of [
    ['en', 1280],
    ['es', 360],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto(`/operator?lang=${language}`)
    const tabs = page.getByRole('tab')
    await expect(tabs).toHaveCount(VIEWS)
    const tops = await tabs.evaluateAll(all => all.map(tab => tab.getBoundingClientRect().top))
    expect(new Set(tops).size, 'one row').toBe(1)
    for (let view = 0; view < VIEWS; view++) {
      // Playwright's own click would scroll to it first. One pixel is under the line below all tabs.
      await tabs.nth(view).evaluate((tab: HTMLElement) => tab.click())
      await expect(tabs.nth(view)).toBeInViewport({ ratio: 0.95 })
      await expect(page.getByRole('tabpanel')).toHaveText(/\S/)
      await expectAccessible(page)
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    }
  }
})

test('anybody can report abuse', async ({ page, recorder }) => {
  await page.goto('/contact')
  await page.getByRole('link', { name: 'Report abuse' }).click()
  await page.getByRole('button', { name: 'Send report' }).click()
  await expect(page.getByText('Please name the address or domain.')).toBeVisible()
  await page.getByLabel('What is it?').selectOption('phishing')
  await page.getByLabel('Address or domain').fill('bad@in.example.com')
  await page.getByLabel('What happened?').fill('It pretends to be my bank.')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Send report' }).click()
  await expect(page.getByText('Thank you. The report has arrived.')).toBeVisible()
  // Other tests may have written to the operator of this server.
  const subjects = () => recorder.mails.filter(mail => mail.recipients.includes('operator@example.com')).map(mail => mail.subject)
  await expect.poll(subjects).toContain('[Mayfly] Report of abuse: phishing')
})
