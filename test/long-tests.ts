/**
 * Which tests only `npm test -- --all` runs; all others are the quick proof, `npm test`. A file belongs here when it needs another engine
 * or program, or takes more than about 5 s on a quiet machine. Each visible behaviour keeps a quick browser test. Vitest and Playwright
 * make a project of each half (vitest.config.ts, playwright.config.ts), so a test that is run by its path runs in either case.
 */

/** Globs of vitest. */
export const LONG_UNIT_TESTS = [
  // Other engines and programs: clusters, PostgreSQL, proxies, certificate authorities, package managers.
  'server/http/openapi/schemathesis.test.ts',
  'server/smtp/{proxy-protocol,real-clients,shared-unknown-recipients}.test.ts',
  'server/store/valkey/**/*.test.ts',
  'test/client/published-client.test.ts',
  'test/cluster/**/*.test.ts',
  'test/databases/postgres*.test.ts',
  'test/deployment/**/*.test.ts',
  'test/documentation/**/*.test.ts',
  // Corpora, complexity, load and fuzzing.
  'lab/**/*.test.ts',
  'scripts/test-report.test.ts',
  'server/smtp/{fuzz,load}.test.ts',
  'test/complexity/**/*.test.ts',
  'test/mail-corpora/**/*.test.ts',
  'test/noisy-neighbour/**/*.test.ts',
  // Many starts of a real process, or real time.
  'cli/{backup,mayfly}.test.ts',
  'server/http/routes/account-limits.test.ts',
  'server/mail/mailbox-guard.test.ts',
  'server/operator/doctor/faults.test.ts',
  'server/start/refused-start.test.ts',
]

/** What a test's file, groups, title and tags are searched for. Texts and layouts are tried in English; Spanish is for the long run. */
export const LONG_BROWSER_TESTS = new RegExp(
  [
    '@long',
    String.raw`\(es\b`,
    String.raw`\b(in Spanish|in es:)`,
    'passes axe by day and night',
    ...['mailbox/expiry', 'mailbox/idle-page', 'mailbox/mail-store-away', 'site/scenes', 'site/inner-pages'].map(specFile),
    ...['contrast', 'drawn', 'fidelity', 'hostile-css', 'hostile-html', 'large', 'width'].map(name => specFile(`message/${name}`)),
  ].join('|'),
)

function specFile(path: string): string {
  return `${path}\\.spec\\.ts`
}
