/** Rules that no linter knows. Each message says how to fix the code. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, matchesGlob, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LANGUAGES } from '#contract/languages.ts'
import { problems } from '#contract/problems.ts'
import { failures, mailFailures, protocolReplies } from '#server/errors.ts'
import { documentedBlocks, findKind } from './documentation/documented-commands/blocks.ts'
import { exportedNames, isTest } from './exported-names.ts'
import { LONG_UNIT_TESTS } from './long-tests.ts'

const root = resolve(import.meta.dirname, '..')
const SOURCE_FOLDERS = ['contract', 'reader', 'server', 'web', 'extension', 'client', 'cli', 'scripts', 'e2e', 'lab', 'test']
const sources = SOURCE_FOLDERS.flatMap(folder => walk(join(root, folder))).filter(path => /\.(ts|tsx)$/.test(path))
const sourceFiles = () => ['examples', ...SOURCE_FOLDERS].flatMap(folder => walk(join(root, folder)))
const product = sources.filter(path => !/\.test\.tsx?$/.test(path) && !/^(test|e2e|lab|scripts)\//.test(path))

function walk(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => relative(root, join(entry.parentPath, entry.name)))
  } catch {
    return []
  }
}

const ALL_IMPORTS = /(?:from|import)\s*\(?\s*'([^'\s]+)'/g
/** Without types, and without what is imported later. */
const LOADED_AT_ONCE = /^(?:import|export) (?!type )(?:[^';]*? from )?'([^']+)'/gm

function readImports(path: string, pattern = ALL_IMPORTS): string[] {
  const text = readFileSync(join(root, path), 'utf8')
  const specifiers = [...text.matchAll(pattern)].map(match => match[1] ?? '')
  return specifiers.flatMap(specifier => {
    if (specifier.startsWith('.')) return [relative(root, resolve(root, dirname(path), specifier))]
    if (specifier.startsWith('#')) return [specifier.slice(1)]
    return [`npm:${specifier}`]
  })
}

/** [file, may not import, remedy] */
const FORBIDDEN: [from: RegExp, to: RegExp, remedy: string][] = [
  [
    /^contract\//,
    /^(reader\/(?!links\/)|server|web|cli|test|npm:(?!zod\/mini$))/,
    'contract/ imports nothing but zod/mini and reader/links/: move the code to the side that needs it',
  ],
  [/^web\//, /^(server|cli)\//, 'the browser never imports the server: put what both need into contract/'],
  [/^server\//, /^(web|cli|test|e2e|lab)\//, 'the server never imports the browser or the tests: put what both need into contract/'],
  [
    /^reader\//,
    /^(contract|server|web|cli|client|extension|test)\/|^npm:node:(?!buffer$|url$)/,
    'reader/ is a package of its own without input or output: pass what it needs as an argument',
  ],
  [/^reader\/(mime|seen)\//, /^reader\/(codes|links)\//, 'codes and links are found in what mime/ and seen/ have read'],
  [
    /^server\/mail\//,
    /^(server\/(smtp|http|accounts|operator|outbound|database|start)\/|server\/platform\/limits\/(?!(cpu-turns|fair-queue|share-budget)\.ts)|npm:(smtp-server|hono|kysely))|^npm:node:(sqlite|http|net)$/,
    'the core knows no socket and no SQL: take a port as an argument',
  ],
  [
    /^server\/store\//,
    /^(reader|server\/(smtp|http|mail|accounts|operator|outbound|database|start))\//,
    'a store holds opaque bytes: pass it what it needs as an argument',
  ],
  [
    /^server\/(?!store\/)/,
    /^server\/store\/[^/]+\//,
    'adapters are named in server/store/configured-store.ts only: depend on store/store.ts',
  ],
  [
    /^server\/platform\/threads\//,
    /^server\/(?!errors\.ts$|platform\/(?:threads\/|log\.ts$|bounded-map\.ts$|memory\/gc-hint\.ts$|limits\/fair-queue\.ts$))|^(contract|npm:(?!node:))/,
    'server/platform/threads/ runs any work: pass what is special to one kind of it as an argument',
  ],
  [/^server\/platform\//, /^server\/(?!errors\.ts$|platform\/)/, 'platform/ is below all other rooms: pass what it needs as an argument'],
  [/^server\/smtp\//, /^server\/(http|accounts|operator|database)\//, 'edges do not know each other: both call server/mail/'],
  [
    /^server\/(?!start\/|app\.ts$|main\.ts$)/,
    /^server\/(start\/|app\.ts$)/,
    'the start knows all rooms and none knows it: pass what it has as an argument',
  ],
  [
    /^server\/(accounts|database|mail|operator|outbound|store)\//,
    /^server\/http\//,
    'the rooms behind the network do not know HTTP: put what both need into platform/ or contract/',
  ],
  [/^server\/http\//, /^server\/smtp\//, 'edges do not know each other: both call server/mail/'],
  [/^client\//, /^(server|web|test|scripts)\//, 'the client is published without the server: put what both need into contract/'],
  [/^(?!extension\/|scripts\/)/, /^extension\//, 'the extension is a program of its own: put what both need into web/lib or contract/'],
  [
    /^extension\//,
    /^(server|web\/(?!lib\/))/,
    'the extension has no framework and no server: put what both need into web/lib or contract/',
  ],
  [/^web\/lib\//, /^web\/(features|components)\//, 'web/lib is below the features: pass what it needs as an argument'],
  [/^web\/components\//, /^web\/features\//, 'components are below the features: pass what they need as props'],
]

describe('imports follow the rules of docs/architecture.md', () => {
  test('nothing outside lab/ imports it', () => {
    const broken = sources
      .filter(path => !path.startsWith('lab/') && readImports(path).some(target => target.startsWith('lab/')))
      .map(path => `${path} imports lab/`)
    expect(broken, 'the laboratory depends on the product and its tests, never the other way round').toEqual([])
  })

  for (const [from, to, remedy] of FORBIDDEN) {
    test(`${from.source} never imports ${to.source}`, () => {
      const broken = product
        .filter(path => from.test(path))
        .flatMap(path =>
          readImports(path)
            .filter(target => to.test(target))
            .map(target => `${path} imports ${target}`),
        )
      expect(broken, remedy).toEqual([])
    })
  }

  test('the main thread loads no mail parser', () => {
    const importers = new Map(['server/app.ts', 'server/start/features.ts'].map(path => [path, '']))
    for (const [path] of importers)
      for (const target of readImports(path, LOADED_AT_ONCE))
        if (!importers.has(target) && product.includes(target)) importers.set(target, path)
    expect(importers.size).toBeGreaterThan(100)
    const parsing = [...importers].filter(([path]) => path.startsWith('reader/mime/structure/'))
    expect(
      parsing.map(([path, importer]) => `${importer} imports ${path}`),
      'it takes 2 MiB: leave it to the mail threads',
    ).toEqual([])
  })

  test('the rules name folders and files that exist', () => {
    const segments = new Set(sources.flatMap(path => path.split('/')).map(segment => segment.replace(/\.tsx?$/, '')))
    const packages = /npm:(?:[\w:]*\((?:[^()]|\([^()]*\))*\)|\w+)/g
    const unknown = FORBIDDEN.flatMap(([from, to]) => [from.source, to.source])
      .flatMap(
        source =>
          source
            .replaceAll('(npm:', 'npm:')
            .replaceAll(packages, '')
            .match(/[a-z][\w-]{2,}/g) ?? [],
      )
      .filter(name => !segments.has(name))
    expect(unknown, 'write the present name, or leave it out').toEqual([])
  })

  test('features never import each other', () => {
    const broken = product.flatMap(path => {
      const feature = /^web\/features\/([^/]+)\//.exec(path)?.[1]
      if (!feature) return []
      return readImports(path)
        .filter(target => /^web\/features\/([^/]+)\//.exec(target)?.[1] !== feature && target.startsWith('web/features/'))
        .map(target => `${path} imports ${target}`)
    })
    expect(broken, 'compose features in web/pages/, or move what both need to web/lib or web/components').toEqual([])
  })
})

/**
 * Numbers whose list a reader of the code cannot open: `W20`, `decision 16`, `spec 5.04`, `case B2`, `issue 12`, `covers 5.02`, and
 * `(5.17–5.19)` or `(4.20, 5.12)`. Allowed are `X01` to `X20`, which are in docs/mail-reading.md.
 */
const UNKNOWN_REFERENCE =
  /\b[WSGFAM]\d{2}\b|\b[Dd]ecisions? \d|\b[Ss]pec(?:ification)? \d+\.\d|\b[Cc]ases? [A-WYZ]\d|\b[Ii]ssue #?\d|\b[Cc]overs \d|\(\d{1,2}\.\d{2}(?:–|, )\d{1,2}\.\d{2}/

/** One without a name. `The Standard Webhooks specification` has one. */
const UNNAMED_SPECIFICATION = /\b(?:the|our) spec(?:ification)?\b/i

const WORD = /[\w$]+/g
/** Words of SQLite, of character sets and of newsletters. */
const FOREIGN_NAMES = new Set(['getaddrinfo', 'rebuildPage', 'windows1251', 'iso8859_2', 'latin2', 'mcnButton', 'button__text'])

describe('code', () => {
  test('only server/platform/config/config.ts reads the environment', () => {
    const readers = product.filter(
      path => path.startsWith('server/') && path !== 'server/platform/config/config.ts' && /process\.env\b/.test(stripComments(path)),
    )
    expect(
      readers.filter(path => path !== 'server/main.ts'),
      'read it in server/platform/config/config.ts and pass it on',
    ).toEqual([])
  })

  test('only server/main.ts ends the process', () => {
    const enders = product.filter(
      path => path.startsWith('server/') && path !== 'server/main.ts' && /process\.exit\(/.test(stripComments(path)),
    )
    expect(enders, 'throw, or abort the signal; server/main.ts decides').toEqual([])
  })

  test('only web/lib uses fetch, streams and browser storage', () => {
    const breakers = product.filter(
      path =>
        path.startsWith('web/') &&
        !path.startsWith('web/lib/') &&
        /\b(fetch\(|localStorage|sessionStorage|EventSource|document\.cookie)/.test(stripComments(path)),
    )
    expect(breakers, 'call the function of web/lib that does it').toEqual([])
  })

  test('no page joins signals by AbortSignal.any', () => {
    const joiners = product.filter(path => path.startsWith('web/') && /AbortSignal\.any\b/.test(stripComments(path)))
    expect(joiners, 'use web/lib/browser/any-signal.ts: WebKit forgets such a signal').toEqual([])
  })

  test('no file contains markers of a merge conflict', () => {
    const files = [...sources, ...walk(join(root, 'docs')), ...walk(join(root, 'deploy')), 'README.md', 'CHANGELOG.md', 'package.json']
    const left = files.filter(path => /^(<{7} |={7}$|>{7} )/m.test(readFileSync(join(root, path), 'latin1')))
    expect(left, 'decide for one side, or join both').toEqual([])
  })

  test('every thread has an entry in the bundle of the server', () => {
    const entries = readFileSync(join(root, 'scripts/build/build-server.ts'), 'utf8')
    const missing = product.filter(path => /^server\/.*\.worker\.ts$/.test(path) && !entries.includes(`'${path}'`))
    expect(missing, 'name it in scripts/build/build-server.ts: a server from the bundle cannot start this thread').toEqual([])
  })

  test('file names are specific', () => {
    const vague = sources.filter(path => /(^|[/-])(utils?|helpers?|managers?|services?|common|misc)\.tsx?$/.test(path))
    expect(vague, 'name the file after what it exports').toEqual([])
  })

  test('every export of the product is used by the product, and every other one by another file', () => {
    const files = new Map(
      [...sources, ...readdirSync(root).filter(name => name.endsWith('.config.ts'))].map(path => [
        path,
        readFileSync(join(root, path), 'utf8'),
      ]),
    )
    const unused = exportedNames(sources, files)
      // Packages and bundles are used from outside: by those who install the client, and by the build.
      .filter(({ path }) => !/^(?:client\/(?:index|playwright|testing)|web\/entry-server)\.tsx?$/.test(path))
      .filter(({ path, users, isMentioned }) => (product.includes(path) ? users.every(isTest) : !isMentioned))
      .map(({ path, name, users }) => `${path} ${name}${users.length > 0 ? ' (used by tests)' : ''}`)
    expect(unused, 'leave the `export` out and test through what the product uses, or remove what nobody needs').toEqual([])
  })

  test('no two exported types of server and contract have one name', () => {
    const names = sources
      .filter(path => /^(?:server|contract)\//.test(path) && !isTest(path))
      .flatMap(path => [...readFileSync(join(root, path), 'utf8').matchAll(/^export (?:type|interface|class) (\w+)/gm)])
      .map(([, name]) => name)
    const repeated = names.filter((name, i) => names.indexOf(name) !== i)
    expect(repeated, 'rename one: a name means one thing').toEqual([])
  })

  test('no comment or page points to a list outside the repository', () => {
    // Drawings are exempt, because their path commands look like such numbers (`M12 132`).
    const written = sources.filter(
      path => path !== 'test/house-rules.test.ts' && !/^web\/components\/(drawings\/|ui\/(?:lazy-)?icons\.ts$)/.test(path),
    )
    const linesWith = (path: string, pattern: RegExp) =>
      readFileSync(join(root, path), 'utf8')
        .split('\n')
        .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : []))
    const dangling = [
      ...written.flatMap(path => linesWith(path, UNKNOWN_REFERENCE)),
      ...[...written, ...pages].flatMap(path => linesWith(path, UNNAMED_SPECIFICATION)),
    ]
    expect(dangling, 'say the reason itself, or name a page of docs/').toEqual([])
  })

  test('comments begin as sentences do', () => {
    const FRAGMENT = /^ *(?:\/\*\*?[\s*]*|(?<!\n *\/\/[^\n]*\n *)\/\/ )(?:Of|Those|Whose|Told|Also)\b.*/gm
    const fragments = sources.flatMap(path =>
      [...readFileSync(join(root, path), 'utf8').matchAll(FRAGMENT)].map(([line]) => `${path} ${line.trim()}`),
    )
    expect(fragments, 'name the thing first: "The size of ...", not "Of ..."').toEqual([])
  })

  test('comments are as narrow as the code, which the formatter wraps', () => {
    const COMMENT = /^\s*(?:\/\/|\/\*|\* )/
    // Tools read these as one line.
    const DIRECTIVE = /biome-ignore|@param|@type/
    const wide = sourceFiles()
      .filter(path => /\.(?:tsx?|mjs|css)$/.test(path))
      .flatMap(path =>
        readFileSync(join(root, path), 'utf8')
          .split('\n')
          .flatMap((line, index) => (line.length > 140 && COMMENT.test(line) && !DIRECTIVE.test(line) ? [`${path}:${index + 1}`] : [])),
      )
    expect(wide, 'wrap these comments').toEqual([])
  })

  test('names in comments exist', () => {
    const known = new Set(
      [...sources.map(stripComments), readFileSync(join(root, 'package.json'), 'utf8')].flatMap(text => text.match(WORD) ?? []),
    )
    const unknown = sources
      .filter(path => path !== 'test/house-rules.test.ts')
      .flatMap(path =>
        comments(path)
          .flatMap(comment =>
            [...comment.matchAll(/`#?([\w$]+(?:\.[\w$]+)?)(?:\([^`]*\))?`/g)].flatMap(match => match[1]?.split('.') ?? []),
          )
          .filter(name => /^[a-z_$]/i.test(name) && !known.has(name) && !FOREIGN_NAMES.has(name))
          .map(name => `${path} ${name}`),
      )
    expect(unknown, 'write the name that the code uses now, or add one of other programs to FOREIGN_NAMES').toEqual([])
  })

  test('files named in comments exist', () => {
    const files = [...sourceFiles(), ...readdirSync(root)]
    const unknown = sources.flatMap(path =>
      comments(path)
        .flatMap(comment => comment.match(/(?<![\w./@*<{}-])[\w./@-]*[\w-]\.(?:tsx?|mjs)\b/g) ?? [])
        .map(name => name.replace(/^[./#]+/, ''))
        .filter(name => !files.some(file => file === name || file.endsWith(`/${name}`)))
        .map(name => `${path} ${name}`),
    )
    expect(unknown, 'write where it is today').toEqual([])
  })

  test('log messages begin with a capital letter and have no full stop at the end', () => {
    const LOGGED = /\blog\??\.(?:debug|info|warn|error|fatal)\([^'`]*(['`])(.*?)\1,?\s*\)/g
    const odd = product.flatMap(path =>
      [...readFileSync(join(root, path), 'utf8').matchAll(LOGGED)]
        .map(match => match[2] ?? '')
        .filter(message => /^[a-z]|\.$/.test(message))
        .map(message => `${path}: ${message}`),
    )
    expect(odd, 'write it as the others').toEqual([])
  })

  test('every long test exists', () => {
    const unbraced = (glob: string): string[] => {
      const [braces, names = ''] = /\{([^{}]*)\}/.exec(glob) ?? []
      return braces === undefined ? [glob] : names.split(',').flatMap(name => unbraced(glob.replace(braces, name)))
    }
    const missing = LONG_UNIT_TESTS.flatMap(unbraced).filter(glob => !sources.some(path => matchesGlob(path, glob)))
    expect(missing, 'write where it is today in test/long-tests.ts').toEqual([])
  })

  test('every language is also where no compiler asks for it', () => {
    const styles = readFileSync(join(root, 'web/styles.css'), 'utf8')
    const missing = LANGUAGES.flatMap(language => {
      const places = [
        `content/blog/${language}`,
        `content/legal/${language}`,
        `extension/_locales/${language}/messages.json`,
        `web/public/social/home-${language}.png`,
      ]
      const rule = `html[lang="${language}"] .site-notice [lang="${language}"]`
      return [...places.filter(path => !existsSync(join(root, path))), ...(styles.includes(rule) ? [] : [rule])]
    })
    expect(missing, 'add it, as the comment in contract/languages.ts says').toEqual([])
  })

  test('no unfinished work is left in the code', () => {
    const marks = product.filter(path => /\b(TODO|FIXME|XXX)\b/.test(readFileSync(join(root, path), 'utf8')))
    expect(marks, 'finish it, or write an issue').toEqual([])
  })
})

const FILE_LINES_MAX = 600
/** Code lines up to which a module is small, and how many small ones may lie beside their only user. */
const SMALL_LINES = 60
const SMALL_NEIGHBOURS_MAX = 32

describe('a file is a subject', () => {
  test(`no file has more than ${FILE_LINES_MAX} lines`, () => {
    const long = sources.map(path => ({ path, lines: readFileSync(join(root, path), 'utf8').split('\n').length - 1 }))
    expect(
      long.filter(({ lines }) => lines > FILE_LINES_MAX).map(({ path, lines }) => `${path}: ${lines} lines`),
      'part it where it has become two subjects',
    ).toEqual([])
  })

  test(`at most ${SMALL_NEIGHBOURS_MAX} small modules lie beside their only user`, () => {
    const users = new Map<string, Set<string>>()
    for (const path of product) for (const target of readImports(path)) users.set(target, (users.get(target) ?? new Set()).add(path))
    const small = product.filter(path => {
      const [user, ...others] = users.get(path) ?? []
      return user !== undefined && others.length === 0 && dirname(user) === dirname(path) && countCode(path) <= SMALL_LINES
    })
    expect(small.length, `put some of these into their user:\n${small.join('\n')}`).toBeLessThanOrEqual(SMALL_NEIGHBOURS_MAX)
  })
})

function countCode(path: string): number {
  return stripComments(path)
    .split('\n')
    .filter(line => line.trim() !== '').length
}

const COMMENT = /\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm

function stripComments(path: string): string {
  return readFileSync(join(root, path), 'utf8').replace(COMMENT, '')
}

function comments(path: string): string[] {
  return readFileSync(join(root, path), 'utf8').match(COMMENT) ?? []
}

const pages = [
  ...readdirSync(root),
  ...['docs', 'reader', 'lab', 'deploy', 'clients', 'examples'].flatMap(folder => walk(join(root, folder))),
].filter(path => path.endsWith('.md') && path !== 'CHANGELOG.md' && !path.includes('node_modules'))

function withoutBlocks(page: string): string {
  return readFileSync(join(root, page), 'utf8').replace(/^```[\s\S]*?^```/gm, '')
}

/** As the usual renderers of Markdown make them. */
function headingIds(page: string): string[] {
  return [...withoutBlocks(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

describe('documentation', () => {
  test('every code block of the documentation is run by a test, or contains no command', () => {
    const unknown = documentedBlocks().filter(block => findKind(block) === undefined)
    expect(
      unknown,
      'add its kind to test/documentation/documented-commands/blocks.ts and run it in test/documentation/documented-commands.test.ts',
    ).toEqual([])
  })

  test('every file and folder named in the documentation exists', () => {
    const named = /`((?:contract|reader|server|web|clients?|content|examples|cli|scripts|test|e2e|lab|deploy|docs)\/[\w./-]*|[A-Z]+\.md)`/g
    const withoutFolder = /`([\w.-]+\.(?:tsx?|mjs))`/g
    const fileNames = new Set([...sourceFiles(), ...readdirSync(root)].map(path => basename(path)))
    const missing = pages.flatMap(page => {
      const text = readFileSync(join(root, page), 'utf8')
      const find = (pattern: RegExp) => [...text.matchAll(pattern)].map(match => match[1] ?? '')
      const unknown = [
        ...find(named).filter(path => !existsSync(join(root, path))),
        ...find(withoutFolder).filter(name => !fileNames.has(name)),
      ]
      return unknown.map(path => `${page}: ${path}`)
    })
    expect(missing, 'correct the page: it must be true today').toEqual([])
  })

  test('every folder and file in the tree of docs/architecture.md exists', () => {
    const [, tree = ''] = /^```\n(contract\/[\s\S]*?)^```/m.exec(readFileSync(join(root, 'docs/architecture.md'), 'utf8')) ?? []
    /** The folders that lines of a smaller indentation name, with the indentation. */
    let above: [indentation: number, folder: string][] = [[-1, '']]
    const missing = tree.split('\n').flatMap(line => {
      const indentation = line.search(/\S/)
      above = above.filter(([outer]) => outer < indentation)
      const parent = above.at(-1)?.[1] ?? ''
      const [own] = /^[\w-]+\//.exec(line.trim()) ?? []
      if (own) above.push([indentation, join(parent, own)])
      const names = line.match(/(?<![\w./-])[\w-]+(?:\/|\.tsx?)(?![\w])/g) ?? []
      return names.filter(name => !above.some(([, folder]) => existsSync(join(root, folder, name))))
    })
    expect(missing, 'correct the tree').toEqual([])
  })

  test('every link of the documentation leads to a file and a heading that exist', () => {
    const broken = pages.flatMap(page =>
      [...withoutBlocks(page).matchAll(/\]\((?![a-z]+:)([^)\s#]*)(?:#([^)\s]+))?\)/g)]
        .filter(([, path, heading]) => {
          const target = path ? join(dirname(page), path) : page
          return !existsSync(join(root, target)) || (heading !== undefined && !headingIds(target).includes(heading))
        })
        .map(([link]) => `${page}: ${link.slice(1)}`),
    )
    expect(broken, 'correct the link').toEqual([])
  })

  test('every failure code is in docs/errors.md with its status', () => {
    const page = readFileSync(join(root, 'docs/errors.md'), 'utf8')
    const missing = Object.entries(problems).filter(([code, status]) => !page.includes(`| \`${code}\` | ${status} |`))
    expect(
      missing.map(([code]) => code),
      'add a row to docs/errors.md',
    ).toEqual([])
  })

  test('every SMTP reply is in docs/errors.md', () => {
    const page = readFileSync(join(root, 'docs/errors.md'), 'utf8')
    const replies = Object.values(failures).flatMap(row => ('smtp' in row ? [row.smtp] : []))
    const refusals = Object.values(protocolReplies).filter(([code]) => code >= 400)
    const missing = [...replies, ...Object.values(mailFailures), ...refusals].filter(
      ([code, text]) => !page.includes(`| \`${code} ${text.split(' ')[0]}\` |`),
    )
    expect(
      missing.map(reply => reply.join(' ')),
      'add a row to docs/errors.md',
    ).toEqual([])
  })
})

describe('commits', () => {
  /** Before it some subjects are longer. A copy without this history has nothing to check. */
  const BASE = 'ce56adf3eb0f5489d9eecfe4a7022d320559b2d3'

  test('a subject names the part, then what changed, in at most 72 characters', () => {
    const { status, stdout } = spawnSync('git', ['log', '--format=%s', `${BASE}..HEAD`], { cwd: root, encoding: 'utf8' })
    const subjects = status === 0 ? stdout.split('\n').filter(Boolean) : []
    const wrong = subjects.filter(subject => subject.length > 72 || !/^(?:[\w/., -]+: \S.{5}|(?:Merge|Revert) )/.test(subject))
    expect(wrong, 'reword these commits (git commit --amend, git rebase --interactive)').toEqual([])
  })
})
