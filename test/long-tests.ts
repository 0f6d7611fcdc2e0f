/**
 * Which tests only `npm test -- --all` runs; all others are the quick proof, `npm test`. A file belongs here when it needs another engine
 * or program, or takes more than about 5 s on a quiet machine. Each visible behaviour keeps a quick browser test. Vitest and Playwright
 * make a project of each half (vitest.config.ts, playwright.config.ts), so a test that is run by its path runs in either case.
 */

/** Globs of vitest. */
export const LONG_UNIT_TESTS = [
  // Other engines and programs: clusters, PostgreSQL, proxies, certificate authorities, package managers.
  'server/http/openapi/{code-samples,schemathesis}.test.ts',
  'server/smtp/{mail-servers,proxy-protocol,real-clients,shared-unknown-recipients}.test.ts',
  'server/store/valkey/**/*.test.ts',
  'test/account-endings/*.test.ts',
  'test/client/{chaos,live-messages,packed-release,parallel-waits,published-client}.test.ts',
  'test/cluster/**/*.test.ts',
  // The tests of the accounts' API try SQLite as well.
  'test/databases/*.test.ts',
  'test/deployment/**/*.test.ts',
  'test/documentation/**/*.test.ts',
  'test/extension/**/*.test.ts',
  // Corpora, complexity, load and fuzzing.
  'lab/**/*.test.ts',
  'scripts/test-report.test.ts',
  'server/smtp/{fuzz,load}.test.ts',
  'test/complexity/**/*.test.ts',
  'test/mail-corpora/**/*.test.ts',
  'test/mail-libraries/*.test.ts',
  'test/noisy-neighbour/**/*.test.ts',
  // Many starts of a real process, or real time.
  'cli/{data-folder,json-output,mayfly,messages,moderation,releases,send-test,setup}.test.ts',
  'scripts/bootstrap.test.ts',
  'server/accounts/password-hasher.test.ts',
  'server/database/log-truncation.test.ts',
  'server/http/routes/{account-limits,rate-limits}.test.ts',
  'server/mail/mailbox-guard.test.ts',
  'server/main.test.ts',
  'server/operator/{domains,notices,doctor/{doctor,faults,starttls-check}}.test.ts',
  'server/platform/node-options.test.ts',
  'server/platform/memory/gc-hint.test.ts',
  'server/start/{refused-data-folder,refused-start,site}.test.ts',
  'server/store/sqlite/{commit-groups,faults,page-gaps}.test.ts',
  'test/durability/keep-after-kill.test.ts',
  'test/durability/power-cut/power-cut.test.ts',
  'test/durability/webhook-after-kill.test.ts',
]

/** Browser tests with the tag `@long`, and those of whole files. */
export const LONG_BROWSER_TESTS = new RegExp(
  [
    '@long',
    specFile('account/(account-forms|address-sheet)'),
    ...[
      'announced',
      'blocklist',
      'expiry',
      'idle-page',
      'keyboard',
      'lazy-parts',
      'mail-store-away',
      'plain-http',
      'recaptcha',
      'reconnect',
    ].map(name => specFile(`mailbox/${name}`)),
    ...['inner-pages', 'installed', 'page-failed', 'printed-article', 'scenes', 'visitors-day'].map(name => specFile(`site/${name}`)),
    ...[
      'contrast',
      'drawn',
      'fidelity',
      'costly-css',
      'hostile-css',
      'hostile-html',
      'large',
      'markup',
      'print',
      'visitors-day',
      'width',
    ].map(name => specFile(`message/${name}`)),
  ].join('|'),
)

function specFile(path: string): string {
  return `${path}\\.spec\\.ts`
}
