import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '#server/platform/installation.ts'

/** Slugs of the blog's articles, as in their URLs. */
export async function articleSlugs(): Promise<string[]> {
  const files = await readdir(join(root, 'content/blog/en'))
  return files.filter(file => file.endsWith('.md')).map(file => file.slice(0, -'.md'.length))
}
