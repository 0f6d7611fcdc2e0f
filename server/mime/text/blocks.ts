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

const CR = 13

/** Converts line ends to LF: CR LF, CR CR LF (gateways) and CR alone (old Macs). Linear in the text. */
export function withPlainLineEnds(text: string): string {
  return text.includes('\r') ? changeInBlocks(text, afterLineEnd, change) : text
}

function change(text: string): string {
  // Half the cost of a replacement where lines are empty.
  const plain = text.split('\r\n').join('\n')
  // Not `\r+
  // |\r`, which is quadratic on a long run of CR alone.
  return plain.includes('\r') ? plain.replace(/\r+\n?/g, run => (run.endsWith('\n') ? '\n' : '\n'.repeat(run.length))) : plain
}

/** After the run of CR in which the block would end, and what follows it. */
function afterLineEnd(text: string, end: number): number {
  let at = end
  while (text.charCodeAt(at - 1) === CR && at < text.length) at++
  return at
}
