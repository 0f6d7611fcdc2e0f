import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** `` `file` › title``: the title must stand in the file to the letter, as the first of several arguments. */
export function testExists(root: string, reference: string): boolean {
  const [, path, title] = /^`([^`]+)` › (.+)$/.exec(reference) ?? []
  if (!path || !title || !existsSync(join(root, path))) return false
  const text = readFileSync(join(root, path), 'utf8')
  return ["'", '"', '`'].some(quote => text.includes(`${quote}${title.replaceAll("'", quote === "'" ? "\\'" : "'")}${quote},`))
}
