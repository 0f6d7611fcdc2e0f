/** `npm run client:build`: the npm package mayfly-client in dist/client, ready for `npm publish`. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { build } from 'vite'
import { bundledSdk } from './bundled-sdk.ts'
import { wireTypes } from './wire-types.ts'

const root = join(import.meta.dirname, '../..')
const out = join(root, 'dist/client')
const ENTRIES = ['index', 'playwright', 'testing'] as const
/** Named in the configuration of test runners, so they need no types. */
const MODULES = ['global-setup', 'global-teardown'] as const

rmSync(out, { recursive: true, force: true })
await bundle()
await declareTypes()
await declareForCommonJs()
copyRest()

/** The package has no dependencies: code that the client uses from other packages is bundled. */
async function bundle(): Promise<void> {
  const entries = Object.fromEntries([...ENTRIES, ...MODULES].map(name => [name, join(root, `client/${name}.ts`)]))
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    plugins: [bundledSdk()],
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: out,
      target: 'es2022',
      rolldownOptions: {
        input: { ...entries, bin: join(root, 'client/cli/bin.ts') },
        external: [/^node:/, '@playwright/test'],
        // Only the schemas of the SDK and the contract that are used.
        treeshake: { manualPureFunctions: ['z', 'described'], propertyReadSideEffects: false },
        output: {
          format: 'es',
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name].js',
          comments: false,
          // What is printed shows the names of classes.
          minify: { compress: true, mangle: { keepNames: { class: true, function: false } }, codegen: true },
        },
      },
    },
  })
}

/** The client's declarations from tsc, with types of the contract written out. */
async function declareTypes(): Promise<void> {
  const emitted = join(root, 'dist/client-types')
  rmSync(emitted, { recursive: true, force: true })
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', 'client/tsconfig.json', '--outDir', emitted], {
    cwd: root,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`tsc: ${stdout}`)
  const paths = ENTRIES.map(name => `client/${name}.d.ts`)
  /** The names imported from each contract module. */
  const ofContract = new Map<string, Set<string>>()
  for (const path of paths) {
    const text = readFileSync(join(emitted, path), 'utf8')
    writeTypes(path, text)
    for (const [, names = '', specifier = ''] of text.matchAll(/(?:import|export)(?: type)? \{([^}]*)\} from ['"](\.[^'"]*)\.ts['"]/g)) {
      const imported = `${posix.join(posix.dirname(path), specifier)}.d.ts`
      if (imported.startsWith('contract/')) {
        const types = names.split(',').map(name => /(\w+)(?: as \w+)?\s*$/.exec(name.trim())?.[1] ?? '')
        ofContract.set(imported, new Set([...(ofContract.get(imported) ?? []), ...types]))
      } else if (!paths.includes(imported)) paths.push(imported)
    }
  }
  for (const [path, names] of ofContract) writeTypes(path, await wireTypes(path.replace('.d.ts', '.ts'), names))
  rmSync(emitted, { recursive: true })
}

function writeTypes(path: string, text: string): void {
  const target = join(out, 'types', path)
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, text.replaceAll(/(from ['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2'))
}

/** For projects of CommonJS, whose compilers refuse the declarations of an ES module: each entry declares its values again. */
async function declareForCommonJs(): Promise<void> {
  for (const name of ENTRIES) {
    const from = `'./types/client/${name}.js' with { 'resolution-mode': 'import' }`
    const values = Object.entries(await import(join(out, `${name}.js`))).flatMap(([value, code]) => [
      `export declare const ${value}: typeof all.${value}`,
      ...(/^class\b/.test(String(code)) ? [`export type ${value} = all.${value}`] : []),
    ])
    writeFileSync(join(out, `${name}.d.cts`), [`import type * as all from ${from}`, `export type * from ${from}`, ...values, ''].join('\n'))
  }
}

function copyRest(): void {
  cpSync(join(root, 'LICENSE'), join(out, 'LICENSE'))
  cpSync(join(root, 'client/README.md'), join(out, 'README.md'))
  cpSync(join(root, 'client/package.json'), join(out, 'package.json'))
  const bytes = readdirSync(out, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => readFileSync(join(entry.parentPath, entry.name)).length)
  console.log(
    `Built mayfly-client into dist/client: ${bytes.length} files, ${Math.round(bytes.reduce((sum, size) => sum + size, 0) / 1000)} kB.`,
  )
}
