/**
 * Bundles the server with its packages into dist/server. It then takes 27 MB less than from its sources and half the CPU time to start,
 * because no thread reads a TypeScript compiler and unused code is left out (docs/decisions/0022-server-is-bundled.md).
 */
import { readdirSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build, type Plugin } from 'vite'

/** The program, and each thread's own. */
const ENTRIES = [
  'server/main.ts',
  'server/platform/certificates/acme.worker.ts',
  'server/mail/threads/mail.worker.ts',
  'server/mail/authentication/authenticate.worker.ts',
  'server/store/sqlite/sqlite.worker.ts',
]

/** What an operator runs where no packages are. */
export const COMMANDS = ['cli/mayfly.ts', 'cli/send-test.ts']

/** Parts of `pg` and kysely that are native or for other runtimes. */
const ABSENT = ['pg-native', 'cloudflare:sockets']

/** All entries are in one folder of the bundle, so a thread's program is next to the code that starts it. */
const threadPrograms: Plugin = {
  name: 'thread-programs',
  enforce: 'pre',
  transform(code) {
    if (!code.includes('.worker.ts')) return undefined
    return code.replaceAll(/new URL\('\.\/([\w-]+\.worker)\.ts', import\.meta\.url\)/g, "new URL('./$1.js', import.meta.url)")
  },
}

/** A server running from an earlier bundle still loads parts of it on demand. */
const EARLIER_KEPT_MS = 24 * 60 * 60 * 1000

/** @param folder where the bundle goes; `commands` are further programs of it, see `COMMANDS` */
export async function buildServer(root: string, folder: string, commands: readonly string[] = []): Promise<void> {
  const startedAt = Date.now()
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [threadPrograms],
    ssr: { noExternal: true, external: ABSENT },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: false,
      copyPublicDir: false,
      target: 'node24',
      // By rolldown's options below, which keep names so that stack traces stay readable.
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries([...ENTRIES, ...commands].map(path => [basename(path, '.ts'), join(root, path)])),
        output: {
          minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
          // V8 keeps a source in twice the memory if one character of it is beyond Latin-1.
          charset: 'ascii',
          format: 'es',
          entryFileNames: '[name].js',
          chunkFileNames: '[name]-[hash].js',
        },
      },
    },
  })
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (statSync(path).mtimeMs < startedAt - EARLIER_KEPT_MS) rmSync(path)
  }
}
