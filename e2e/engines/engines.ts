/**
 * Which browser tests also run with other fonts, and in other engines than Chromium, in `npm test -- --all`. What sanitises a mail rests
 * on what the engine parses, so each layer is attacked in each.
 */
import { resolve } from 'node:path'
import type { Project } from '@playwright/test'
import { LONG_BROWSER_TESTS } from '#test/long-tests.ts'
import { launchOptions, PLAIN_HTTP_HOST, STRANGERS_HOST } from '../harness/chromium.ts'

/** The tests of a file, or those whose titles begin with one of `titles`, a regular expression. */
const testsOf = (file: string, titles?: string) => String.raw`${file}\.spec\.ts${titles === undefined ? '' : ` (?:${titles})`}`

const LAYERS = String.raw`message/hostile-html\.spec\.ts.*(all three layers|the sanitiser alone|the sandbox alone|payloads of DOMPurify|without any layer)`

/**
 * This rests on the engine: markup, styles and pictures of mails, the clipboard, keys and focus, storage and streams between tabs, leaving
 * a page and coming back. What rests on our code alone is tested in Chromium.
 */
const IN_FIREFOX = new RegExp(
  [
    LAYERS,
    testsOf('message/hostile-html', '.*X09 names'),
    testsOf('message/(attacks|hostile-css|confined)'),
    testsOf('message/images', String.raw`X05|X06|images carried|blocked content is counted \(en\)|after consent`),
    testsOf('mailbox/keyboard'),
    testsOf('mailbox/mailbox', 'generate, copy|a reload|a hand-off URL|the seventh tab|a request that is cut|after a server restart'),
    testsOf('mailbox/expiry', 'an open mail dissolves'),
    testsOf('mailbox/undo', 'a new address|Undo is two|leaving the page|.*without a network|holding g|a toast is above|opening'),
    testsOf(
      'mailbox/two-addresses',
      String.raw`.*nothing moves.* \(en\)|both are there|only the address|while another tab|.*copied by keyboard|made by`,
    ),
    testsOf('account/account', 'an address created|an invalid|a double click|what the account page|a page|a toast'),
    testsOf('account/auth', 'sign up|a tab that is pressed|a session that ran out|a list that comes late|after signing up|the button of'),
    testsOf('account/auth', String.raw`control characters.* \(en\)`),
  ].join('|'),
)

/**
 * Window, page and clipboard are WebKit's; presses and keys are events that Playwright makes, because the inspector has none. So Tab moves
 * no focus, the window never has it, no request can be held back, and no pointer is down between two presses: what rests on these is seen
 * in the other two.
 */
const IN_WEBKIT = new RegExp(
  [
    LAYERS,
    testsOf('message/(attacks|hostile-css)'),
    testsOf('message/images', '.*requested only if it is visible'),
    testsOf('mailbox/undo', '.*can be undone'),
    testsOf('mailbox/mailbox', 'a reload|generating a new address|a hand-off URL|after a server restart'),
    testsOf('mailbox/expiry', 'an open mail dissolves'),
    testsOf('mailbox/two-addresses', '.*has a stream'),
    testsOf('account/account', 'an address created'),
    testsOf('account/auth', String.raw`sign up|a session that ran out|control characters.* \(en\)|after signing up|the button of`),
  ].join('|'),
)

/** What a visitor with a dark desktop sees. */
const IN_DARK_FIREFOX = /message\/views\.spec\.ts/

/** These tests measure the page, or press what another control could cover. */
const IN_OTHER_FONTS = new RegExp(
  [
    testsOf('account/account', 'mail at another address'),
    testsOf('account/keep-address', 'the form can be used'),
    testsOf('account/operator'),
    testsOf('mailbox/(arrival-pill|code-arrives|limit|toasts)'),
    testsOf('mailbox/address-and-inbox', 'beside a low sky'),
    testsOf('mailbox/domains', '.*the menu of domains'),
    testsOf('mailbox/two-addresses', '.*nothing moves|a code that waits|at the limit'),
    testsOf('mailbox/undo', 'a pointer'),
    testsOf('message/(confined|extras|first-screen|hosts|message|sender|simple|views|warnings)'),
    testsOf('site/(enlarged-text|large-text|live-address|site|site-frame)'),
    testsOf('site/api-reference', 'in en|its links'),
    testsOf('site/first-press', '.*by mouse'),
    testsOf('site/pages', '.*hydrates'),
  ].join('|'),
)

/** A system may have other fonts. */
const OTHER_FONTS: Project = {
  name: 'other-fonts',
  grep: IN_OTHER_FONTS,
  grepInvert: LONG_BROWSER_TESTS,
  use: {
    launchOptions: { ...launchOptions, env: { ...launchOptions.env, FONTCONFIG_FILE: resolve(import.meta.dirname, 'other-fonts.conf') } },
  },
}

/** `BROWSER_ENGINES=all` asks for them; one that is not installed is left out, as scripts/engines.mjs says. */
export function otherEngines(): Project[] {
  if (process.env.BROWSER_ENGINES !== 'all') return []
  const firefox = (name: string, grep: RegExp, prefs: Record<string, number>): Project => ({
    name,
    grep,
    // Playwright fails when a frame goes while Firefox tells of it, which mails without any layer bring about.
    retries: 1,
    use: {
      browserName: 'firefox',
      // Debian's own, by WebDriver BiDi.
      channel: 'moz-firefox',
      launchOptions: {
        executablePath: resolve(import.meta.dirname, 'firefox.mjs'),
        firefoxUserPrefs: {
          ...prefs,
          'ui.prefersReducedMotion': 1,
          // Attacks may open connections ahead of time, as for a visitor; automation would turn that off.
          'network.http.speculative-parallel-limit': 6,
          'network.dns.localDomains': [PLAIN_HTTP_HOST, STRANGERS_HOST].join(','),
        },
      },
    },
  })
  const firefoxes = [
    firefox('firefox', IN_FIREFOX, {}),
    // Playwright's own switch is the command that Firefox does not know (firefox.mjs).
    firefox('firefox-dark', IN_DARK_FIREFOX, { 'layout.css.prefers-color-scheme.content-override': 0 }),
  ]
  // An attack of many mails takes a minute on an idle machine.
  const webkit: Project = { name: 'webkit', grep: IN_WEBKIT, timeout: 300_000, expect: { timeout: 45_000 }, use: { browserName: 'webkit' } }
  return [OTHER_FONTS, ...(process.env.FIREFOX_PATH ? firefoxes : []), ...(process.env.MINIBROWSER_PATH ? [webkit] : [])]
}
