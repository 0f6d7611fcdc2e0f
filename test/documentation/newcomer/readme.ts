/** The code blocks of a README, which newcomers copy. */

/** Code blocks under a heading of the second level. */
export function readCodeBlocks(markdown: string, heading: string): string[][] {
  const section = markdown.split(/^## /m).find(part => part.startsWith(`${heading}\n`))
  if (section === undefined) throw new Error(`The README has no section "${heading}"`)
  return codeBlocks(section)
}

/** Indented and fenced code blocks, each as its lines without indentation and fences. */
export function codeBlocks(markdown: string): string[][] {
  const blocks: string[][] = []
  let state: 'text' | 'indented' | 'fenced' = 'text'
  let isAfterBlank = true
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) {
      if (state !== 'fenced') blocks.push([])
      state = state === 'fenced' ? 'text' : 'fenced'
    } else if (state === 'fenced') blocks.at(-1)?.push(line)
    else if (line.startsWith('    ') && (state === 'indented' || isAfterBlank)) {
      if (state === 'text') blocks.push([])
      state = 'indented'
      blocks.at(-1)?.push(line.slice(4))
    } else state = 'text'
    isAfterBlank = line.trim() === ''
  }
  return blocks
}

/** Names of all npm scripts that the README mentions, in blocks and in sentences. */
export function npmScriptsIn(markdown: string): string[] {
  const named = [...markdown.matchAll(/npm (?:run ([\w:-]+)|(start|test)\b)/g)].map(match => match[1] ?? match[2] ?? '')
  return [...new Set(named)]
}
