import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Language } from '#contract/languages.ts'
import { type ParsedPost, parsePost } from './parse-post.ts'

const folder = resolve(import.meta.dirname, '../../content/blog')

/** The articles of a language in content/, ordered by name. */
export function articleFiles(language: Language): ParsedPost[] {
  const files = readdirSync(join(folder, language)).sort()
  return files.map(file => parsePost(readFileSync(join(folder, language, file), 'utf8')))
}
