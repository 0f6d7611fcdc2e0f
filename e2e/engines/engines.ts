/**
 * Which browser tests also run with other fonts, and in other engines than Chromium, in `npm test -- --all`. What sanitises a mail rests
 * on what the engine parses, so each layer is attacked in each; the whole product only in Firefox, because WebKit is too slow for it.
 */
import { resolve } from 'node:path'
import type { Project } from '@playwright/test'
import { LONG_BROWSER_TESTS } from '#test/long-tests.ts'
import { launchOptions, PLAIN_HTTP_HOST, STRANGERS_HOST } from '../harness/chromium.ts'

const LAYERS = String.raw`message/hostile-html\.spec\.ts.*(all three layers|the sanitiser alone|the sandbox alone|payloads of DOMPurify|without any layer)`

const IN_FIREFOX = new RegExp(
  [
    LAYERS,
    String.raw`message/hostile-html\.spec\.ts.*X09 names`,
    String.raw`message/attacks\.spec\.ts`,
    String.raw`message/(hostile-css|confined|images)\.spec\.ts`,
    String.raw`mailbox/(mailbox|expiry|undo|keyboard|two-addresses)\.spec\.ts`,
    String.raw`account/(account|auth)\.spec\.ts`,
  ].join('|'),
)

/**
 * Window, page and clipboard are WebKit's; presses and keys are events that Playwright makes, because the inspector has none. So Tab moves
 * no focus, the window never has it, and no request can be held back: what rests on these is seen in the other two.
 */
const IN_WEBKIT = new RegExp(
  [
    LAYERS,
    String.raw`message/(attacks|hostile-css)\.spec\.ts`,
    String.raw`message/images\.spec\.ts.*requested only if it is visible`,
    String.raw`mailbox/undo\.spec\.ts.*can be undone`,
    String.raw`mailbox/mailbox\.spec\.ts.*(a reload|generating a new address|a hand-off URL|whoever declines|after a server restart)`,
    String.raw`mailbox/expiry\.spec\.ts`,
    String.raw`mailbox/two-addresses\.spec\.ts.*has a stream`,
    String.raw`account/account\.spec\.ts.*(an address created|nothing stored)`,
    // Its events are made by a script: no pointer is down between two of them.
    String.raw`account/auth\.spec\.ts(?!.*(before the application has loaded|takes no press))`,
  ].join('|'),
)

/** What a visitor with a dark desktop sees. */
const IN_DARK_FIREFOX = /message\/views\.spec\.ts/

/** These tests measure the page, or press what another control could cover. */
const IN_OTHER_FONTS = new RegExp(
  [
    String.raw`account/(account|keep-address|operator)\.spec\.ts`,
    String.raw`mailbox/(address-and-inbox|arrival-pill|code-arrives|domains|limit|toasts|two-addresses|undo)\.spec\.ts`,
    String.raw`message/(confined|extras|first-screen|hosts|message|sender|simple|views|warnings)\.spec\.ts`,
    String.raw`site/(api-reference|enlarged-text|large-text|live-address|site|site-frame)\.spec\.ts`,
    String.raw`site/first-press\.spec\.ts.*by mouse`,
    String.raw`site/pages\.spec\.ts.*hydrates`,
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
