/** Finds who imports what: for the house rule on exports, and for `npm run lab -- structure`. */
import { dirname, join, normalize } from 'node:path'

const EXPORT = /^export (?:async )?(?:const|function\*?|class|type|interface)\s+(\w+)/gm
const IMPORT = /(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g

/**
 * `users`: files that import the module and contain the name. Who loads a module by `import()` uses all of it. `isMentioned`: another file
 * contains the name.
 */
type ExportedName = { readonly path: string; readonly name: string; readonly users: readonly string[]; readonly isMentioned: boolean }

export const isTest = (path: string) => /\.(test|spec)\.|\.d\.ts$|^(test|e2e|lab)\//.test(path)

/** The files of the repository that a file imports. */
export function importsOf(path: string, text: string): string[] {
  return [...text.matchAll(IMPORT)].map(([, target = '']) =>
    target.startsWith('.') ? normalize(join(dirname(path), target)) : target.replace(/^#/, ''),
  )
}

/** The names that `modules` export, with the `files` (text by path) that use them. */
export function exportedNames(modules: readonly string[], files: ReadonlyMap<string, string>): ExportedName[] {
  const importers = new Map<string, string[]>()
  for (const [path, text] of files)
    for (const target of new Set(importsOf(path, text))) importers.set(target, [...(importers.get(target) ?? []), path])
  const words = new Map([...files].map(([path, text]) => [path, new Set(text.match(/[\w$]+/g))]))
  const loadsAll = (user: string, path: string) => files.get(user)?.includes(`/${path.split('/').slice(-2).join('/')}')`) ?? false
  return modules.flatMap(path =>
    [...(files.get(path) ?? '').matchAll(EXPORT)].map(([, name = '']) => ({
      path,
      name,
      isMentioned: [...words].some(([other, known]) => other !== path && known.has(name)),
      users: (importers.get(path) ?? []).filter(user => words.get(user)?.has(name) || loadsAll(user, path)),
    })),
  )
}
