const BLOCK_CHARS = 65_536

/**
 * Applies `change` block by block: V8 keeps an object for every match of a replacement until it is done, and the four million matches of a
 * hostile 4 MiB text would fill a thread's heap. `cut` moves the end of a block to where nothing is split.
 */
export function changeInBlocks(text: string, cut: (text: string, end: number) => number, change: (block: string) => string): string {
  if (text.length <= BLOCK_CHARS) return change(text)
  const blocks: string[] = []
  for (let at = 0; at < text.length; ) {
    const end = at + BLOCK_CHARS >= text.length ? text.length : cut(text, at + BLOCK_CHARS)
    blocks.push(change(text.slice(at, end)))
    at = end
  }
  return blocks.join('')
}

/** For changes that look at one character at a time. */
export function cutAnywhere(_text: string, end: number): number {
  return end
}
