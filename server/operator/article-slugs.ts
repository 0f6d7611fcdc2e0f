import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '#server/root.ts'

/** Of the articles of the blog, as their addresses have them. */
export async function articleSlugs(): Promise<string[]> {
  const files = await readdir(join(root, 'content/blog/en'))
  return files.filter(file => file.endsWith('.md')).map(file => file.slice(0, -'.md'.length))
}
