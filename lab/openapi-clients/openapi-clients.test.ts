/** Clients that generators make of `/api/openapi.json` are compiled, and each creates an address, waits for its mail and reads it. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../contract/routes.ts'
import { onPath } from '../../test/harness/install-once.ts'
import { startTestServer, type TestServer } from '../../test/harness/mayfly/start-test-server.ts'
import { installMaven, installNpm, installPypi, runIn } from '../registries.ts'

const TOKEN = `mft_${'a'.repeat(43)}`
const modules = resolve(import.meta.dirname, '../../node_modules')
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({
    env: { API_TOKENS: `clients:${createHash('sha256').update(TOKEN).digest('hex')}` },
    isClockRunning: true,
  })
})
afterAll(() => server[Symbol.asyncDispose]())

type Generator = {
  readonly name: string
  /** Commands that it takes besides npm and python3. */
  readonly needs: readonly string[]
  /** Generates from `openapi.json` and compiles. Returns the command of a program that takes the token and the URL. */
  build(folder: string, url: string): readonly string[]
}

/** Compiles `program` strictly, with what it imports. */
function typescript(folder: string, program: string): readonly string[] {
  copyFileSync(join(import.meta.dirname, 'programs', program), join(folder, program))
  const options = ['--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler']
  const types = ['--lib', 'es2022,dom,dom.iterable', '--types', 'node', '--typeRoots', join(modules, '@types')]
  const tsc = join(modules, 'typescript/bin/tsc')
  const out = ['--rewriteRelativeImportExtensions', '--outDir', 'out', '--rootDir', '.', '--checkers', '1']
  runIn(folder, process.execPath, tsc, ...options, ...types, ...out, program)
  writeFileSync(join(folder, 'out/package.json'), '{"type":"module"}')
  return [process.execPath, `out/${program.replace('.ts', '.js')}`]
}

function goProgram(folder: string, program: string): readonly string[] {
  copyFileSync(join(import.meta.dirname, 'programs', program), join(folder, 'main.go'))
  runIn(folder, 'go', 'mod', 'tidy')
  runIn(folder, 'go', 'build', '-o', 'program')
  return ['./program']
}

const GENERATORS: Generator[] = [
  {
    name: 'orval 8.38.0, fetch and zod',
    needs: [],
    build(folder, baseUrl) {
      installNpm(folder, ['orval@8.38.0', 'zod@4.6.7'])
      const input = 'openapi.json'
      const config = {
        fetch: { input, output: { client: 'fetch', target: 'fetch.ts', baseUrl } },
        zod: { input, output: { client: 'zod', target: 'zod.ts' } },
      }
      writeFileSync(join(folder, 'orval.config.mjs'), `export default ${JSON.stringify(config)}`)
      runIn(folder, 'node_modules/.bin/orval', '--config', 'orval.config.mjs')
      return typescript(folder, 'orval.ts')
    },
  },
  {
    name: 'openapi-typescript 7.13.0 and openapi-fetch 0.17.0',
    needs: [],
    build(folder) {
      installNpm(folder, ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3'])
      runIn(folder, 'node_modules/.bin/openapi-typescript', 'openapi.json', '-o', 'paths.d.ts')
      return typescript(folder, 'openapi-fetch.ts')
    },
  },
  {
    name: 'openapi-python-client 0.29.1',
    needs: [],
    build(folder) {
      installPypi(folder, ['openapi-python-client==0.29.1', 'ruff==0.14.6'])
      // It knows no other type of bytes.
      writeFileSync(join(folder, 'config.yml'), 'content_type_overrides: { message/rfc822: application/octet-stream }\n')
      const options = ['--path', 'openapi.json', '--meta', 'none', '--output-path', 'mayfly_client', '--config', 'config.yml']
      runIn(folder, 'bin/openapi-python-client', 'generate', ...options)
      copyFileSync(join(import.meta.dirname, 'programs/pypi.py'), join(folder, 'program.py'))
      return ['bin/python', 'program.py']
    },
  },
  {
    name: 'openapi-generator 7.26.0, typescript-fetch',
    needs: ['java'],
    build(folder) {
      installPypi(folder, ['openapi-generator-cli==7.26.0'])
      const options = ['-i', 'openapi.json', '-g', 'typescript-fetch', '-o', 'generated', '--additional-properties=importFileExtension=.ts']
      runIn(folder, 'bin/openapi-generator-cli', 'generate', ...options)
      return typescript(folder, 'openapi-generator.ts')
    },
  },
  {
    name: 'openapi-generator 7.26.0, java',
    needs: ['mvn', 'javac'],
    build(folder) {
      installPypi(folder, ['openapi-generator-cli==7.26.0'])
      const names = ['invokerPackage=client.invoker', 'apiPackage=client.api', 'modelPackage=client.model', 'useJakartaEe=true']
      const options = ['-i', 'openapi.json', '-g', 'java', '--library', 'native', '-o', 'generated', '--additional-properties']
      runIn(folder, 'bin/openapi-generator-cli', 'generate', ...options, names.join())
      installMaven(folder, [
        'com.fasterxml.jackson.datatype:jackson-datatype-jsr310:2.21.6',
        'org.openapitools:jackson-databind-nullable:0.2.12',
        'com.google.code.findbugs:jsr305:3.0.2',
        'jakarta.annotation:jakarta.annotation-api:2.1.1',
      ])
      const program = join(import.meta.dirname, 'programs/OpenapiGenerator.java')
      const classPath = `out:${readFileSync(join(folder, 'classpath'), 'utf8').trim()}`
      runIn(folder, 'javac', '-nowarn', '-d', 'out', '-cp', classPath, '-sourcepath', 'generated/src/main/java', program)
      return ['java', '-cp', classPath, 'OpenapiGenerator']
    },
  },
  {
    name: 'ogen 1.25.0',
    needs: ['go'],
    build(folder) {
      runIn(folder, 'go', 'mod', 'init', 'program')
      // It cannot generate a server that sends events.
      writeFileSync(join(folder, 'ogen.yml'), 'generator: { features: { disable_all: true, enable: [paths/client] } }\n')
      runIn(folder, 'go', 'run', 'github.com/ogen-go/ogen/cmd/ogen@v1.25.0', '--config', 'ogen.yml', '--target', 'api', 'openapi.json')
      return goProgram(folder, 'ogen.go')
    },
  },
  {
    name: 'oapi-codegen 2.8.2',
    needs: ['go'],
    build(folder) {
      runIn(folder, 'go', 'mod', 'init', 'program')
      mkdirSync(join(folder, 'api'))
      const generator = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2'
      runIn(folder, 'go', 'run', generator, '-generate', 'types,client', '-package', 'api', '-o', 'api/api.go', 'openapi.json')
      return goProgram(folder, 'oapi-codegen.go')
    },
  },
]

for (const { name, needs, build } of GENERATORS)
  test.skipIf(!needs.every(onPath))(
    `a client of ${name} creates an address, waits and reads (needs ${['npm', 'python3', ...needs].join(', ')} and their registries)`,
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'mayfly-openapi-'))
      try {
        writeFileSync(join(folder, 'openapi.json'), await (await fetch(server.url(routes.openapi))).text())
        const url = server.url('')
        const [command = '', ...args] = build(folder, url)
        const program = spawn(command, [...args, TOKEN, url], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
        const lines: string[] = []
        for await (const line of createInterface(program.stdout)) if (lines.push(line) === 1) await server.deliver(line)
        expect(JSON.parse(lines.at(-1) ?? '')).toEqual({ code: '481516', raw: true })
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    },
    1_200_000,
  )
