import { readdir } from 'node:fs/promises'

/** The articles that exist: the names of the English files in content/blog. */
export async function readBlogSlugs(): Promise<string[]> {
  const names = await readdir(new URL('../../content/blog/en/', import.meta.url))
  return names.filter(name => name.endsWith('.md')).map(name => name.slice(0, -'.md'.length))
}
