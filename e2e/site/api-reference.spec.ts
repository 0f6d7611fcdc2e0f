/** The API reference at `/api/docs`: read without JavaScript, tried and copied with it. */
import { expectAccessible, expectNothingSideways, expectRoomForFingers } from '../harness/checks.ts'
import { expect, quickInEnglish, test, WITH_BOT_CHECK } from '../harness/fixtures.ts'

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 375, height: 700 } })

  test('every operation is there with its access, its fields and samples in three languages', async ({ page, request }) => {
    const { paths } = await (await request.get('/api/openapi.json')).json()
    await page.goto('/api/docs')
    for (const [path, methods] of Object.entries<Record<string, { operationId: string }>>(paths)) {
      for (const [method, { operationId }] of Object.entries(methods))
        await expect(page.locator(`#operation-${operationId} .route`)).toHaveText(`${method.toUpperCase()} ${path}`)
    }
    const wait = page.locator('#operation-waitForMessage')
    await wait.locator('h3').click()
    await expect(wait).toContainText('Who may call it: with the token of the mailbox.')
    await expect(wait.getByRole('region', { name: 'curl' })).toBeVisible()
    await wait.getByText('Python', { exact: true }).click()
    await expect(wait.getByRole('region', { name: 'Python' })).toBeVisible()
    await expect(wait.getByRole('region', { name: 'curl' })).toBeHidden()
    await expect(wait.getByText('Try it')).toBeHidden()
    await expect(page.getByText('**')).toHaveCount(0)
  })
})

test('its links lead somewhere, code that is too wide is scrolled by the keyboard, and a problem names its explanation', async ({
  page,
}) => {
  await page.setViewportSize({ width: 375, height: 700 })
  await page.goto('/api/docs')
  const problems = page.locator('section', { has: page.getByRole('heading', { name: 'Problem codes' }) })
  const { height } = (await problems.boundingBox()) ?? {}
  expect(height, 'the problem codes are folded').toBeLessThan(1500)
  await expect(problems.getByText('mailbox_not_found').first(), 'but in sight').toBeVisible()
  await page.goto('/api/docs#mailbox_not_found')
  await expect(page.locator('#mailbox_not_found')).toBeInViewport()
  await expect(problems.getByText('No such mailbox.')).toBeVisible()
  const broken = await page
    .locator('a[href^="#"]')
    .evaluateAll(links => links.filter(a => !document.getElementById((a as HTMLAnchorElement).hash.slice(1))).map(a => a.outerHTML))
  expect(broken).toEqual([])
  const create = page.locator('#operation-createMailbox')
  const code = create.getByRole('region', { name: 'curl' })
  await expect(code).toBeHidden()
  await page.goto('/api/docs#createMailbox')
  await expect(create.getByText('Who may call it')).toBeInViewport()
  await code.focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => code.evaluate(box => box.scrollLeft)).toBeGreaterThan(0)
})

for (const [language, widths] of [
  ['en', [375]],
  ['es', [375, 1280]],
] as const) {
  for (const width of widths) {
    test(
      `in ${language} at ${width} px it is accessible and fits, with an operation being tried`,
      quickInEnglish(language),
      async ({ page }) => {
        await page.setViewportSize({ width, height: 800 })
        await page.goto(`/api/docs?lang=${language}`)
        await expect(page.locator('html')).toHaveAttribute('lang', language)
        await expect(page.locator('.lead')).toHaveText(language === 'es' ? /^Crea una dirección/ : /^Create an address/)
        if (width === 375)
          expect((await page.getByRole('heading', { level: 1 }).boundingBox())?.y, 'its parts are one row').toBeLessThan(180)
        await expect(page.getByText('Las descripciones largas están en inglés.')).toHaveCount(language === 'es' ? 1 : 0)
        const create = language === 'es' ? 'Crear una dirección' : 'Create an address'
        await expect(page.locator('#operation-createMailbox')).toContainText(create)
        await page.locator('header button').click()
        await expect(page.getByRole('link', { name: 'Español' })).toBeVisible()
        await page.keyboard.press('Escape')
        await expect(page.getByRole('link', { name: 'Español' })).toBeHidden()
        expect(await page.evaluate(() => document.body.scrollHeight)).toBeLessThan(15_000)
        const read = page.locator('#operation-readConfig')
        await read.locator('h3').click()
        await read.locator('.try summary').click()
        await read.locator('.try button').first().click()
        await expect(read.locator('.outcome')).toContainText('200')
        await expectNothingSideways(page)
        if (width === 375) await expectRoomForFingers(page)
        // All are drawn alike, and axe takes minutes for all of them.
        await page.evaluate(() => {
          const more = ['.operation', '.schema', '.problem', '.fields > div', 'tr', 'nav li', '.index li', '.responses li']
          for (const one of document.querySelectorAll(more.map(part => `${part}:nth-of-type(n+3)`).join())) one.remove()
        })
        await expectAccessible(page)
        const frame = async () => [await page.locator('header').innerText(), await page.locator('footer').innerText()]
        const here = await frame()
        await page.getByRole('link', { name: language === 'es' ? 'Privacidad' : 'Privacy' }).click()
        await expect(page).toHaveURL(/\/privacy/)
        await expect.poll(frame, 'the header and footer of the site').toEqual(here)
      },
    )
  }
}

test('one language of samples is chosen for all, operations are filtered, and a sample is copied', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto('/api/docs')
  await page.getByRole('button', { name: 'Show all details' }).click()
  const operation = page.locator('#operation-readMailbox')
  await page.locator('#operation-createMailbox').getByText('TypeScript', { exact: true }).click()
  await operation.getByRole('button', { name: 'Copy' }).first().click()
  await expect(operation.getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("import { Mayfly } from 'mayfly-client'")

  await page.getByRole('button', { name: 'Hide all details' }).click()
  const fields = page
    .locator('details')
    .filter({ has: page.locator('#schema-Mailbox') })
    .locator('.fields')
  await expect(fields).toBeHidden()
  await page.emulateMedia({ media: 'print' })
  await expect(fields, 'paper shows all').toBeVisible()
  await page.emulateMedia({ media: 'screen' })

  const list = page.getByRole('navigation', { name: 'Operations' })
  const read = list.locator('[aria-current]')
  for (const width of [1280, 375]) {
    await page.setViewportSize({ width, height: 800 })
    await page.locator('#sign-in').evaluate(heading => scrollTo(0, heading.getBoundingClientRect().top + scrollY - 20))
    await expect(read.first()).toHaveText('Sign-in')
    await expect(read.first()).toBeInViewport()
    // From beyond the last part.
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await expect(read.first()).toHaveText('Problem codes')
    await page.evaluate(() => scrollTo(0, 0))
    await expect(read).toHaveCount(0)
    expect(await list.evaluate(({ scrollTop, scrollLeft }) => [scrollTop, scrollLeft]), 'it goes back with the page').toEqual([0, 0])
  }
  await page.setViewportSize({ width: 844, height: 390 })
  await list.getByRole('link', { name: 'Sign-in', exact: true }).click()
  await expect(read.first(), 'on a low screen too').toHaveText('Sign-in')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('searchbox', { name: 'Filter operations' }).fill('/wait')
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await expect(list.getByRole('link'), 'the other parts are hidden too').toHaveCount(2)
  await page.getByRole('searchbox', { name: 'Filter operations' }).fill('nothing like this')
  await expect(list.getByText('No operation has this in its name or path.')).toBeVisible()
})

test.describe('trying', () => {
  test.use({ serverEnv: WITH_BOT_CHECK })

  test('an address is made without a key, its token is used for its mail, and destroying asks once more', async ({ page, sendMail }) => {
    await page.goto('/api/docs')
    const part = (id: string) => page.locator(`#operation-${id} .try`)
    const send = (id: string) => part(id).locator('.actions button').first()
    await page.getByRole('button', { name: 'Show all details' }).click()
    await part('createMailbox').getByText('Try it').click()
    const body = part('createMailbox').getByLabel('Body')
    const example = await body.inputValue()
    await body.fill('{ "lifetimeSeconds": ')
    await send('createMailbox').click()
    await expect(part('createMailbox').getByRole('status')).toHaveText('The body is no valid JSON.')
    await body.fill(example)
    const proxy = { contentType: 'application/json', body: '<html>Bad gateway</html>' }
    await page.route('**/api/bot-check/challenge*', route => route.fulfill(proxy), { times: 1 })
    await send('createMailbox').click()
    await expect(part('createMailbox').getByRole('status')).toHaveText('The server did not answer.')
    await send('createMailbox').click()
    await expect(part('createMailbox').getByRole('status')).toContainText('201')
    const { email, token } = JSON.parse(await part('createMailbox').getByRole('region').innerText())
    await part('createMailbox').getByRole('button', { name: 'Use this mailbox token below' }).click()

    await sendMail({ to: email, subject: 'Your code is 481516', text: 'Hello.' })
    await part('waitForMessage').getByText('Try it').click()
    await expect(part('waitForMessage').getByLabel('The token of the mailbox')).toHaveValue(token)
    await part('waitForMessage').getByLabel('subject').fill('code')
    await send('waitForMessage').click()
    await expect(part('waitForMessage').getByRole('region')).toContainText('"Your code is 481516"')

    await part('streamEvents').getByText('Try it').click()
    await send('streamEvents').click()
    await expect(part('streamEvents').getByRole('region')).toContainText('event: message')
    await part('streamEvents').getByRole('button', { name: 'Stop' }).click()
    await expect(send('streamEvents')).toBeEnabled()

    await part('destroyMailbox').getByText('Try it').click()
    const label = await send('destroyMailbox').innerText()
    await send('destroyMailbox').click()
    await expect(send('destroyMailbox')).toHaveText('It cannot be undone. Send it?')
    const field = part('destroyMailbox').getByLabel('The token of the mailbox')
    await field.fill('that of another mailbox')
    await expect(send('destroyMailbox'), 'a changed field is asked about anew').toHaveText(label)
    await field.fill(token)
    await send('destroyMailbox').click()
    await expect(send('destroyMailbox')).toHaveText('It cannot be undone. Send it?')
    await send('destroyMailbox').click()
    await expect(part('destroyMailbox').getByRole('status')).toContainText('204')
    expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toContain(token)
  })
})
