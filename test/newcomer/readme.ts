/** The code blocks of a README: what a newcomer copies. */

/** Indented code blocks under a heading of the second level, each as its lines without the indentation. */
export function readCodeBlocks(markdown: string, heading: string): string[][] {
  const section = markdown.split(/^## /m).find(part => part.startsWith(`${heading}\n`))
  if (section === undefined) throw new Error(`The README has no section "${heading}"`)
  const blocks: string[][] = []
  let isInBlock = false
  for (const line of section.split('\n')) {
    const isCode = line.startsWith('    ')
    if (isCode && !isInBlock) blocks.push([])
    if (isCode) blocks.at(-1)?.push(line.slice(4))
    isInBlock = isCode
  }
  return blocks
}

/** Names of all npm scripts that the README mentions, in blocks and in sentences. */
export function npmScriptsIn(markdown: string): string[] {
  const named = [...markdown.matchAll(/npm (?:run ([\w:-]+)|(start|test)\b)/g)].map(match => match[1] ?? match[2] ?? '')
  return [...new Set(named)]
}
